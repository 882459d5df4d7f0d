/**
 * Whether what lies in a series' folder is several series that somebody has put there: `Kids/Bluey (2018)/Season 01` beside
 * `Kids/Peppa Pig (2004)/Season 01`. Scans take a top-level folder for one series, and warn; a deletion must not take all of
 * them at once, as with films (other-film.ts).
 */

import { isExtrasFolder } from './extra-name.ts'
import { parseLanguage } from './language-code.ts'
import { isVersionName, versionLabel } from './movie-file.ts'
import { bracketedYearOf } from './name-year.ts'
import { baseNameOf } from './relative-path.ts'
import { parseSeasonName } from './season-name.ts'

const SOUND = /^(?:dub|sub|dubbed|subbed|raws?|dual|audio|uncensored|censored)$/i

/** `1080p`, `Show [4K]`, `German Dub`: the same series once more. */
const isVersion = (name: string, seriesName: string): boolean => {
  const words = versionLabel(name, seriesName)?.match(/[\p{L}\p{N}+]+/gu) ?? []
  return words.every((word) => isVersionName(word) || SOUND.test(word) || parseLanguage(word) !== null)
}

/** The folder that a season lies in, and its number; undefined for what lies in no season, or in one of the series' own. */
const seasonAbove = (path: string, seriesName: string): { show: string; number: number } | undefined => {
  const folders = path.split('/')
  if (folders.length === 1) return undefined
  for (const [index, folder] of folders.entries()) {
    if (isExtrasFolder(folder)) return undefined
    const number = parseSeasonName(folder, folders[index - 1] ?? seriesName)
    if (number) return index === 0 ? undefined : { show: folders.slice(0, index).join('/'), number }
  }
  return undefined
}

/** All versions of the series are one, unless their years tell them apart: `Doctor Who (1963)`, `Doctor Who (2005)`. */
const areSeveral = (shows: readonly string[], seriesName: string): boolean => {
  const versions = shows.map(baseNameOf).filter((name) => isVersion(name, seriesName))
  const years = new Set(versions.flatMap((name) => bracketedYearOf(name) ?? bracketedYearOf(seriesName) ?? []))
  return shows.length - versions.length + Math.max(years.size, Math.min(versions.length, 1)) > 1
}

/**
 * The folders of these series, where there are two or more with the same season. `folders`: those with videos in them,
 * relative to the folder of the series.
 */
export const nestedSeries = (folders: readonly string[], seriesName: string): string[] => {
  const showsByNumber = new Map<number, Set<string>>()
  for (const folder of folders) {
    const season = seasonAbove(folder, seriesName)
    if (season) showsByNumber.set(season.number, (showsByNumber.get(season.number) ?? new Set()).add(season.show))
  }
  return [...new Set([...showsByNumber.values()].flatMap((shows) => (areSeveral([...shows], seriesName) ? [...shows] : [])))]
}
