import { Download } from 'lucide-solid'
import { Show } from 'solid-js'
import { downloadUrl } from '../api/files.ts'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { createCan } from '../primitives/session.ts'

/** The file of an item that has no page of its own: an episode in its list, a volume in the reader. */
export const DownloadButton = (props: {
  item: Pick<BrowseEntry, 'itemKey' | 'mimeType' | 'title'>
  /** A row of its own, which says what it does. */
  isRow?: boolean
  class?: string
}) => {
  const can = createCan()
  const label = () => t('item.downloadOf', props.item.title)
  return (
    // A volume that is a folder of pages is no file.
    <Show when={can('download') && props.item.mimeType}>
      <a
        rel="external"
        href={downloadUrl(props.item.itemKey)}
        download=""
        aria-label={label()}
        title={label()}
        class={`inline-flex shrink-0 items-center justify-center rounded-card transition-colors hover:bg-raised ${props.isRow ? 'h-target-large w-full gap-2 border border-line text-small font-semibold' : 'size-target-large text-muted hover:text-fg'} ${props.class ?? ''}`}
      >
        <Download size={18} aria-hidden="true" />
        <Show when={props.isRow}>{t('action.download')}</Show>
      </a>
    </Show>
  )
}
