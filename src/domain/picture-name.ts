/**
 * Which picture beside an item is its cover, poster or backdrop, by name.
 * Sources: Jellyfin's local image providers and Kodi wiki "Artwork" for films and series, Komga's documentation of local
 * artwork for manga; the user's specification for games (`cover.jpg`, `widecover.jpg`).
 */

export const POSTER_NAMES = ['poster', 'folder', 'cover', 'default', 'movie'] as const
export const SERIES_POSTER_NAMES = ['poster', 'folder', 'cover', 'default', 'show'] as const
/** The last two are not meant as backdrops, and better than none. */
export const BACKDROP_NAMES = ['fanart', 'background', 'art', 'backdrop', 'fanart1', 'fanart-1', 'backdrop1', 'landscape', 'thumb'] as const
export const GAME_COVER_NAMES = ['cover', 'folder', 'poster', 'front', 'boxart', 'box'] as const
export const GAME_WIDE_COVER_NAMES = ['widecover', 'hero', 'banner', 'background', 'fanart'] as const
export const MANGA_COVER_NAMES = ['cover', 'default', 'folder', 'poster', 'series'] as const

/** Pictures of a manga folder that are no pages even where no page lies beside them. */
export const NOT_A_PAGE: ReadonlySet<string> = new Set([
  ...MANGA_COVER_NAMES,
  ...['banner', 'logo', 'clearlogo', 'fanart', 'backdrop', 'background', 'thumb', 'landscape'],
])

/** Of two pictures with the same name the earlier ending here is taken; the first is what this program writes itself. */
const PICTURE_EXTENSIONS = ['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif', 'bmp', 'tif', 'tiff', 'heic', 'heif', 'svg', 'tbn'] as const
const EXTENSION_RANK: ReadonlyMap<string, number> = new Map(PICTURE_EXTENSIONS.map((extension, rank) => [extension, rank]))

/** The place of a picture's ending in the order of preference; undefined for what is no picture. */
export const pictureRank = (extension: string): number | undefined => EXTENSION_RANK.get(extension)

/** Names of the picture of one video: `<file>`, then `<file>-poster` and the like. */
export const ownPosterNames = (stem: string): string[] => [stem, ...POSTER_NAMES.map((name) => `${stem}-${name}`)]

/** That of an episode is as wide as the video. */
export const episodePictureNames = (stem: string): string[] => [...ownPosterNames(stem), thumbName(stem)]

export const ownBackdropNames = (stem: string): string[] =>
  ['fanart', 'backdrop', 'background', 'landscape'].map((name) => `${stem}-${name}`)

/** No poster of a film, and better than no backdrop. */
export const thumbName = (stem: string): string => `${stem}-thumb`

/** `season01-poster`, `season-specials-poster`: a season's picture that lies in the series' folder (Kodi wiki, "Season artwork"). */
export const seasonPosterNames = (seasonNumber: number): string[] => {
  const padded = String(seasonNumber).padStart(2, '0')
  const words = seasonNumber === 0 ? ['season-specials', 'season00', 'season0'] : [`season${padded}`, `season${seasonNumber}`]
  return words.flatMap((word) => [`${word}-poster`, word, `${word}-folder`, `${word}-cover`])
}

export const seasonBackdropNames = (seasonNumber: number): string[] => {
  const padded = String(seasonNumber).padStart(2, '0')
  const words = seasonNumber === 0 ? ['season-specials', 'season00'] : [`season${padded}`, `season${seasonNumber}`]
  return words.flatMap((word) => [`${word}-fanart`, `${word}-landscape`])
}
