/** Which pages of a volume are shown, and what follows from that: the address, what is loaded ahead, what is remembered. */

import { useQueryClient } from '@tanstack/solid-query'
import { createEffect, createMemo, on } from 'solid-js'
import { resumePage } from '../../../src/domain/progress.ts'
import type { ReadingDirection } from '../../../src/domain/reader-settings.ts'
import { itemQuery } from '../api/items.ts'
import { type MangaPages, mangaPagesQuery } from '../api/manga.ts'
import type { SavedProgress } from '../api/progress.ts'
import type { BrowseEntry, Item } from '../api/types.ts'
import { createLevel } from './create-level.ts'
import { createUrlState } from './create-url-state.ts'
import { createPictureCache, LAST_PAGE, NEXT_VOLUME_WITHIN, PAGES_AHEAD, pageAddress, pagesAround } from './reader-pages.ts'
import { spreadOfPage, spreadsOf } from './reader-spreads.ts'
import { createReadingProgress } from './reading-progress.ts'

interface VolumePagesOptions {
  volume: Item
  /** A scan may find more of them, or fewer, while they are read. */
  pages: () => MangaPages['pages']
  begun: SavedProgress
  direction: () => ReadingDirection
  isDouble: () => boolean
  /** The last page of a strip may be many windows high: where it begins it has not been read. */
  hasSeenEnd: () => boolean
  coverAlone: () => boolean
  shownWidth: () => number | undefined
}

/** Browsers put tabs away that nobody looks at, and load them again. */
const isLoadedAnew = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((load) => load instanceof PerformanceNavigationTiming && load.type !== 'navigate' && load.name === location.href)

export const createVolumePages = (options: VolumePagesOptions) => {
  const { volume, pages } = options
  const count = () => pages().length
  const url = createUrlState()
  const client = useQueryClient()
  const cache = createPictureCache()
  const progress = createReadingProgress(volume)
  const begun = resumePage(options.begun, count())

  const page = createMemo(() => {
    const wanted = url.get('page')
    const asked = wanted === '' ? begun : wanted === LAST_PAGE ? count() - 1 : Number(wanted) - 1
    return Number.isInteger(asked) ? Math.min(count() - 1, Math.max(0, asked)) : 0
  })
  const spreads = createMemo(() => spreadsOf(pages(), { isDouble: options.isDouble(), coverAlone: options.coverAlone() }))
  const place = createMemo(() => spreadOfPage(spreads(), page()))
  const shown = createMemo(() => spreads()[place()] ?? [0])
  const turnTo = (target: number) => {
    const wanted = Math.min(count() - 1, Math.max(0, target))
    if (wanted !== page()) url.change({ page: String(wanted + 1) }, { replace: true })
  }

  const siblings = createLevel(
    () => volume.libraryId,
    () => volume.parentKey ?? undefined,
  )
  const neighbour = (by: 1 | -1): BrowseEntry | undefined => {
    const volumes = siblings.data ?? []
    const own = volumes.findIndex(({ itemKey }) => itemKey === volume.itemKey)
    return own < 0 ? undefined : volumes[own + by]
  }
  const next = createMemo(() => neighbour(1))
  const previous = createMemo(() => neighbour(-1))

  const addressesOf = (of: MangaPages['pages'], indices: readonly number[]) =>
    indices.flatMap((index) => {
      const found = of[index]
      return found ? [pageAddress(found, options.shownWidth())] : []
    })
  /** The page that has been read to; below 0 where it is none. */
  const read = () => {
    const last = Math.max(...shown())
    return last === count() - 1 && !options.hasSeenEnd() ? last - 1 : last
  }
  const isRead = createMemo(() => read() === count() - 1)
  const isAnew = url.get('page') !== '' && isLoadedAnew()
  // Whoever stays where they are tells nothing by turning the device, nor by a page that comes back: they may have gone on with another one.
  createEffect(
    on([page, isRead], ([at, isAtEnd], before) => {
      const isReached = before ? before[0] !== at || isAtEnd : !isAnew
      if (isReached && read() >= 0) progress.reach(read())
    }),
  )
  createEffect(() => cache.load(addressesOf(pages(), pagesAround(shown(), count()))))
  createEffect(() => {
    const volumeAhead = next()
    if (!volumeAhead || count() - 1 - Math.max(...shown()) > NEXT_VOLUME_WITHIN) return
    const { itemKey, libraryId } = volumeAhead
    void client.prefetchQuery(itemQuery(libraryId, itemKey))
    void client
      .fetchQuery(mangaPagesQuery(libraryId, itemKey))
      .then((ahead) => cache.load(addressesOf(ahead.pages, [...Array(PAGES_AHEAD).keys()])))
      // Read on without it: opening the volume says what is wrong with it.
      .catch(() => undefined)
  })

  return {
    count,
    /** From 0: the first of those that are shown. */
    page: () => shown()[0] ?? 0,
    shown,
    next,
    previous,
    turnTo,
    /** Turns by one spread; false at the end. */
    turn: (by: 1 | -1): boolean => {
      const target = spreads()[place() + by]?.[0]
      if (target !== undefined) turnTo(target)
      return target !== undefined
    },
  }
}
