/** The episodes in a series' folder and below it: which videos they are, where they lie, and what their names tell. */

import { isBeyondSeason, readingOf, withoutSharedLead } from '../domain/counted-through.ts'
import { episodeTitle, isDiscVideo } from '../domain/dvd-name.ts'
import { createEpisodeReader, type EpisodeName, UNNUMBERED } from '../domain/episode-name.ts'
import { findExtraName, isExtrasFolder, isExtrasOfSeason } from '../domain/extra-name.ts'
import { isVideoName, stemOf } from '../domain/media-file.ts'
import { findPartName } from '../domain/movie-file.ts'
import { parseSeasonName, seriesPrefix } from '../domain/season-name.ts'
import { bareTitle, untoldSeasons } from '../domain/untold-season.ts'
import { discEpisodesOf } from './dvd.ts'
import type { FileEntry, FolderEntry } from './folder-tree.ts'
import { groupParts } from './movie-releases.ts'

type Reader = ReturnType<typeof createEpisodeReader>

export const SPECIALS = 0

/** Where an episode lies below the series' folder. */
export interface Surroundings {
  folder: FolderEntry
  /** The season that the folder is; null for any other folder. */
  number: number | null
  /** The same where its own name tells it. */
  told: number | null
}

export interface Episode {
  file: FileEntry
  /** What is played after the file: the pieces of a disc, the other parts. */
  further: FileEntry[]
  siblings: FileEntry[]
  name: EpisodeName
  /** Null directly in the series' folder. */
  around: Surroundings | null
}

/** `S01E04 - The Trailer`: words between the number and the last one, so that it ends the episode's title. */
const TITLE_WITH_EXTRA_WORD = /\d[\s\-–]+\p{L}.*\s(?:trailer|sample)$/iu

/** `05 - Free Sample`, `Show - 06 - The Job-Interview`: a number without its season, and a title. */
const NUMBER_AND_TITLE = /(?:^|\s[-–]\s)\d{1,4}\s[-–]\s\p{L}/u

/**
 * Extras by name. Words like "-interview" may end an episode's title too, so they count only beside the episode that
 * they belong to, or in a name without numbers. `siblings`: the stems of what lies in the folder, in lower case.
 */
const isExtra = (file: FileEntry, name: EpisodeName, siblings: ReadonlySet<string>): boolean => {
  const stem = stemOf(file.name)
  const extra = findExtraName(stem)
  if (!extra) return false
  const isEpisode = name.airedAt !== null || (name.episodeNumber !== null && (name.seasonNumber !== null || NUMBER_AND_TITLE.test(stem)))
  if (!isEpisode) return true
  if (/^(?:Trailer|Sample)/.test(extra.label) && !TITLE_WITH_EXTRA_WORD.test(stem)) return true
  return siblings.has(extra.owner.toLowerCase())
}

/** Whether a name says by itself which episode of the series it is. */
export const isEpisodeName = ({ seasonNumber, episodeNumber, airedAt }: EpisodeName): boolean =>
  airedAt !== null || (seasonNumber !== null && episodeNumber !== null)

/** No season: what the reader then tells of one is in the name itself. */
const NO_SEASON = -1

/**
 * `Show.S02E07.1080p-GRP/pDdWWgcjZN5Y.mkv`: releases hide the name of the one file in their folder (Jellyfin #1758).
 * What the file's own name tells goes first. The folder of `Show.1101.1080p/Show.1101.mkv` is of this episode and no season.
 */
const withNameOfFolder = (episodes: readonly Episode[], folder: FolderEntry, read: Reader): Episode[] => {
  const [only] = episodes
  if (!only || episodes.length > 1 || only.name.seasonNumber !== null || only.name.airedAt !== null) return [...episodes]
  const name = read(folder.name, NO_SEASON)
  if (isEpisodeName(name)) return [{ ...only, name }]
  const isOfEpisode = only.around?.number === null && isBeyondSeason(name) && name.episodeNumber === only.name.episodeNumber
  return [isOfEpisode ? { ...only, around: null } : only]
}

/** All in one folder, which is a season's or not. */
const withReading = (episodes: readonly Episode[], isSeason: boolean): Episode[] => {
  const names = withoutSharedLead(episodes.map(({ name }) => name))
  const reading = readingOf(names, isSeason)
  return episodes.map((episode, index) => {
    const name = names[index] ?? episode.name
    return { ...episode, name: name.either?.[reading] ?? name }
  })
}

/**
 * `S02E03 Part 1` and `S02E03 Part 2` are one episode (Jellyfin's documentation of shows, "Multiple Parts"; its issues
 * #6493 and #8750). In `Show Part 1` the part is the episode's number.
 */
const withParts = (episodes: readonly Episode[], read: Reader): Episode[] => {
  const groups = groupParts(episodes.map(({ file }) => file)).groups.map((group) => group.toSorted((a, b) => a.number - b.number))
  const groupOf = new Map(groups.flatMap((group) => group.map(({ file }) => [file, group])))
  return episodes.flatMap((episode) => {
    const group = groupOf.get(episode.file)
    const whole = group && read(findPartName(stemOf(episode.file.name))?.name.trim() ?? '', episode.around?.told ?? null)
    if (!group || !whole || (whole.episodeNumber === null && whole.airedAt === null)) return [episode]
    const [first, ...further] = group.map(({ file }) => file)
    return first === episode.file ? [{ ...episode, further }] : []
  })
}

/** One for each disc: what its menus and pieces are called tells nothing. */
const discEpisode = (folder: FolderEntry, around: Surroundings | null, read: Reader): Episode[] => {
  const [file, ...further] = discEpisodesOf(folder.files)
  if (!file) return []
  const told = read(episodeTitle(file.path), NO_SEASON)
  // `Disc 2` says which disc it is, and not which episode.
  return [{ file, further, siblings: folder.files, name: isEpisodeName(told) ? told : UNNUMBERED, around }]
}

const isPlain = ({ name, around }: Episode): boolean =>
  around?.number !== SPECIALS && name.seasonNumber !== SPECIALS && (name.episodeNumber !== null || name.airedAt !== null)

/** A series that was made for the net has all its episodes so: `[Group] Show ONA 01`. */
const withNetSeries = (episodes: readonly Episode[]): Episode[] =>
  episodes.some(isPlain) ? [...episodes] : episodes.map((episode) => ({ ...episode, name: episode.name.alone ?? episode.name }))

/** Files that begin with the title of their season's folder (`Show 2 - 05`) do not tell a number by it. */
const readerWithin = (folder: FolderEntry, read: Reader): Reader => {
  const title = bareTitle(folder.name)
  const [prefix, own] = [seriesPrefix(title), createEpisodeReader(title)]
  return (stem, seasonNumber) => (prefix?.test(stem.normalize('NFC')) ? own : read)(stem, seasonNumber)
}

/** Of the folders in that of the series, by their names, those that are seasons though their names do not tell which. */
const findUntold = (series: FolderEntry, read: Reader): ReadonlyMap<string, number> => {
  const tells = (folder: FolderEntry) => parseSeasonName(folder.name, series.name)
  const stemsOf = ({ files }: FolderEntry): string[] =>
    files.flatMap(({ name }) => (isVideoName(name) && !findExtraName(stemOf(name)) ? [stemOf(name)] : []))
  const isFlat = stemsOf(series).some((stem) => (read(stem, null).seasonNumber ?? 1) === 1)
  const folders = series.folders.map((folder) => ({ folder, name: folder.name, number: tells(folder) }))
  const candidates = folders.filter(
    ({ folder, number }) =>
      number === null &&
      !isExtrasFolder(folder.name) &&
      !isEpisodeName(read(folder.name, NO_SEASON)) &&
      stemsOf(folder).length > 0 &&
      !folder.folders.some(tells),
  )
  const below = folders.flatMap(({ folder, number }) => (number === null && !isExtrasFolder(folder.name) ? folder.folders : []))
  const told = below.flatMap((folder) => tells(folder) ?? [])
  return untoldSeasons(
    candidates.map(({ name }) => name),
    { seriesName: series.name, folders, elsewhere: isFlat ? [1, ...told] : told },
  )
}

const collectUnless = (isAside: typeof isExtrasOfSeason, series: FolderEntry): Episode[] => {
  const readSeries = createEpisodeReader(series.name)
  const untold = findUntold(series, readSeries)
  const visit = (folder: FolderEntry, around: Surroundings | null, read: Reader): Episode[] => {
    const disc = discEpisode(folder, around, read)
    const siblings = new Set(folder.files.map(({ name }) => stemOf(name).toLowerCase()))
    const found = folder.files
      .filter((file) => isVideoName(file.name) && (disc.length === 0 || !isDiscVideo(file.path)))
      .map((file) => ({ file, further: [], siblings: folder.files, name: read(stemOf(file.name), around?.told ?? null), around }))
      .filter((episode) => !isExtra(episode.file, episode.name, siblings))
    // `Season 2 - 2011` and `Season 20 - 351 Bearings` (Jellyfin #13197) name a season and no episode of it.
    const isSeason = around?.folder === folder && around.number !== null
    const whole = withParts(withReading(found, around !== null && around.told !== null), read)
    const own = folder === series || isSeason ? whole : withNameOfFolder(whole, folder, read)
    const nested = folder.folders.flatMap((child) => {
      // `Season 1 Extras/S00E05`: what is numbered as an episode is one, and comes to its season.
      if (isAside(child.name))
        return visit(child, { folder: child, number: null, told: null }, read).filter(({ name }) => isEpisodeName(name))
      if (isExtrasFolder(child.name) && !isExtrasOfSeason(child.name)) return []
      const told = parseSeasonName(child.name, series.name)
      // `Season 1/Disc 1` is still season 1, but `Season 1/OVA` are specials; below any other folder there may be seasons yet.
      if (around && around.number !== null && (told !== SPECIALS || around.number === SPECIALS)) return visit(child, around, read)
      const number = folder === series ? (untold.get(child.name) ?? told) : told
      return visit(child, { folder: child, number, told }, number === told ? read : readerWithin(child, read))
    })
    return [...own, ...disc, ...nested]
  }
  return withNetSeries(visit(series, null, readSeries))
}

/** Where there is nothing but `Season 1 Bonus`, that is the season. */
export const collectEpisodes = (series: FolderEntry): Episode[] => {
  const episodes = collectUnless(isExtrasOfSeason, series)
  return episodes.length > 0 ? episodes : collectUnless(() => false, series)
}
