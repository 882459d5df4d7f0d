import { Show } from 'solid-js'
import type { TagUsage } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { TagPicker } from '../../components/tag-picker.tsx'
import { t } from '../../i18n/manage-tags.ts'

/** The tag that another name is to stand for: found first, then shown. */
export const TagChoice = (props: { tag: TagUsage | undefined; onChoose: (tag: TagUsage | undefined) => void }) => (
  <div class="flex flex-col gap-1">
    <span class="text-small font-semibold">{t('otherNames.tag')}</span>
    <Show when={props.tag} fallback={<TagPicker label={t('manageTags.search')} onChoose={props.onChoose} />}>
      {(chosen) => (
        <div class="flex flex-wrap items-center justify-between gap-3">
          <span class="min-w-0 text-small break-words">
            {chosen().categoryName} / {chosen().name}
          </span>
          <Button size="small" onClick={() => props.onChoose(undefined)}>
            {t('mergeTags.changeTarget')}
          </Button>
        </div>
      )}
    </Show>
  </div>
)
