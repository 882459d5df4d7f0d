/** What an NFO file says of an item, once it is read. The tags behind the fields: `media/nfo-fields.ts`. */

import type { ItemType } from './item-type.ts'

/** The types whose metadata an NFO file may hold, and the root element of each (Kodi wiki, "NFO files"). */
export const NFO_ROOTS = { movie: 'movie', tv_series: 'tvshow', tv_episode: 'episodedetails' } as const satisfies Partial<
  Record<ItemType, string>
>
export type NfoItemType = keyof typeof NFO_ROOTS
export type NfoRoot = (typeof NFO_ROOTS)[NfoItemType]

/** The time of a refresh by the oldest version, which kept its title and nothing else of it. */
export const UNKNOWN_REFRESH = 0

export const hasNfo = (itemType: ItemType): itemType is NfoItemType => itemType in NFO_ROOTS

/** Every field that a refresh replaces; null, or no genre, where the file does not say. */
export interface NfoFields {
  title: string | null
  /** What the title is to be ordered as: `sorttitle`. */
  sortTitle: string | null
  plot: string | null
  /** 1851..2999 */
  year: number | null
  /** 0..10 */
  rating: number | null
  genres: string[]
  runtimeMinutes: number | null
  /** `YYYY-MM-DD` */
  airedAt: string | null
}

/** What the name of an episode's file tells: it alone decides which part of an NFO file is the episode's. */
export interface EpisodeNumbers {
  seasonNumber: number | null
  episodeNumber: number | null
  /** The last one of a file with several episodes. */
  episodeNumberEnd: number | null
}

/** One `<episodedetails>`, with the numbers that it gives itself. */
export interface NfoEpisode {
  seasonNumber: number | null
  episodeNumber: number | null
  fields: NfoFields
}

/** Between the titles, and the plots, of a file with several episodes (Jellyfin's `EpisodeNfoParser`). */
const JOINT = ' / '

const joined = (texts: readonly (string | null)[]): string | null => [...new Set(texts.filter((text) => text !== null))].join(JOINT) || null

const isOneOf = (numbers: EpisodeNumbers, { seasonNumber, episodeNumber }: NfoEpisode): boolean => {
  const first = numbers.episodeNumber
  if (first === null || episodeNumber === null) return false
  const isSeason = seasonNumber === null || numbers.seasonNumber === null || seasonNumber === numbers.seasonNumber
  return isSeason && episodeNumber >= first && episodeNumber <= (numbers.episodeNumberEnd ?? first)
}

/**
 * The fields of the episodes that are in the item's file. A file with one `<episodedetails>` means that episode,
 * whatever number it gives: the name decides (Kodi wiki, "in all cases"). Of several those count whose numbers the file's
 * name gives; undefined where there is none of them.
 */
export const fieldsOfEpisode = (episodes: readonly NfoEpisode[], numbers: EpisodeNumbers): NfoFields | undefined => {
  const own = episodes.length === 1 ? episodes : episodes.filter((episode) => isOneOf(numbers, episode))
  const ordered = own.toSorted((a, b) => (a.episodeNumber ?? 0) - (b.episodeNumber ?? 0))
  const [first] = ordered
  if (!first) return undefined
  if (ordered.length === 1) return first.fields
  return {
    ...first.fields,
    title: joined(ordered.map(({ fields }) => fields.title)),
    plot: joined(ordered.map(({ fields }) => fields.plot)),
  }
}
