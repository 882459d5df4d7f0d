/** Where somebody is in a strip of pages, for as long as the tab is open: the address says the page, and not how far down in it. */

import type { Anchor } from './webtoon-anchor.ts'

const KEY = 'vitrine.strip'

interface StripPlace {
  /** In the address. */
  page: number
  anchor: Anchor
}

/** Of the strip that was read last. */
export const keepStripPlace = (place: StripPlace): void => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ path: location.pathname, ...place }))
  } catch {
    // Without storage a page begins at its top.
  }
}

/** What was read to its end begins anew. */
export const forgetStripPlace = (): void => {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Without storage there is none.
  }
}

/** Of this page of this volume. */
export const stripPlaceAt = (page: number): Anchor | undefined => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return kept.path === location.pathname && kept.page === page ? kept.anchor : undefined
  } catch {
    return undefined
  }
}
