/** What each person sets for themselves (API.md, 3), and what holds until they do. */

import { DEFAULT_READER_SETTINGS, type ReaderSettings } from './reader-settings.ts'

export const THEMES = ['dark', 'light', 'system'] as const
export const GRID_SIZES = ['small', 'medium', 'large'] as const
/** The orders of `sort` in browsing that make sense for every library; levels with numbers keep their own default. */
export const DEFAULT_SORTS = ['title', 'added', 'updated', 'taken', 'year', 'rating', 'size', 'random'] as const
/** Seconds that one press of a key may skip in a video. */
export const SEEK_STEPS = [5, 10, 15, 20, 30, 60] as const

export interface UserSettings {
  theme: (typeof THEMES)[number]
  /** Of the interface: a BCP 47 tag; `auto` is the browser's. */
  language: string
  autoplayNext: boolean
  /** Seconds that the arrow keys skip. */
  seekShort: (typeof SEEK_STEPS)[number]
  /** Seconds that J, L, two taps and the system's media keys skip. */
  seekLong: (typeof SEEK_STEPS)[number]
  /** A BCP 47 tag; null starts with the sound that each file says. */
  audioLanguage: string | null
  /** A BCP 47 tag; null starts without subtitles. */
  subtitleLanguage: string | null
  readerMode: ReaderSettings['mode']
  readerFit: ReaderSettings['fit']
  readerBackground: ReaderSettings['background']
  readerTapZones: ReaderSettings['tapZones']
  readerInvertTaps: boolean
  readerDoublePage: boolean
  readerCoverAlone: boolean
  /** Percent. */
  readerSidePadding: number
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
  seekShort: 5,
  seekLong: 10,
  audioLanguage: null,
  subtitleLanguage: null,
  readerMode: DEFAULT_READER_SETTINGS.mode,
  readerFit: DEFAULT_READER_SETTINGS.fit,
  readerBackground: DEFAULT_READER_SETTINGS.background,
  readerTapZones: DEFAULT_READER_SETTINGS.tapZones,
  readerInvertTaps: DEFAULT_READER_SETTINGS.invertTaps,
  readerDoublePage: DEFAULT_READER_SETTINGS.doublePage,
  readerCoverAlone: DEFAULT_READER_SETTINGS.coverAlone,
  readerSidePadding: DEFAULT_READER_SETTINGS.sidePadding,
  gridSize: 'medium',
  defaultSort: 'title',
  scrollMuted: true,
  translationTarget: null,
}

/** How a person reads where nothing has been chosen for the series. */
export const readerDefaults = (settings: UserSettings): ReaderSettings => ({
  mode: settings.readerMode,
  fit: settings.readerFit,
  background: settings.readerBackground,
  tapZones: settings.readerTapZones,
  invertTaps: settings.readerInvertTaps,
  doublePage: settings.readerDoublePage,
  coverAlone: settings.readerCoverAlone,
  sidePadding: settings.readerSidePadding,
})
