/** Pages that are about to be turned to. */

import { onCleanup } from 'solid-js'
import type { MangaPages } from '../api/manga.ts'
import type { End } from './end-confirmation.ts'
import { readPath } from './paths.ts'

export type MangaPage = MangaPages['pages'][number]

export const PAGES_AHEAD = 5
const PAGES_BEHIND = 1
/** Pictures at hand; the browser may have older ones on its disk. */
const PICTURES_KEPT = 24
/** So close to the end the next volume is prepared. */
export const NEXT_VOLUME_WITHIN = 10

/** The pages to have at hand around those that are shown, the nearest first. */
export const pagesAround = (shown: readonly number[], count: number): number[] => {
  const [first = 0, last = 0] = [Math.min(...shown), Math.max(...shown)]
  const ahead = Array.from({ length: PAGES_AHEAD }, (_, index) => last + 1 + index)
  const behind = Array.from({ length: PAGES_BEHIND }, (_, index) => first - 1 - index)
  return [...ahead, ...behind].filter((page) => page >= 0 && page < count)
}

/** A page no wider than the screen can show: the server scales it down where that saves something. */
export const pageAddress = ({ url, width }: MangaPage, shownWidth: number | undefined): string =>
  shownWidth !== undefined && width !== null && width > shownWidth ? `${url}&width=${Math.ceil(shownWidth)}` : url

/** In an address: whichever that is. */
export const LAST_PAGE = 'last'

/** Where reading goes on beyond an end of a volume. Backwards that is the page before, and not the beginning. */
export const pathBeyond = (end: End, { itemKey }: { itemKey: string }): string =>
  end === 'next' ? readPath(itemKey) : `${readPath(itemKey)}?page=${LAST_PAGE}`

/** Loads pictures ahead of time; what is still coming when they are far away, or the reader closes, is dropped. */
export const createPictureCache = () => {
  const loading = new Map<string, HTMLImageElement>()
  const keep = (count: number) => {
    for (const [address, image] of [...loading].slice(0, Math.max(0, loading.size - count))) {
      if (!image.complete) image.removeAttribute('src')
      loading.delete(address)
    }
  }
  onCleanup(() => keep(0))
  return {
    load: (addresses: readonly string[]) => {
      for (const address of addresses) {
        if (loading.has(address)) continue
        const image = new Image()
        image.decoding = 'async'
        image.src = address
        loading.set(address, image)
      }
      keep(PICTURES_KEPT)
    },
  }
}
