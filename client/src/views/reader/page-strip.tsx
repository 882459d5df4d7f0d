import { For, onMount } from 'solid-js'
import { t } from '../../i18n/reader.ts'
import type { MangaPage } from '../../primitives/reader-pages.ts'

const THUMBNAIL_WIDTH = 320

interface PageStripProps {
  pages: readonly MangaPage[]
  shown: readonly number[]
  isRightToLeft: boolean
  onSelect: (page: number) => void
}

/** All pages, small; it opens at the present one. */
export const PageStrip = (props: PageStripProps) => {
  let list!: HTMLOListElement
  onMount(() => list.querySelector('[aria-current=page]')?.scrollIntoView({ inline: 'center', block: 'nearest', behavior: 'instant' }))
  return (
    <ol
      ref={list}
      dir={props.isRightToLeft ? 'rtl' : 'ltr'}
      aria-label={t('reader.strip')}
      class="flex gap-2 overflow-x-auto border-b border-line px-4 py-3"
    >
      <For each={props.pages}>
        {(page) => (
          <li class="shrink-0">
            <button
              type="button"
              aria-label={t('manga.page', page.index + 1)}
              aria-current={props.shown.includes(page.index) ? 'page' : undefined}
              onClick={() => props.onSelect(page.index)}
              class="flex flex-col items-center gap-1 rounded-chip p-1 text-caption text-muted tabular-nums hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-fg"
            >
              <img
                src={`${page.url}&width=${THUMBNAIL_WIDTH}`}
                alt=""
                loading="lazy"
                decoding="async"
                class="h-28 w-20 rounded-chip bg-raised object-cover"
              />
              {page.index + 1}
            </button>
          </li>
        )}
      </For>
    </ol>
  )
}
