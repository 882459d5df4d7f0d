/** What is on a disc. Each title set of a DVD is one film in pieces of a gigabyte. */

import { isBluRayStream, isDvdVideo, titleSetOf } from '../domain/dvd-name.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import { folderOf } from '../domain/relative-path.ts'
import type { FileEntry } from './folder-tree.ts'
import { sumOfSizes } from './item.ts'

/** In the order of their numbers, each in playing order; menus are none. */
const titleSetsOf = (files: readonly FileEntry[]): FileEntry[][] => {
  const bySet = new Map<string, FileEntry[]>()
  for (const file of files.toSorted((a, b) => compareNatural(a.name, b.name))) {
    const set = titleSetOf(file.name)
    if (set) bySet.getOrInsertComputed(set, () => []).push(file)
  }
  return [...bySet.values()]
}

/** The title set with the most bytes is the film; the others are extras of the disc. */
export const dvdTitleOf = (files: readonly FileEntry[]): FileEntry[] => {
  const [title = []] = titleSetsOf(files).toSorted((a, b) => sumOfSizes(b) - sumOfSizes(a))
  return title
}

const streamsOf = (files: readonly FileEntry[]): FileEntry[] =>
  files.filter((file) => isBluRayStream(file.path)).toSorted((a, b) => compareNatural(a.name, b.name))

/** What is smaller than so much of the largest on a disc: of it, an extra; and of a Blu-ray no extra either, but a logo or a menu. */
const EXTRA_SHARE = 1 / 8
const MENU_SHARE = 1 / 50

/**
 * Of a series several are as large: its episodes, one after the other. One may be much longer, and of what is half as large as
 * most are, the rest are extras.
 */
export const discEpisodesOf = (files: readonly FileEntry[]): FileEntry[] => {
  const titles = [...titleSetsOf(files), ...streamsOf(files).map((stream) => [stream])]
  const sizes = titles.map(sumOfSizes).toSorted((a, b) => b - a)
  const large = sizes.filter((size) => size >= (sizes[0] ?? 0) * EXTRA_SHARE)
  const least = (large[Math.floor(large.length / 2)] ?? 0) / 2
  return titles.filter((title) => sumOfSizes(title) >= least).flat()
}

/** Of files from anywhere, what is not worth a name where the episodes are listed: what else is on a DVD, and menus of a Blu-ray. */
export const hiddenOnDiscs = (files: readonly FileEntry[]): FileEntry[] => {
  const discs = Map.groupBy(streamsOf(files), ({ path }) => folderOf(path)).values()
  const menus = discs.flatMap((streams) => {
    const least = Math.max(...streams.map(({ size }) => size)) * MENU_SHARE
    return streams.filter(({ size }) => size < least)
  })
  return [...files.filter(({ name }) => isDvdVideo(name)), ...menus]
}
