import { Key } from '@solid-primitives/keyed'
import { ChevronLeft, ChevronRight } from 'lucide-solid'
import { type Accessor, createEffect, createSignal, createUniqueId, type JSX, onCleanup, onMount, Show } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/home.ts'
import { createGradually } from '../primitives/create-gradually.ts'
import type { CardShape } from '../primitives/grid-layout.ts'
import { entryPath } from '../primitives/paths.ts'
import { createRowPlace } from '../primitives/row-place.ts'
import { IconButton } from './icon-button.tsx'
import { MediaCard } from './media-card.tsx'

interface ShelfProps {
  /** Tells its place from those of the other rows of the screen. */
  name: string
  title: JSX.Element
  note?: string
  entries: readonly BrowseEntry[]
  shape: CardShape
  actions?: JSX.Element
  /** In the first window: the pictures that one sees without scrolling sideways are loaded at once. */
  isEager?: boolean
  /** Where a card leads; to the entry's own screen unless told otherwise. */
  hrefOf?: (entry: BrowseEntry) => string
  /** Lies over the corner of a card. */
  cornerOf?: (entry: Accessor<BrowseEntry>) => JSX.Element
  children?: JSX.Element
}

/** Pixels. */
const CARD_SIZES: Record<CardShape, { width: number; pictureHeight: number }> = {
  poster: { width: 152, pictureHeight: 228 },
  tile: { width: 176, pictureHeight: 176 },
  wide: { width: 272, pictureHeight: 153 },
}

/** Pixels below the pictures: title and facts, of a tile the title alone; and around the cards, for the ring of the focus. */
const CAPTION_HEIGHTS: Record<CardShape, number> = { poster: 48, tile: 22, wide: 48 }
const RING = 8

/** Pixels that the cards take: kept free for those that are still to come. */
export const shelfHeight = (shape: CardShape): number => CARD_SIZES[shape].pictureHeight + CAPTION_HEIGHTS[shape] + RING

/** How much of the visible width one press of an arrow scrolls. */
const SCROLL_FRACTION = 0.85

/** A heading over one row of cards that scrolls sideways. */
export const Shelf = (props: ShelfProps) => {
  const id = createUniqueId()
  let row: HTMLUListElement | undefined
  const place = createRowPlace(props.name)
  let isPlaced = place.before === 0
  const [ends, setEnds] = createSignal({ isAtStart: true, isAtEnd: true })
  const look = () => {
    if (!row) return
    if (isPlaced) place.keep(row.scrollLeft)
    setEnds({ isAtStart: row.scrollLeft < 8, isAtEnd: row.scrollLeft + row.clientWidth > row.scrollWidth - 8 })
  }
  onMount(() => {
    const observer = new ResizeObserver(look)
    if (row) observer.observe(row)
    onCleanup(() => observer.disconnect())
  })
  const scroll = (direction: number) => row?.scrollBy({ left: direction * row.clientWidth * SCROLL_FRACTION, behavior: 'smooth' })
  /** A card that keys have come to is seen whole, where browsers leave one that is cut. The row comes to rest at the beginning of a card alone. */
  const showWhole = ({ target }: FocusEvent) => {
    const card = target instanceof Element && target.matches(':focus-visible') ? target.closest('li') : null
    if (!row || !card) return
    const padding = Number.parseFloat(getComputedStyle(row).scrollPaddingLeft)
    const room = row.clientWidth - 2 * padding
    const rest = row.getBoundingClientRect().left + padding
    const startOf = (item: Element) => item.getBoundingClientRect().left - rest
    const end = startOf(card) + card.offsetWidth
    if (startOf(card) >= 0 && end <= room) return
    const first = startOf(card) < 0 ? card : [...row.children].find((item) => end - startOf(item) <= room)
    row.scrollBy({ left: startOf(first ?? card), behavior: 'instant' })
  }
  const size = () => CARD_SIZES[props.shape]
  const inSight = Math.ceil(window.innerWidth / size().width)
  const shown = createGradually(() => props.entries, inSight + Math.ceil(place.before / size().width))
  createEffect(() => {
    if (isPlaced || shown().length === 0 || !row) return
    isPlaced = true
    row.scrollLeft = place.before
  })
  return (
    <section class="min-w-0">
      <header class="mb-3 flex min-h-8 items-center gap-3">
        <h2 id={id} class="min-w-0 truncate text-h2 font-semibold">
          {props.title}
        </h2>
        <Show when={props.note}>
          <span class="shrink-0 text-small text-muted tabular-nums max-sm:hidden">{props.note}</span>
        </Show>
        <div class="ml-auto flex shrink-0 items-center gap-1">
          {props.actions}
          <div class="hidden sm:flex" classList={{ invisible: ends().isAtStart && ends().isAtEnd }}>
            <IconButton
              size="small"
              label={t('home.scrollBack')}
              aria-describedby={id}
              disabled={ends().isAtStart}
              onClick={() => scroll(-1)}
            >
              <ChevronLeft size={20} />
            </IconButton>
            <IconButton size="small" label={t('home.scrollOn')} aria-describedby={id} disabled={ends().isAtEnd} onClick={() => scroll(1)}>
              <ChevronRight size={20} />
            </IconButton>
          </div>
        </div>
      </header>
      {props.children}
      <ul
        ref={row}
        aria-labelledby={id}
        onScroll={look}
        onFocusIn={showWhole}
        class="no-scrollbar -mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto overscroll-x-contain px-4 py-1 sm:-mx-6 sm:scroll-px-6 sm:px-6 lg:-mx-8 lg:scroll-px-8 lg:px-8"
        classList={{ hidden: props.entries.length === 0 }}
      >
        <Key each={shown()} by="itemKey">
          {(entry, index) => (
            <li class="group/card relative snap-start">
              <MediaCard
                entry={entry()}
                shape={props.shape}
                href={(props.hrefOf ?? entryPath)(entry())}
                width={size().width}
                pictureHeight={size().pictureHeight}
                isEager={props.isEager && index() < inSight}
              />
              {props.cornerOf?.(entry)}
            </li>
          )}
        </Key>
      </ul>
    </section>
  )
}
