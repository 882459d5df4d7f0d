/** The films on a DVD, by its title sets: each of them is one film in pieces of a gigabyte. */

import { titleSetOf } from '../domain/dvd-name.ts'
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

/** Of a series several are as large: its episodes, one after the other. What is far smaller are extras. */
export const dvdEpisodesOf = (files: readonly FileEntry[]): FileEntry[] => {
  const least = sumOfSizes(dvdTitleOf(files)) / 2
  return titleSetsOf(files)
    .filter((set) => sumOfSizes(set) >= least)
    .flat()
}
