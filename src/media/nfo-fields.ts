/**
 * The tags of an NFO file as the fields of an item. Sources: Kodi wiki, "NFO files/Movies", "…/TV shows", "…/Episodes";
 * Jellyfin's `BaseNfoParser` and `EpisodeNfoParser` (spellings, dates, runtimes, split genres), as FEATURES.md 1.5 has them.
 * Of a tag that stands several times the last one that says something counts, genres apart.
 */

import type { NfoEpisode, NfoFields } from '../domain/nfo.ts'
import type { NfoValue } from './nfo-blocks.ts'

const MAX_TITLE_CHARACTERS = 500
const MAX_PLOT_CHARACTERS = 20_000
const MAX_GENRE_CHARACTERS = 100
const MAX_GENRES = 50
/** Jellyfin takes no earlier year: there was no film. */
const FIRST_YEAR = 1851
const LAST_YEAR = 2999
const BEST_RATING = 10
/** A week: longer runtimes are slips of the pen, or seconds. */
const MAX_RUNTIME_MINUTES = 10_080

const TITLE_TAGS = ['title', 'name', 'localtitle']
const PLOT_TAGS = ['plot', 'biography', 'review']
/** `communityrating` is Emby's and Jellyfin's own word for it. */
const RATING_TAGS = ['rating', 'ratings/rating/value', 'communityrating']
const SECONDS_TAG = 'fileinfo/streamdetails/video/durationinseconds'
/** The first with a date counts. Kodi writes the day of the series' first episode into each episode, as `premiered`. */
const DATE_TAGS = ['aired', 'premiered', 'releasedate', 'formed']

/** The paths that `fieldsOf` and `episodeOf` read. */
export const NFO_PATHS: ReadonlySet<string> = new Set([
  ...TITLE_TAGS,
  ...PLOT_TAGS,
  ...RATING_TAGS,
  ...DATE_TAGS,
  ...[SECONDS_TAG, 'sorttitle', 'outline', 'year', 'runtime', 'genre', 'season', 'episode'],
])

/** Cuts between characters, never within one. */
const cut = (text: string, length: number): string => (text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, ''))

const lineOf = (text: string, length: number): string => cut(text.replace(/\s+/g, ' ').trim(), length).trimEnd()

/** Paragraphs stay, the indentation of the file does not. */
const paragraphsOf = (text: string): string => {
  const lines = text.split(/\r\n?|\n/).map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
  return cut(
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    MAX_PLOT_CHARACTERS,
  ).trimEnd()
}

const lastOf = (values: readonly NfoValue[], tags: readonly string[], read: (text: string) => string): string | null =>
  values
    .filter(({ path }) => tags.includes(path))
    .map(({ text }) => read(text))
    .findLast((text) => text !== '') ?? null

const titleIn = (values: readonly NfoValue[], tags: readonly string[]): string | null =>
  lastOf(values, tags, (text) => lineOf(text, MAX_TITLE_CHARACTERS))

const plotOf = (values: readonly NfoValue[]): string | null =>
  lastOf(values, PLOT_TAGS, paragraphsOf) ?? lastOf(values, ['outline'], paragraphsOf)

const isYear = (year: number): boolean => year >= FIRST_YEAR && year <= LAST_YEAR

const DATE = /^\s*(\d{4})-(\d{2})-(\d{2})(?!\d)/

const dateOf = (text: string): string | null => {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (!year || !month || !day || !isYear(Number(year))) return null
  const date = `${year}-${month}-${day}`
  const time = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date) ? date : null
}

const airedAtOf = (values: readonly NfoValue[]): string | null =>
  DATE_TAGS.map((tag) => lastOf(values, [tag], (text) => dateOf(text) ?? '')).find((date) => date !== null) ?? null

/** `premiered` may be a year alone. */
const yearOf = (values: readonly NfoValue[]): number | null => {
  const read = (text: string): string => {
    const [, year = ''] = /^\s*(\d{4})(?!\d)/.exec(text) ?? []
    return isYear(Number(year)) ? year : ''
  }
  const own = lastOf(values, ['year'], (text) => (/^\s*\d{4}\s*$/.test(text) ? read(text) : ''))
  const year = own ?? DATE_TAGS.map((tag) => lastOf(values, [tag], read)).find((found) => found !== null)
  return year ? Number(year) : null
}

/** `120`, `120 min`, `1h 30min`; else what the video's stream takes, which is all that Sonarr writes. */
const runtimeOf = (values: readonly NfoValue[]): number | null => {
  const read = (text: string): string => {
    const [, hours, rest = '0'] = /^\s*(\d{1,3})\s*h(?:ours?|rs?)?\.?\s*(?:(\d{1,2})(?!\d))?/i.exec(text) ?? []
    const [, plain] = /^\s*(\d{1,5})(?![\d:,.])/.exec(text) ?? []
    const minutes = hours ? Number(hours) * 60 + Number(rest) : Number(plain ?? 0)
    return minutes > 0 && minutes <= MAX_RUNTIME_MINUTES ? String(minutes) : ''
  }
  const inSeconds = (text: string): string => (/^\s*\d{1,6}\s*$/.test(text) ? read(String(Math.round(Number(text) / 60))) : '')
  const minutes = lastOf(values, ['runtime'], read) ?? lastOf(values, [SECONDS_TAG], inSeconds)
  return minutes === null ? null : Number(minutes)
}

const NUMBER = /^\s*(\d{1,4}(?:[.,]\d{1,12})?)\s*(?:\/\s*(\d{1,4})\s*)?$/

/** On a scale of ten; `max` names another one. Null for what is no number on its scale. */
const ratingOf = ({ text, max }: NfoValue): number | null => {
  const [, digits, outOf] = NUMBER.exec(text) ?? []
  if (digits === undefined) return null
  const scale = Number(outOf ?? max ?? BEST_RATING)
  const value = Number(digits.replace(',', '.'))
  const rating = scale === BEST_RATING ? value : (value * BEST_RATING) / scale
  return scale > 0 && rating <= BEST_RATING ? rating : null
}

/** Rotten Tomatoes counts critics who liked it, which is no rating (Jellyfin keeps it apart, too). */
const isOfCritics = ({ name = '' }: NfoValue): boolean => /tomato/i.test(name) && !/audience/i.test(name)

/** The rating that is marked as default, else the one outside of `ratings`, else the first in it. */
const bestRatingOf = (values: readonly NfoValue[]): number | null => {
  const rated = values.filter(({ path }) => RATING_TAGS.includes(path)).map((value) => ({ value, rating: ratingOf(value) }))
  const sound = rated.filter(({ rating }) => rating !== null)
  const inList = sound.filter(({ value }) => value.path !== 'rating')
  const byDefault = inList.find(({ value }) => value.default?.toLowerCase() === 'true')
  const chosen =
    byDefault ?? sound.findLast(({ value }) => value.path === 'rating') ?? inList.find(({ value }) => !isOfCritics(value)) ?? inList[0]
  return chosen?.rating ?? null
}

const genresOf = (values: readonly NfoValue[]): string[] => {
  const names = values
    .filter(({ path }) => path === 'genre')
    .flatMap(({ text }) => text.split(/\s\/\s/))
    .map((name) => lineOf(name, MAX_GENRE_CHARACTERS))
    .filter((name) => name !== '')
  const byKey = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]))
  return [...new Set(names.map((name) => byKey.get(name.toLowerCase()) ?? name))].slice(0, MAX_GENRES)
}

/** Titles are text whatever they look like: `1917`, `007`, `1e5`. */
export const fieldsOf = (values: readonly NfoValue[]): NfoFields => ({
  title: titleIn(values, TITLE_TAGS),
  sortTitle: titleIn(values, ['sorttitle']),
  plot: plotOf(values),
  year: yearOf(values),
  rating: bestRatingOf(values),
  genres: genresOf(values),
  runtimeMinutes: runtimeOf(values),
  airedAt: airedAtOf(values),
})

const integerOf = (values: readonly NfoValue[], tag: string): number | null => {
  const digits = lastOf(values, [tag], (text) => /^\s*(\d{1,6})\s*$/.exec(text)?.[1] ?? '')
  return digits === null ? null : Number(digits)
}

export const episodeOf = (values: readonly NfoValue[]): NfoEpisode => ({
  seasonNumber: integerOf(values, 'season'),
  episodeNumber: integerOf(values, 'episode'),
  fields: fieldsOf(values),
})
