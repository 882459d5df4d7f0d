/** What each person sets for themselves (API.md, 3), and what holds until they do. */

export const THEMES = ['dark', 'light', 'system'] as const
/** `auto` follows the volume: right to left for manga that does not say. */
export const READER_MODES = ['auto', 'rtl', 'ltr', 'vertical', 'webtoon'] as const
export const GRID_SIZES = ['small', 'medium', 'large'] as const
/** The orders of `sort` in browsing that make sense for every library; levels with numbers keep their own default. */
export const DEFAULT_SORTS = ['title', 'added', 'updated', 'year', 'rating', 'size', 'random'] as const

export interface UserSettings {
  theme: (typeof THEMES)[number]
  /** Of the interface: a BCP 47 tag; `auto` is the browser's. */
  language: string
  autoplayNext: boolean
  /** A BCP 47 tag; null starts without subtitles. */
  subtitleLanguage: string | null
  readerMode: (typeof READER_MODES)[number]
  gridSize: (typeof GRID_SIZES)[number]
  defaultSort: (typeof DEFAULT_SORTS)[number]
  /** Whether videos in scroll-through start without sound. */
  scrollMuted: boolean
  /** The language that AI translations are asked for; null takes the library's. */
  translationTarget: string | null
}

export const DEFAULT_USER_SETTINGS: Readonly<UserSettings> = {
  theme: 'dark',
  language: 'auto',
  autoplayNext: true,
  subtitleLanguage: null,
  readerMode: 'auto',
  gridSize: 'medium',
  defaultSort: 'title',
  scrollMuted: true,
  translationTarget: null,
}
