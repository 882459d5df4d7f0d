import { createEffect, For, on, onMount } from 'solid-js'
import type { ReaderSettings, ReadingDirection } from '../../../../src/domain/reader-settings.ts'
import { t } from '../../i18n/reader.ts'
import { type MangaPage, pageAddress } from '../../primitives/reader-pages.ts'
import { type Stage, scrollWindow } from './stage.ts'

interface PagedStageProps {
  pages: readonly MangaPage[]
  direction: ReadingDirection
  fit: ReaderSettings['fit']
  /** Pixels that the screen can show across. */
  shownWidth: number | undefined
  ref: (stage: Stage, element: HTMLElement) => void
}

/** How much of the window one of the pages may take. */
const FITS: Record<ReaderSettings['fit'], string> = {
  screen: 'max-h-full max-w-full object-contain',
  width: 'w-full',
  height: 'h-full max-w-none',
  original: 'max-w-none',
}

/** One page, or two side by side. */
export const PagedStage = (props: PagedStageProps) => {
  let element!: HTMLDivElement
  const isRightToLeft = () => props.direction === 'rtl'
  /** A page that is larger than the window begins where its reading begins. */
  const rewind = () => element.scrollTo({ top: 0, left: isRightToLeft() ? element.scrollWidth : 0, behavior: 'instant' })
  onMount(() => {
    props.ref(
      { scrollOn: (by) => scrollWindow(element, by), isScrolledAcross: () => element.scrollWidth > element.clientWidth + 1 },
      element,
    )
  })
  createEffect(on(() => props.pages[0]?.index, rewind))
  const isWhole = () => props.fit === 'screen'
  return (
    <div ref={element} class={`absolute inset-0 ${isWhole() ? 'overflow-hidden' : 'overflow-auto'}`}>
      <div
        class={`flex items-center justify-center ${isRightToLeft() ? 'flex-row-reverse' : ''} ${props.fit === 'height' || isWhole() ? 'h-full' : 'min-h-full'} ${props.fit === 'width' || isWhole() ? 'w-full' : 'w-max min-w-full'}`}
      >
        <For each={props.pages}>
          {(page) => (
            <div
              class={`flex min-w-0 items-center ${props.pages.length === 1 ? 'justify-center' : (page === props.pages[0]) === isRightToLeft() ? 'justify-start' : 'justify-end'} ${props.fit === 'height' || isWhole() ? 'h-full' : ''} ${props.fit === 'width' || isWhole() ? (props.pages.length === 2 ? 'w-1/2' : 'w-full') : ''}`}
            >
              <img
                src={pageAddress(page, props.shownWidth)}
                alt={t('manga.page', page.index + 1)}
                width={page.width ?? undefined}
                height={page.height ?? undefined}
                draggable={false}
                onLoad={rewind}
                class={`block select-none ${FITS[props.fit]} ${props.fit === 'height' ? 'w-auto' : props.fit === 'original' ? '' : 'h-auto'}`}
              />
            </div>
          )}
        </For>
      </div>
    </div>
  )
}
