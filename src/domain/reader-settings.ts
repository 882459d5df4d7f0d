/** How manga is read (UI.md, 1.4): what a person prefers, and what they have chosen for one series. */

export const READING_DIRECTIONS = ['ltr', 'rtl', 'vertical', 'webtoon'] as const
/** One page at a time to the right or the left or down, or all of them below each other. */
export type ReadingDirection = (typeof READING_DIRECTIONS)[number]

/** `auto` follows the volume: right to left for manga that does not say. */
export const READER_MODES = ['auto', 'rtl', 'ltr', 'vertical', 'webtoon'] as const
export const READER_FITS = ['screen', 'width', 'height', 'original'] as const
export const READER_BACKGROUNDS = ['black', 'grey', 'white'] as const
/** `auto` is sides where pages lie side by side, and the L-shape where they lie below each other. */
export const READER_TAP_ZONES = ['auto', 'sides', 'l-shape', 'kindle', 'edge', 'off'] as const
/** Percent of the width, on each side of a webtoon. */
export const MAX_SIDE_PADDING = 40

export interface ReaderSettings {
  mode: (typeof READER_MODES)[number]
  fit: (typeof READER_FITS)[number]
  background: (typeof READER_BACKGROUNDS)[number]
  tapZones: (typeof READER_TAP_ZONES)[number]
  /** What turns on turns back, and the other way round. */
  invertTaps: boolean
  /** Two pages side by side, where the window is wider than high. */
  doublePage: boolean
  /** In double pages the first page stands alone. */
  coverAlone: boolean
  sidePadding: number
}

export const DEFAULT_READER_SETTINGS: Readonly<ReaderSettings> = {
  mode: 'auto',
  fit: 'screen',
  background: 'black',
  tapZones: 'auto',
  invertTaps: false,
  doublePage: false,
  coverAlone: true,
  sidePadding: 0,
}
