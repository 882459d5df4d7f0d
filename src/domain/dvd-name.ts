/**
 * Files of discs. `VIDEO_TS/VTS_02_1.VOB` is the first piece of the second title set of a DVD, number 0 are menus; all that a
 * Blu-ray shows is in `BDMV/STREAM`.
 */

import { stemOf } from './media-file.ts'
import { baseNameOf, folderOf } from './relative-path.ts'

const TITLE_SET = /^VTS_(\d\d)_[1-9]\.VOB$/i
const OF_DVD = /^(?:VTS_\d\d_\d|VIDEO_TS)\.VOB$/i
const DVD_FOLDER = /^VIDEO_TS$/i
const STREAM = /(?:^|\/)BDMV\/STREAM\/[^/]+\.m2ts$/i

/** The title set that a file is a piece of; undefined for menus and for all other files. */
export const titleSetOf = (name: string): string | undefined => TITLE_SET.exec(name)?.[1]

/** Whether a file is a piece of a DVD, its menus included. */
export const isDvdVideo = (name: string): boolean => OF_DVD.test(name)

export const isBluRayStream = (path: string): boolean => STREAM.test(path)

export const isDiscVideo = (path: string): boolean => isDvdVideo(baseNameOf(path)) || isBluRayStream(path)

/** What the disc is called that this file is of: the folder that its files or their folders lie in. */
const discOf = (path: string): string => {
  const folder = folderOf(path)
  if (isBluRayStream(path)) return folderOf(folderOf(folder))
  return DVD_FOLDER.test(baseNameOf(folder)) ? folderOf(folder) : folder
}

/** What a scan calls an episode: its file without the ending, or its disc. */
export const episodeTitle = (path: string): string => (isDiscVideo(path) ? baseNameOf(discOf(path)) : stemOf(baseNameOf(path)))
