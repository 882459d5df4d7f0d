/**
 * Which season a folder is whose name tells none, by the names beside it: `Frieren` beside `Season 2` is the first one, and
 * in `Overlord II` the numeral goes on from `Overlord`. Anime has its first season without a number, and groups name their
 * folders so (`[VCB-Studio] Title [Ma10p_1080p]` beside `[VCB-Studio] Title S2 [Ma10p_1080p]`).
 */

import { wordNumber } from './written-number.ts'

const BRACKETED = /[[({【（][^\])}】）]*[\])}】）]/gu
/** `Title - 01-28`: what is in it. */
const SPAN = /\s[-–]\s\d{1,4}\s?[-~]\s?\d{1,4}$/
/** `Title S2`, `Title 2nd Season`. */
const TOLD = /[\s-]+(?:s\d{1,2}|season \d{1,2}|\d{1,2}(?:st|nd|rd|th) season)$/
const UNTOLD = /^(.+?)[\s-]+(ii|iii|iv|v|vi|vii|viii|ix|x|[2-9])$/
/** Films and pieces are numbered too. */
const NO_SEASON =
  /(?<!\p{L})(?:movies?|films?|ova|oad|ona|sps?|specials?|extras?|bonus|parts?|dis[ck]s?|cds?|dvds?|volumes?|vol)(?!\p{L})/iu

/** The title that a name has without its group, and all else that stands in brackets. */
export const bareTitle = (name: string): string =>
  name
    .normalize('NFC')
    .replace(BRACKETED, ' ')
    .replace(/[\s._]+/g, ' ')
    .trim()
    .replace(SPAN, '')
    .toLowerCase()

interface Folder {
  name: string
  /** The season that the name tells. */
  number: number | null
}

interface Beside {
  seriesName: string
  /** All folders that lie in that of the series. */
  folders: readonly Folder[]
  /** The seasons that lie elsewhere: in the series' folder itself, or further below. */
  elsewhere: readonly number[]
}

/** The seasons of the `candidates` by their names. None gets one that another folder may have as well. */
export const untoldSeasons = (candidates: readonly string[], { seriesName, folders, elsewhere }: Beside): Map<string, number> => {
  const bare = candidates.filter((name) => !NO_SEASON.test(name)).map((name) => ({ name, title: bareTitle(name) }))
  const numerals = bare.flatMap(({ name, title }) => {
    const [, base, numeral] = UNTOLD.exec(title) ?? []
    return base && numeral ? [{ name, base, numeral, number: /\d/.test(numeral) ? Number(numeral) : wordNumber(numeral) }] : []
  })
  const told = folders.filter(({ number }) => number !== null).map(({ name }) => bareTitle(name))
  const titles = new Set([bareTitle(seriesName), ...told.map((title) => title.replace(TOLD, ''))])
  for (const { base } of numerals) if (bare.some(({ title }) => title === base)) titles.add(base)

  const claims = new Map<number, string[]>()
  const claim = (number: number, name: string) => claims.set(number, [...(claims.get(number) ?? []), name])
  for (const { name, title } of bare) if (titles.has(title)) claim(1, name)
  for (const { name, base, number } of numerals) if (titles.has(base)) claim(number, name)

  const taken = new Set([...folders.map(({ number }) => number), ...elsewhere])
  const seasons = new Map<string, number>()
  for (const [number, [name, ...others]] of [...claims].sort(([a], [b]) => a - b)) {
    if (name === undefined || others.length > 0 || taken.has(number)) continue
    // `Macross 7` is another show, and so may be a single letter: only what goes on from one that is there.
    const { numeral = '' } = numerals.find((claimed) => claimed.name === name) ?? {}
    if (/^[\dvx]$/.test(numeral) && !titles.has(bareTitle(name)) && !taken.has(number - 1)) continue
    taken.add(number)
    seasons.set(name, number)
  }
  return seasons
}
