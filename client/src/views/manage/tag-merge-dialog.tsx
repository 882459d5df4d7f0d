import { createSignal, For, Show } from 'solid-js'
import { queryKeys } from '../../api/query-keys.ts'
import { mergeCategory, mergeTag } from '../../api/tags.ts'
import type { TagCategory } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TagDot } from '../../components/tag-chip.tsx'
import { TagPicker } from '../../components/tag-picker.tsx'
import { t } from '../../i18n/manage-tags.ts'
import { createOnward } from '../../primitives/create-onward.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createVocabularyChange } from '../../primitives/create-vocabulary-refresh.ts'
import { createSubmit } from '../../primitives/form-problem.ts'
import { notify } from '../../primitives/notify.ts'
import type { TagSubject } from './tag-subject.ts'

interface Target {
  id: number
  name: string
}

const previewTag = async (id: number, intoTagId: number) => {
  const { moved, merged } = await mergeTag(id, { intoTagId, dryRun: true })
  return t('mergeTags.previewTag', t('mergeTags.items', moved), t('mergeTags.items', merged))
}

const previewCategory = async (id: number, intoCategoryId: number) => {
  const { movedTags, mergedTags } = await mergeCategory(id, { intoCategoryId, dryRun: true })
  return t('mergeTags.previewCategory', t('mergeTags.tags', movedTags), t('mergeTags.tags', mergedTags))
}

const CategoryPicker = (props: { categories: readonly TagCategory[]; onChoose: (target: Target) => void }) => (
  <ul class="max-h-72 divide-y divide-line overflow-y-auto rounded-card border border-line">
    <For each={props.categories} fallback={<li class="px-3 py-3 text-small text-muted">{t('mergeTags.none')}</li>}>
      {(category) => (
        <li>
          <button
            type="button"
            onClick={() => props.onChoose(category)}
            class="flex min-h-target-large w-full items-center gap-3 px-3 text-left text-small transition-colors hover:bg-accent-soft"
          >
            <TagDot category={category} />
            <span class="min-w-0 grow truncate">{category.name}</span>
            <span class="shrink-0 text-caption text-muted">{t('manageTags.tags', category.tagCount)}</span>
          </button>
        </li>
      )}
    </For>
  </ul>
)

interface TagMergeDialogProps {
  subject: TagSubject
  categories: readonly TagCategory[]
  onClose: () => void
  /** Where it leads, on a page that goes with the subject. */
  hrefAfter?: ((target: Target) => string) | undefined
}

/** First the other one, then what would happen, then it happens. */
export const TagMergeDialog = (props: TagMergeDialogProps) => {
  const change = createVocabularyChange()
  const onward = createOnward()
  const [target, setTarget] = createSignal<Target>()
  const isTag = () => props.subject.what === 'tag'
  const preview = createQuery(() => ({
    queryKey: queryKeys.tagPlan(props.subject.what, props.subject.id, target()?.id),
    queryFn: () => (isTag() ? previewTag : previewCategory)(props.subject.id, target()?.id ?? 0),
    enabled: target() !== undefined,
    gcTime: 0,
  }))
  const form = createSubmit(
    async () => {
      const into = target()
      if (!into) return false
      const { id, name } = props.subject
      const goOn = onward()
      await change(async () => {
        if (isTag()) await mergeTag(id, { intoTagId: into.id })
        else await mergeCategory(id, { intoCategoryId: into.id })
        if (props.hrefAfter) goOn(props.hrefAfter(into), { replace: true })
      })
      notify(t('mergeTags.done', name, into.name))
      return true
    },
    (isDone) => isDone && props.onClose(),
  )
  return (
    <Dialog
      onClose={props.onClose}
      title={t('mergeTags.title', props.subject.name)}
      lead={t(isTag() ? 'mergeTags.leadTag' : 'mergeTags.leadCategory')}
    >
      <form onSubmit={form.submit} class="flex flex-col gap-4">
        <Show
          when={target()}
          fallback={
            <Show
              when={isTag()}
              fallback={<CategoryPicker categories={props.categories.filter(({ id }) => id !== props.subject.id)} onChoose={setTarget} />}
            >
              <TagPicker
                label={t('manageTags.search')}
                exceptId={props.subject.id}
                onChoose={({ id, name, categoryName }) => setTarget({ id, name: `${categoryName} / ${name}` })}
              />
            </Show>
          }
        >
          {(into) => (
            <div class="flex flex-col gap-3">
              <div class="flex flex-wrap items-center justify-between gap-3">
                <p class="min-w-0 font-semibold">{t('mergeTags.chosen', into().name)}</p>
                <Button size="small" onClick={() => setTarget(undefined)}>
                  {t('mergeTags.changeTarget')}
                </Button>
              </div>
              <QueryView query={preview} skeleton={<Skeleton class="h-10 w-full" />}>
                {(text) => <p class="text-small">{text()}</p>}
              </QueryView>
            </div>
          )}
        </Show>
        <FormError text={form.problem.general()} />
        <FormButtons
          label={t('mergeTags.submit')}
          isBusy={form.isBusy()}
          isReady={target() !== undefined && preview.isSuccess}
          onCancel={props.onClose}
        />
      </form>
    </Dialog>
  )
}
