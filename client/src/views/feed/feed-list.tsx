import { debounce } from '@solid-primitives/scheduled'
import { createComputed, createEffect, createMemo, createSignal, For, Index, on, onCleanup, onMount, Show } from 'solid-js'
import type { EntryList } from '../../primitives/create-entry-window.ts'
import { baseFor, boxLength, drawnPlaces, movedBase } from '../../primitives/feed-window.ts'
import { listen } from '../../primitives/listen.ts'
import { prefersReducedMotion } from '../../primitives/motion.ts'
import { createWheelTurns } from '../../primitives/wheel-turns.ts'
import { FeedArticle, type FeedArticleProps } from './feed-article.tsx'

type Shared = Pick<FeedArticleProps, 'isMuted' | 'isLooping' | 'canDownload' | 'onMutedByBrowser' | 'onEnded' | 'onUnplayable' | 'onVideo'>

export interface FeedScroll {
  /** Goes there; near by it scrolls, far off it is there at once. */
  goTo: (index: number) => void
  /** Goes on from where it is going; a key that is held, from where it is. */
  step: (by: number, isHeld?: boolean) => void
}

interface FeedListProps extends Shared {
  label: string
  list: EntryList
  isBusy: boolean
  /** The place to begin at. */
  start: number
  index: number
  onIndex: (index: number) => void
  ref: (scroll: FeedScroll) => void
}

/** So much of an item has to be in view to be the one that is looked at. */
const CURRENT_SHARE = 0.6
/** The box rests when nothing has scrolled for so long: Safari before 26.2 does not tell of the end. */
const REST_MS = 200

/** The articles around the current one, in a box that stops at each of them. */
export const FeedList = (props: FeedListProps) => {
  let scroller!: HTMLDivElement
  const [base, setBase] = createSignal(baseFor(props.start))
  /** Where keys are going to, until that is looked at: pressed twice, they mean the one after the next. */
  let target: number | undefined
  /** Where the box was when they set out. */
  let from = 0
  const observer = new IntersectionObserver(
    (changes) => {
      // Of several that are told at once, what came last.
      const shown = changes.findLast(({ isIntersecting }) => isIntersecting)
      const index = Number(shown?.target.getAttribute('data-index') ?? Number.NaN)
      if (Number.isInteger(index) && index !== props.index) props.onIndex(index)
    },
    { threshold: CURRENT_SHARE },
  )
  const place = (index: number, behavior: ScrollBehavior) => scroller.scrollTo({ top: (index - base()) * scroller.clientHeight, behavior })
  const goTo = (index: number) => {
    const wanted = Math.max(0, Math.min(props.list.end() - 1, index))
    target = wanted === props.index ? undefined : wanted
    from = scroller.scrollTop
    const isNear = Math.abs(wanted - props.index) <= 1
    const moved = movedBase(wanted, base())
    if (moved !== undefined) setBase(moved)
    if (!isNear) props.onIndex(wanted)
    place(wanted, isNear && !prefersReducedMotion() ? 'smooth' : 'instant')
  }
  const step = (by: number, isHeld = false) => goTo(((isHeld ? undefined : target) ?? props.index) + by)
  const drawnIndexes = () => drawnPlaces(props.index, base(), props.list.end())
  const settle = () => {
    const stop = Math.round(scroller.scrollTop / scroller.clientHeight)
    // On a busy page it has not set out yet, or not told of it.
    const isThere = Math.abs(scroller.scrollTop - stop * scroller.clientHeight) < 1 && (target === undefined || scroller.scrollTop !== from)
    // Where it rests is what is looked at, also where nothing is drawn that could have told so, or that was told before what came to pass earlier.
    const at = base() + stop
    if (at !== props.index && at < props.list.end() && (isThere || !drawnIndexes().includes(at))) {
      props.onIndex(at)
      if (props.index !== at) place(props.index, 'instant')
    }
    if (isThere) target = undefined
    const moved = movedBase(props.index, base())
    if (moved === undefined) return
    setBase(moved)
    place(props.index, 'instant')
  }
  createWheelTurns(() => scroller, step)
  onMount(() => {
    place(props.start, 'instant')
    props.ref({ goTo, step })
    listen(scroller, { scroll: debounce(settle, REST_MS) }, { passive: true })
    // Turning a phone changes what a screen is. What is told at first has changed nothing, and would stop a key on its way.
    let height = scroller.clientHeight
    const size = new ResizeObserver(() => {
      if (scroller.clientHeight === height) return
      height = scroller.clientHeight
      place(props.index, 'instant')
    })
    size.observe(scroller)
    onCleanup(() => {
      size.disconnect()
      observer.disconnect()
    })
  })
  createEffect(
    on(
      createMemo(() => props.index),
      (index) => {
        props.list.ensure(index)
        if (index !== target) return
        target = undefined
        scroller.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
      },
    ),
  )
  createEffect(() => props.list.ensure(props.index))
  const isStill = () => Math.abs(scroller.scrollTop - (props.index - base()) * scroller.clientHeight) < 1
  // Where a scan adds something before it, the box moves along: what is looked at stays under the eyes, and goes on.
  createComputed(
    on([() => props.list.at(props.index)?.itemKey, () => props.index], ([, index], before) => {
      // Also by the key that it has now, where it has moved.
      if (before?.[0] === undefined || props.list.indexOf(before[0]) !== index) return
      const shift = index - before[1]
      if (shift === 0) return
      if (target !== undefined) target += shift
      setBase(base() + shift)
      // Once all is drawn there; what moves settles by itself.
      queueMicrotask(() => isStill() && settle())
    }),
  )
  const drawn = createMemo(() => drawnIndexes().flatMap((index) => props.list.at(index)?.itemKey ?? []))
  return (
    <div
      ref={scroller}
      role="feed"
      aria-label={props.label}
      aria-busy={props.isBusy}
      // A finger leads elsewhere.
      onPointerDown={() => {
        target = undefined
      }}
      class="no-scrollbar absolute inset-0 snap-y snap-mandatory overflow-x-hidden overflow-y-scroll overscroll-none"
    >
      <div class="relative w-full">
        {/* Every place is a stop, drawn or not. WebKit counts them: of one that comes before where it rests it makes a step back, and so on. */}
        <Index each={Array.from({ length: boxLength(base(), props.list.end()) })}>
          {() => <div class="h-dvh snap-start snap-always" />}
        </Index>
        <For each={drawn()}>
          {(itemKey) => {
            const index = createMemo(() => props.list.indexOf(itemKey))
            return (
              <Show when={props.list.at(index())}>
                {(entry) => (
                  <FeedArticle
                    entry={entry()}
                    index={index()}
                    count={props.list.total() ?? -1}
                    place={index() - base()}
                    isCurrent={index() === props.index}
                    isNext={index() === props.index + 1}
                    isMuted={props.isMuted}
                    isLooping={props.isLooping}
                    canDownload={props.canDownload}
                    onElement={(element) => {
                      observer.observe(element)
                      return () => observer.unobserve(element)
                    }}
                    onMutedByBrowser={props.onMutedByBrowser}
                    onEnded={props.onEnded}
                    onUnplayable={props.onUnplayable}
                    onVideo={props.onVideo}
                  />
                )}
              </Show>
            )
          }}
        </For>
      </div>
    </div>
  )
}
