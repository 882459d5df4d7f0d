/**
 * A top-level folder of a manga library as a series and its volumes. The folder is the series, whatever the names in it
 * say (Komga's model); an archive is a volume, and so is a folder with pages in it (Kavita; asked of Komga in #709,
 * #867, #1154 and #1950). Pages directly in the series' folder make it its own volume (the contract).
 */

import { createMangaReader, type MangaName, NO_NUMBERS, withinFolder } from '../domain/manga-name.ts'
import { inReadingOrder } from '../domain/manga-order.ts'
import { extensionOf, isPictureName, mediaTypeOf, stemOf } from '../domain/media-file.ts'
import { bracketedYearOf } from '../domain/name-year.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import { MANGA_COVER_NAMES, NOT_A_PAGE } from '../domain/picture-name.ts'
import type { ScannedItem } from '../domain/scanned-item.ts'
import { identityOf, versionOf } from './entry-hash.ts'
import { type FileEntry, type FolderEntry, filesBelow, type Warn } from './folder-tree.ts'
import { artworkOf, findPicture, newItem, sumOfSizes, thumbnailOf } from './item.ts'

/** Listed, so that nobody looks for them in vain; nothing here reads them (media/archive-pages.ts). */
const UNREAD_ARCHIVES: ReadonlySet<string> = new Set(['cb7', '7z', 'cbt', 'cba'])
const ARCHIVES: ReadonlySet<string> = new Set(['cbz', 'zip', 'cbr', 'rar', ...UNREAD_ARCHIVES])

export const isMangaArchiveName = (name: string): boolean => ARCHIVES.has(extensionOf(name))

const archivesOf = (folder: FolderEntry): FileEntry[] => folder.files.filter((file) => isMangaArchiveName(file.name))

const lowerStemOf = (file: FileEntry): string => stemOf(file.name).toLowerCase()

/** `v01.jpg`, `v01-1.jpg` (Komga) and `v01-cover.jpg` beside `v01.cbz` are that volume's covers. */
const COUNT = /-\d+$/
const COVER = /-cover$/

/**
 * Covers of a series whose volumes are archives: `S.jpg` in the folder `S`, `front.jpg`, `back-cover.jpg`. `S-2.jpg` is one beside `S.jpg`
 * where there are no more of them than archives, as pages have such names, too.
 */
const seriesCovers = (folder: FolderEntry, pictures: readonly FileEntry[], archives: ReadonlySet<string>): ReadonlySet<FileEntry> => {
  const series = folder.name.toLowerCase()
  const names = new Set(archives.size > 0 ? [series, 'front', 'back'] : [])
  const own = pictures.filter((file) => names.has(lowerStemOf(file).replace(COVER, '')))
  const counted = pictures.filter((file) => COUNT.test(lowerStemOf(file)) && lowerStemOf(file).replace(COUNT, '') === series)
  const areCovers = counted.length <= archives.size && own.some((file) => lowerStemOf(file) === series)
  return new Set([...own, ...(areCovers ? counted : [])])
}

/** The pages in a folder: its pictures but for the covers of the archives beside them, unless all of those are covers and the like. */
const pagesOf = (folder: FolderEntry): FileEntry[] => {
  const archives = new Set(archivesOf(folder).map(lowerStemOf))
  const isOfArchive = (stem: string): boolean => [COUNT, COVER, ''].some((mark) => archives.has(stem.replace(mark, '')))
  const pictures = folder.files.filter((file) => isPictureName(file.name) && !isOfArchive(lowerStemOf(file)))
  const covers = seriesCovers(folder, pictures, archives)
  return pictures.every((file) => NOT_A_PAGE.has(lowerStemOf(file)) || covers.has(file)) ? [] : pictures
}

/** An image folder has no bytes of its own: its version follows from its first page and the sum of all. */
const versionOfPages = (folder: FolderEntry, pages: readonly FileEntry[]): string => {
  const newest = pages.reduce((latest, page) => Math.max(latest, page.mtimeMs), 0)
  return versionOf({ ...folder, size: sumOfSizes(pages) + pages.length, mtimeMs: newest })
}

const archiveVolume = (file: FileEntry, folder: FolderEntry, { series, name }: { series: FolderEntry; name: MangaName }): ScannedItem => {
  const stem = stemOf(file.name)
  const cover = findPicture(folder.files, [stem, `${stem}-1`, `${stem}-cover`])
  return newItem({
    itemType: 'manga_volume',
    path: file.path,
    parentPath: series.path,
    title: stem,
    ...name,
    mimeType: mediaTypeOf(file.name).mimeType,
    size: file.size,
    modifiedAt: Math.floor(file.mtimeMs),
    identity: identityOf(file),
    files: [{ name: file.name, size: file.size }],
    artwork: artworkOf('cover', cover),
    thumbnail: cover ? thumbnailOf('image', cover) : thumbnailOf('pages', file),
    mainFile: file.path,
  })
}

const folderVolume = (
  folder: FolderEntry,
  pages: readonly FileEntry[],
  { series, name }: { series: FolderEntry; name: MangaName },
): ScannedItem => {
  const [first] = pages.toSorted((a, b) => compareNatural(stemOf(a.name), stemOf(b.name)) || compareNatural(a.name, b.name))
  return newItem({
    itemType: 'manga_volume',
    path: folder.path,
    parentPath: series.path,
    title: folder.name,
    ...name,
    size: sumOfSizes(pages),
    modifiedAt: Math.floor(folder.mtimeMs),
    identity: identityOf(folder),
    artwork: folder === series ? [] : artworkOf('cover', findPicture(folder.files, MANGA_COVER_NAMES)),
    thumbnail: { kind: 'pages', path: folder.path, version: versionOfPages(folder, pages) },
    mainFile: first?.path ?? null,
    pageCount: pages.length,
  })
}

const UNREAD_MESSAGE = 'Archives of this kind cannot be read. Pack this volume as .cbz.'

type Reader = (stem: string) => MangaName

const volumesBelow = (folder: FolderEntry, series: FolderEntry, { read, name }: { read: Reader; name: MangaName }): ScannedItem[] => {
  const pages = pagesOf(folder)
  const own = pages.length > 0 ? [folderVolume(folder, pages, { series, name })] : []
  const readHere = (stem: string): MangaName => withinFolder(read(stem), name, folder.name)
  const archives = archivesOf(folder).map((file) => archiveVolume(file, folder, { series, name: readHere(stemOf(file.name)) }))
  const nested = folder.folders.flatMap((child) => volumesBelow(child, series, { read, name: readHere(child.name) }))
  return [...own, ...archives, ...nested]
}

const byNumber = (a: ScannedItem, b: ScannedItem): number =>
  (a.sortNumber ?? Number.POSITIVE_INFINITY) - (b.sortNumber ?? Number.POSITIVE_INFINITY) || compareNatural(a.path, b.path)

/** The series in one top-level folder and its volumes; nothing where there is neither archive nor page. */
export const readManga = (folder: FolderEntry, warn: Warn): ScannedItem[] => {
  const volumes = inReadingOrder(volumesBelow(folder, folder, { read: createMangaReader(folder.name), name: NO_NUMBERS }))
  const [first] = volumes.toSorted(byNumber)
  if (!first) {
    if (filesBelow(folder).length > 0)
      warn(folder.path, 'no_pages', 'There is neither a page nor an archive of pages (.cbz, .cbr) in this folder.')
    return []
  }
  for (const { path } of volumes) if (UNREAD_ARCHIVES.has(extensionOf(path))) warn(path, 'unreadable_archive', UNREAD_MESSAGE)
  const cover = findPicture(folder.files, [...MANGA_COVER_NAMES, folder.name])
  const series = newItem({
    itemType: 'manga_series',
    path: folder.path,
    parentPath: null,
    title: folder.name,
    year: bracketedYearOf(folder.name),
    modifiedAt: Math.floor(folder.mtimeMs),
    identity: identityOf(folder),
    artwork: artworkOf('cover', cover),
    thumbnail: cover ? thumbnailOf('image', cover) : first.thumbnail,
  })
  return [series, ...volumes]
}
