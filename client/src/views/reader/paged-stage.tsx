import { createEffect, createMemo, For, on, onMount } from 'solid-js'
import type { ReaderSettings, ReadingDirection } from '../../../../src/domain/reader-settings.ts'
import type { MangaPage } from '../../primitives/reader-pages.ts'
import { PagePicture } from './page-picture.tsx'
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
  screen: 'size-full object-contain',
  width: 'h-auto w-full',
  height: 'h-full w-auto max-w-none',
  original: 'max-w-none',
}

const SIDES = { left: 'justify-end', middle: 'justify-center', right: 'justify-start' }
const POSITIONS = { left: 'object-right', middle: 'object-center', right: 'object-left' }

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
  createEffect(
    on(
      createMemo(() => props.pages[0]?.index),
      rewind,
    ),
  )
  const isWhole = () => props.fit === 'screen'
  const isHigh = () => isWhole() || props.fit === 'height'
  const isBound = () => isWhole() || props.fit === 'width'
  return (
    <div ref={element} class={`absolute inset-0 ${isWhole() ? 'overflow-hidden' : 'overflow-auto'}`}>
      <div
        class={`flex items-center justify-center ${isRightToLeft() ? 'flex-row-reverse' : ''} ${isHigh() ? 'h-full' : 'min-h-full'} ${isBound() ? 'w-full' : 'w-max min-w-full'}`}
      >
        <For each={props.pages}>
          {(page) => {
            /** Pages side by side meet in the middle. */
            const side = () => (props.pages.length === 1 ? 'middle' : (page === props.pages[0]) === isRightToLeft() ? 'right' : 'left')
            return (
              <div
                class={`relative flex min-w-0 items-center ${SIDES[side()]} ${isHigh() ? 'h-full' : ''} ${isBound() ? (props.pages.length === 2 ? 'w-1/2' : 'w-full') : ''}`}
              >
                <PagePicture
                  page={page}
                  shownWidth={props.shownWidth}
                  isSized
                  onLoad={() => page.width === null && element.isConnected && rewind()}
                  class={`${FITS[props.fit]} ${isWhole() ? POSITIONS[side()] : ''}`}
                />
              </div>
            )
          }}
        </For>
      </div>
    </div>
  )
}
