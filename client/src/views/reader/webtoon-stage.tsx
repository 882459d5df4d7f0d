import { debounce } from '@solid-primitives/scheduled'
import { createSignal, For, type JSX, onCleanup, onMount, Show, untrack } from 'solid-js'
import type { ReaderSettings } from '../../../../src/domain/reader-settings.ts'
import { createEndPull } from '../../primitives/end-pull.ts'
import { listen } from '../../primitives/listen.ts'
import { onChange } from '../../primitives/on-change.ts'
import type { MangaPage } from '../../primitives/reader-pages.ts'
import { forgetStripPlace, keepStripPlace, stripPlaceAt } from '../../primitives/strip-place.ts'
import { type Anchor, anchorAt, type Extent, placeOf } from '../../primitives/webtoon-anchor.ts'
import { PagePicture } from './page-picture.tsx'
import { isAtBottom, SLACK, type Stage, scrollWindow } from './stage.ts'

interface WebtoonStageProps {
  pages: readonly MangaPage[]
  page: number
  fit: ReaderSettings['fit']
  sidePadding: number
  shownWidth: number | undefined
  onReach: (page: number) => void
  /** The end of the last page has been seen, or all of it, where it is no higher than the window. */
  onEnd: () => void
  /** Pulled on below the last page. */
  onPull: () => void
  /** Below the last page. */
  footer: (pulled: () => number) => JSX.Element
  ref: (stage: Stage, element: HTMLElement) => void
}

/** A browser without `scrollend` (Safari) has come to rest when nothing has scrolled for so long. */
const REST_MS = 100
/** Pages further away keep their room, but not their picture. */
const AHEAD = 5
const BEHIND = 2
/** Of a page whose size nobody could read. */
const USUAL_RATIO = '2 / 3'

const WIDTHS: Record<ReaderSettings['fit'], string> = {
  screen: 'min(100%, 960px)',
  width: '100%',
  height: '100%',
  original: 'max-content',
}

/** All pages below each other. Whatever their width becomes, what was in the middle of the window stays there. */
export const WebtoonStage = (props: WebtoonStageProps) => {
  let element!: HTMLDivElement
  let list!: HTMLOListElement
  const [near, setNear] = createSignal(untrack(() => props.page))
  let anchor: Anchor = { page: untrack(() => props.page), fraction: 0 }
  /** The page that somebody is at. */
  let reached = anchor.page
  /** Where the strip was put last, and for which page: until somebody scrolls, that is the page, wherever the middle is. */
  let put = { at: -1, page: reached }
  /** Pixels; how high the pages were together when the strip was put. A window that becomes narrower scrolls by itself, before that is made good. */
  let heightPut = 0
  const isPut = () => list.offsetHeight === heightPut
  const pull = createEndPull(() => props.onPull())

  const extentOf = (page: number): Extent => {
    const item = list.children[page]
    return item instanceof HTMLElement ? { top: item.offsetTop, height: item.offsetHeight } : { top: 0, height: 0 }
  }
  const middle = () => element.scrollTop + element.clientHeight / 2
  const lastPage = () => props.pages.length - 1

  /** A wheel's events come after what it has scrolled: the end counts once the strip has come to rest there. */
  let hasRestedAtEnd = false
  let hasEnded = false
  const noteEnd = () => {
    const { top, height } = extentOf(lastPage())
    const seen = Math.max(element.clientHeight, element.scrollTop + element.clientHeight - top)
    hasEnded = reached === lastPage() && height <= seen + SLACK
    if (hasEnded) props.onEnd()
  }
  const rest = () => {
    restLater.clear()
    if (!isPut()) return
    hasRestedAtEnd = isAtBottom(element)
    keepStripPlace({ page: reached, anchor })
    noteEnd()
    props.onReach(reached)
  }
  const restLater = debounce(rest, REST_MS)
  const onScroll = () => {
    if (!isPut()) return
    hasRestedAtEnd &&= isAtBottom(element)
    anchor = anchorAt(middle(), props.pages.length, extentOf)
    const isPutThere = Math.abs(element.scrollTop - put.at) <= 1
    reached = isPutThere ? put.page : isAtBottom(element) ? lastPage() : anchor.page
    setNear(anchor.page)
    restLater()
  }
  const putAt = (top: number, page: number) => {
    element.scrollTop = top
    heightPut = list.offsetHeight
    put = { at: element.scrollTop, page }
    reached = page
    noteEnd()
  }
  const restore = () => putAt(placeOf(anchor, extentOf) - element.clientHeight / 2, reached)
  /** A page that is higher than the window begins at its top, another one stands in the middle. */
  const show = (page: number) => {
    const { top, height } = extentOf(page)
    putAt(Math.min(top, top - (element.clientHeight - height) / 2), page)
    anchor = anchorAt(middle(), props.pages.length, extentOf)
    setNear(page)
  }
  onMount(() => {
    props.ref({ scrollOn: (by) => scrollWindow(element, by), isScrolledAcross: () => false }, element)
    const kept = stripPlaceAt(props.page)
    if (kept) {
      anchor = kept
      restore()
      setNear(kept.page)
    } else show(props.page)
    const observer = new ResizeObserver(restore)
    observer.observe(element)
    observer.observe(list)
    const onTouchMove = (event: TouchEvent) => {
      const [touch] = event.touches
      if (touch) pull.onFinger(touch.clientY, isAtBottom(element))
    }
    const onWheel = (event: WheelEvent) => pull.onWheel(event.deltaY, event.timeStamp, hasRestedAtEnd)
    listen(element, { touchmove: onTouchMove, touchend: pull.release, wheel: onWheel }, { passive: true })
    onCleanup(() => {
      observer.disconnect()
      if (hasEnded) forgetStripPlace()
    })
  })
  onChange(
    () => props.page,
    (page) => page !== reached && show(page),
  )
  const isNear = (index: number) => index >= near() - BEHIND && index <= near() + AHEAD
  return (
    <div
      ref={element}
      onScroll={onScroll}
      onScrollEnd={rest}
      class="absolute inset-0 overflow-y-auto overscroll-y-contain [overflow-anchor:none]"
    >
      <ol
        ref={list}
        class="relative flex flex-col items-center"
        style={{ 'padding-left': `${props.sidePadding}%`, 'padding-right': `${props.sidePadding}%` }}
      >
        <For each={props.pages}>
          {(page) => (
            <li
              class="relative max-w-full"
              style={{
                width: props.fit === 'original' && page.width !== null ? `${page.width}px` : WIDTHS[props.fit],
                'aspect-ratio': page.width && page.height ? `${page.width} / ${page.height}` : USUAL_RATIO,
              }}
            >
              <Show when={isNear(page.index)}>
                <PagePicture page={page} shownWidth={props.shownWidth} class="size-full object-contain" />
              </Show>
            </li>
          )}
        </For>
      </ol>
      {props.footer(pull.fraction)}
    </div>
  )
}
