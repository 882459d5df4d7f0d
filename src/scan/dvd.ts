/** What is on a disc. Each title set of a DVD is one film in pieces of a gigabyte. */

import { isBluRayStream, titleSetOf } from '../domain/dvd-name.ts'
import { compareNatural } from '../domain/natural-sort.ts'
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

/** Of a series several are as large: its episodes, one after the other. What is far smaller are extras. */
export const discEpisodesOf = (files: readonly FileEntry[]): FileEntry[] => {
  const titles = [...titleSetsOf(files), ...streamsOf(files).map((stream) => [stream])]
  const least = Math.max(...titles.map(sumOfSizes)) / 2
  return titles.filter((title) => sumOfSizes(title) >= least).flat()
}
