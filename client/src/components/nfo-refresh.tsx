import { RefreshCw } from 'lucide-solid'
import { Show } from 'solid-js'
import type { Item } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { createNfoRefresh } from '../primitives/create-nfo-refresh.ts'
import { createCan } from '../primitives/session.ts'
import { Button } from './button.tsx'
import { FormError } from './form-error.tsx'

/** The button that reads an item's NFO file, with a badge where the file has more to say than the page. */
export const NfoRefresh = (props: { item: Item }) => {
  const can = createCan()
  const refresh = createNfoRefresh(() => props.item)
  const badge = () => {
    if (props.item.nfoNewer) return t('nfo.newer')
    return props.item.nfoAvailable && !props.item.nfoRefreshedAt ? t('nfo.unread') : undefined
  }
  return (
    <Show when={can('editMetadata')}>
      <Button
        size="large"
        isBusy={refresh.isBusy()}
        title={t('nfo.hint')}
        onClick={refresh.start}
        class="max-w-full max-sm:h-auto max-sm:min-h-11 max-sm:flex-wrap max-sm:gap-y-0 max-sm:px-4 max-sm:py-1 max-sm:text-small"
      >
        <Show when={!refresh.isBusy()}>
          <RefreshCw size={18} aria-hidden="true" />
        </Show>
        {/* Beside what plays it the icon says enough, until the file has something new. */}
        <span classList={{ 'sr-only': !badge() }}>{t('nfo.refresh')}</span>
        <Show when={badge()}>
          {(text) => <span class="rounded-pill bg-accent-soft px-2 text-caption font-semibold text-accent">{text()}</span>}
        </Show>
      </Button>
      <Show when={refresh.problem()}>
        <div class="w-full">
          <FormError text={refresh.problem()} />
        </div>
      </Show>
    </Show>
  )
}
