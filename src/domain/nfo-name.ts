/**
 * What the NFO file of an item is called: one rule for the scan, which only remembers that there is one, and for the
 * refresh, which reads it. Names are compared without case, the first that exists is the one.
 * Sources: Kodi wiki, "NFO files/Movies", "…/TV shows", "…/Episodes"; Jellyfin's `MovieNfoSaver.GetMovieSavePaths`.
 */

import { stemOf } from './media-file.ts'
import { ownNamesOf } from './movie-file.ts'
import { baseNameOf, folderOf, pathIn } from './relative-path.ts'

const namesOf = (video: string): string[] => ownNamesOf(stemOf(baseNameOf(video))).map((name) => `${name}.nfo`)

/** Of the folders that a film's videos lie in no more are looked into: so many versions has nobody. */
const MAX_FOLDERS = 16

/** The NFO file of a film in a folder of this path and name: that of a disc, the film's, the video's, that of all its parts, the folder's. */
const pathsIn = (folder: string, name: string, video: string): string[] =>
  ['VIDEO_TS/VIDEO_TS.nfo', 'BDMV/index.nfo', 'movie.nfo', ...namesOf(video), `${name}.nfo`].map((path) => pathIn(folder, path))

/** The folders on the way to a file, the one that it lies in first. */
const foldersTo = (path: string): string[] => {
  const folder = folderOf(path)
  return folder === '' ? [] : [folder, ...foldersTo(folder)]
}

/**
 * Paths relative to the film's folder: those of discs, then `movie.nfo` (one folder is one film here, so it can mean
 * no other), then those named after the video or the folder. `videos` are the film's own, the main one first, relative to
 * its folder too. What lies in folders of its own (`Film (2020)/Film.2020.1080p/film.mkv`) may have its NFO there.
 */
export const movieNfoPaths = ({ folderName, videos }: { folderName: string; videos: readonly string[] }): string[] => {
  const videoByFolder = new Map(videos.toReversed().flatMap((video) => foldersTo(video).map((folder) => [folder, video] as const)))
  const folders = [...new Set(videos.flatMap(foldersTo))].slice(0, MAX_FOLDERS)
  return [
    ...pathsIn('', folderName, videos[0] ?? ''),
    ...folders.flatMap((folder) => pathsIn(folder, baseNameOf(folder), videoByFolder.get(folder) ?? '')),
  ]
}

/** Relative to the series' folder. */
export const SERIES_NFO_PATHS: readonly string[] = ['tvshow.nfo']

/** Relative to the folder that the episode's file lies in. */
export const episodeNfoPaths = (fileName: string): string[] => namesOf(fileName)
