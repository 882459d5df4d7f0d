/**
 * What the NFO file of an item is called: one rule for the scan, which only remembers that there is one, and for the
 * refresh, which reads it. Names are compared without case, the first that exists is the one.
 * Sources: Kodi wiki, "NFO files/Movies", "…/TV shows", "…/Episodes"; Jellyfin's `MovieNfoSaver.GetMovieSavePaths`.
 */

import { stemOf } from './media-file.ts'
import { findPartName } from './movie-file.ts'
import { baseNameOf, folderOf } from './relative-path.ts'

/** That of the video, and that of all its parts. */
const namesOf = (video: string): string[] => {
  const stem = stemOf(baseNameOf(video))
  const wholeName = findPartName(stem)?.name.trim()
  return [...(stem ? [`${stem}.nfo`] : []), ...(wholeName ? [`${wholeName}.nfo`] : [])]
}

/** The names beside a film's video: the film's, the video's, that of all its parts, the folder's. */
const namesBeside = (video: string, folderName: string): string[] => ['movie.nfo', ...namesOf(video), `${folderName}.nfo`]

/**
 * Paths relative to the film's folder: those of discs, then `movie.nfo` (one folder is one film here, so it can mean
 * no other), then those named after the video or the folder. `mainFile` is relative to the film's folder too; empty
 * where it is not known. A video in a folder of its own (`Film (2020)/Film.2020.1080p/film.mkv`) may have its NFO there.
 */
export const movieNfoPaths = ({ folderName, mainFile }: { folderName: string; mainFile: string }): string[] => {
  const inner = folderOf(mainFile)
  return [
    'VIDEO_TS/VIDEO_TS.nfo',
    'BDMV/index.nfo',
    ...namesBeside(mainFile, folderName),
    ...(inner === '' ? [] : namesBeside(mainFile, baseNameOf(inner)).map((name) => `${inner}/${name}`)),
  ]
}

/** Relative to the series' folder. */
export const SERIES_NFO_PATHS: readonly string[] = ['tvshow.nfo']

/** Relative to the folder that the episode's file lies in. */
export const episodeNfoPaths = (fileName: string): string[] => namesOf(fileName)
