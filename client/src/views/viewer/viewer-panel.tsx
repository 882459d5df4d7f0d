import { A } from '@solidjs/router'
import { X } from 'lucide-solid'
import { createEffect, createMemo, For, Show } from 'solid-js'
import { folderOf } from '../../../../src/domain/relative-path.ts'
import { itemQuery } from '../../api/items.ts'
import type { Item } from '../../api/types.ts'
import { AiFields } from '../../components/ai-fields.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { t } from '../../i18n/viewers.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { ROOT } from '../../primitives/folder-view.ts'
import { formatBytes, formatClock, formatDate } from '../../primitives/format.ts'
import { libraryPath } from '../../primitives/paths.ts'
import type { PanelPart } from './viewer.tsx'

interface ViewerPanelProps {
  libraryId: number
  itemKey: string
  part: PanelPart
  onClose: () => void
}

/** In folder view, where the file lies. */
const folderPath = ({ libraryId, filePath }: Item): string =>
  `${libraryPath(libraryId)}?${new URLSearchParams({ folder: folderOf(filePath ?? '') || ROOT })}`

/** When it was taken. Where nothing tells, the file's own date, which is all that there is to be sorted by. */
const dateFact = ({ takenAt, modifiedAt }: Item) =>
  takenAt
    ? { label: t('lightbox.taken'), value: formatDate(takenAt) }
    : { label: t('lightbox.fileDate'), value: modifiedAt ? formatDate(modifiedAt) : '' }

const factsOf = (item: Item): { label: string; value: string; href?: string }[] =>
  [
    { label: t('lightbox.path'), value: item.filePath ?? '', href: folderPath(item) },
    { label: t('lightbox.dimensions'), value: item.width && item.height ? t('lightbox.pixels', item.width, item.height) : '' },
    { label: t('lightbox.duration'), value: item.durationSeconds ? formatClock(item.durationSeconds) : '' },
    { label: t('lightbox.size'), value: item.size === null ? '' : formatBytes(item.size) },
    { label: t('lightbox.type'), value: item.mimeType ?? '' },
    dateFact(item),
    { label: t('lightbox.added'), value: formatDate(item.addedAt) },
  ].filter(({ value }) => value !== '')

/** What is known of the item that is looked at. */
export const ViewerPanel = (props: ViewerPanelProps) => {
  const item = createQuery(() => itemQuery(props.libraryId, props.itemKey))
  let tags: HTMLElement | undefined
  /** Whoever goes on to another picture has asked neither to tag that one nor to write in its text. */
  const askedFor = props.itemKey
  const hasGone = createMemo<boolean>((before) => before || props.itemKey !== askedFor, false)
  let isTagging = props.part === 'tags'
  // Once for each time that tags are asked for, and not again when the answer is refreshed, or when one comes back.
  const isThere = createMemo(() => item.data !== undefined)
  createEffect(() => {
    if (!isTagging || !isThere()) return
    isTagging = false
    // The button that opens the selector is drawn along with the tags.
    if (!hasGone()) requestAnimationFrame(() => tags?.querySelector('button')?.click())
  })
  return (
    <>
      <header class="sticky top-0 z-1 flex items-center justify-between bg-surface py-1 pr-1 pl-4">
        <h3 class="text-body font-semibold">{t('lightbox.info')}</h3>
        <IconButton size="large" label={t('action.close')} onClick={() => props.onClose()}>
          <X size={20} />
        </IconButton>
      </header>
      <div class="flex flex-col gap-6 px-4 pb-6">
        <QueryView query={item}>
          {(known) => (
            <>
              <dl class="flex flex-col gap-3">
                <For each={factsOf(known())}>
                  {(fact) => (
                    <div class="min-w-0">
                      <dt class="text-caption text-muted">{fact.label}</dt>
                      <dd class="text-small break-words tabular-nums">
                        <Show when={fact.href} fallback={fact.value}>
                          {(href) => (
                            <A href={href()} class="underline decoration-line underline-offset-4 transition-colors hover:text-accent">
                              {fact.value}
                            </A>
                          )}
                        </Show>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
              <section ref={tags}>
                <h4 class="mb-2 text-small font-semibold">{t('lightbox.tags')}</h4>
                {/* A selector that is open belongs to the item that it was opened for. */}
                <Show when={known().itemKey} keyed>
                  <ItemTags item={known()} />
                </Show>
              </section>
              <AiFields item={known()} isWriting={props.part === 'edit' && !hasGone()} />
            </>
          )}
        </QueryView>
      </div>
    </>
  )
}
