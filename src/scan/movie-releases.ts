/** The videos of one film as releases: versions of it, each one file or several parts. The best comes first. */

import { isDvdVideo } from '../domain/dvd-name.ts'
import { stemOf } from '../domain/media-file.ts'
import { findPartName, fitOfName, type PartName, resolutionOfName, versionLabel } from '../domain/movie-file.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import { dvdTitleOf } from './dvd.ts'
import { type FileEntry, type FolderEntry, filesBelow } from './folder-tree.ts'
import { subfolder, sumOfSizes } from './item.ts'

export interface Release {
  /** In playing order. */
  files: FileEntry[]
  /** "Part 1" and so on, one for each file; empty for a single file. */
  partLabels: string[]
  /** How to call this version; null where nothing tells it from others. */
  label: string | null
  /** Files that belong to it and are not to be listed: the menus of a disc. */
  hidden: FileEntry[]
}

interface Part {
  file: FileEntry
  number: number
  label: string
}

const partOf = (file: FileEntry, { word, number }: PartName): Part => ({ file, number, label: `${word} ${number}` })

/** Each group in no order; `singles` are all other files. */
export const groupParts = (files: readonly FileEntry[]): { groups: Part[][]; singles: FileEntry[] } => {
  const byGroup = new Map<string, Part[]>()
  for (const file of files) {
    const part = findPartName(stemOf(file.name))
    if (part) byGroup.getOrInsertComputed(part.group, () => []).push(partOf(file, part))
  }
  // Equal numbers are versions of one part, not parts of one film.
  const groups = [...byGroup.values()].filter(
    (parts) => parts.length > 1 && new Set(parts.map((part) => part.number)).size === parts.length,
  )
  const grouped = new Set(groups.flat().map((part) => part.file))
  return { groups, singles: files.filter((file) => !grouped.has(file)) }
}

const releaseOfParts = (parts: readonly Part[], label: string | null): Release => {
  const ordered = parts.toSorted((a, b) => a.number - b.number)
  return { files: ordered.map((part) => part.file), partLabels: ordered.map((part) => part.label), label, hidden: [] }
}

/** The name of a part without the word that makes it one. */
const nameAround = (stem: string): string => findPartName(stem)?.name ?? stem

/**
 * Best first: the name of the folder itself, then names that begin with it, then any other; then the resolution, high
 * to low; then one file before parts of that very name, which may be the films that follow it; then the label, A to Z
 * (Jellyfin's order), but the larger file where the name tells nothing.
 */
const compareReleases =
  (folderName: string) =>
  (a: Release, b: Release): number => {
    const [stemA, stemB] = [a, b].map((release) => nameAround(stemOf(release.files[0]?.name ?? '')))
    const fitA = fitOfName(stemA ?? '', folderName)
    const fitB = fitOfName(stemB ?? '', folderName)
    const byWhole = fitA === 2 ? Number(a.partLabels.length > 0) - Number(b.partLabels.length > 0) : 0
    const bySize = fitA === 0 ? sumOfSizes(b.files) - sumOfSizes(a.files) : 0
    return (
      fitB - fitA ||
      resolutionOfName(b.label ?? '') - resolutionOfName(a.label ?? '') ||
      byWhole ||
      bySize ||
      compareNatural(a.label ?? '', b.label ?? '') ||
      compareNatural(stemA ?? '', stemB ?? '')
    )
  }

/** Versions of one film, from wherever they are. */
export const inOrder = (releases: readonly Release[], folderName: string): Release[] => releases.toSorted(compareReleases(folderName))

/** The videos as releases of the film whose folder has this name, the best first; nothing is left out. */
export const releasesOf = (videos: readonly FileEntry[], folderName: string): Release[] => {
  const { groups, singles } = groupParts(videos)
  const ofParts = groups.map((parts) => releaseOfParts(parts, versionLabel(nameAround(stemOf(parts[0]?.file.name ?? '')), folderName)))
  const ofSingles = singles.map((file) => ({
    files: [file],
    partLabels: [],
    label: versionLabel(stemOf(file.name), folderName),
    hidden: [],
  }))
  return inOrder([...ofParts, ...ofSingles], folderName)
}

/** `Dune Part One` beside `Dune Part Two` are two films of a collection, so of folders only the forms of Kodi and Jellyfin count. */
const PART_FOLDER = /(?:cd|dvd|part|pt|dis[ck])[ _.-]*(?:\d{1,2}|[a-d])(?![\p{L}\d])/iu

/** `BD1`, `Blu-ray 2`, `D1`; but `BD 25` and `BD 50` are sizes of one disc, and `BluRay.5.1` has sound. */
const DISC_NUMBER = /(?<![\p{L}\d])(?:bd|blu-?ray|^d)(?=[ _.-]*\d(?![\p{L}\d]|\.\d))/iu

/** The part of a film that a folder holds by its name. */
export const partOfFolder = (name: string): PartName | undefined => {
  const plain = name.replace(DISC_NUMBER, 'Disc')
  return PART_FOLDER.test(plain) ? findPartName(plain) : undefined
}

/**
 * `CD1/film.avi`, `CD2/film.avi`: every one of the folders with a video is a part of the same film. A `D1` or `BD1` may be of
 * anything: its name counts around discs and files of one name alone.
 */
export const partFoldersOf = (folders: readonly FolderEntry[], videosOf: (folder: FolderEntry) => FileEntry[]): Release[] => {
  const holders = folders.flatMap((child) => {
    const disc = discReleaseOf(child)
    const files = disc?.files ?? videosOf(child)
    const part = partOfFolder(child.name)
    const isSure = disc !== undefined || PART_FOLDER.test(child.name)
    return files.length > 0 ? [{ files, part, isSure, hidden: disc?.hidden ?? [] }] : []
  })
  const parts = holders.flatMap(({ files, part }) => (part ? files.map((file) => partOf(file, part)) : []))
  const isOneFilm = new Set(holders.map(({ part }) => part?.group)).size === 1
  const names = new Set(parts.map(({ file }) => file.name.toLowerCase()))
  if (!isOneFilm || holders.some(({ part, isSure }) => !part || (!isSure && names.size > 1))) return []
  return [{ ...releaseOfParts(parts, null), hidden: holders.flatMap(({ hidden }) => hidden) }]
}

const largestOf = (files: readonly FileEntry[]): FileEntry | undefined => files.toSorted((a, b) => b.size - a.size)[0]

/** A DVD (`VIDEO_TS`, or its files directly) or a Blu-ray (`BDMV/STREAM`) is one film; undefined where there is none. */
export const discReleaseOf = (folder: FolderEntry): Release | undefined => {
  const dvd = subfolder(folder, 'VIDEO_TS')
  const dvdFiles = dvd ? dvd.files : folder.files
  const title = dvdTitleOf(dvdFiles)
  if (title.length > 0) {
    const partLabels = title.length > 1 ? title.map((_, index) => `Part ${index + 1}`) : []
    const hidden = dvdFiles.filter((file) => isDvdVideo(file.name))
    return { files: title, partLabels, label: null, hidden }
  }
  const bluRay = subfolder(folder, 'BDMV')
  if (!bluRay) return undefined
  const streams = filesBelow(bluRay).filter((file) => /\.m2ts$/i.test(file.name))
  const main = largestOf(streams)
  return main && { files: [main], partLabels: [], label: null, hidden: streams }
}
