/**
 * The pages of a volume: a zip (cbz) read by its central directory, a rar (cbr), or a folder of pictures. Nothing is
 * ever unpacked to disk. Another kind of archive is one more entry in `READERS`.
 */

import { readdir } from 'node:fs/promises'
import { type Entry, fromRandomAccessReader, type ZipFile } from 'yauzl'
import { setNewest } from '../domain/bounded-map.ts'
import { isIgnoredName } from '../domain/ignored-name.ts'
import { isPictureName, stemOf } from '../domain/media-file.ts'
import { sortTitle, toNaturalOrder } from '../domain/natural-sort.ts'
import { baseNameOf } from '../domain/relative-path.ts'
import { DecodeError } from './decode-error.ts'
import { MediaError, type OpenedFile, type OpenedFolder, openFileIn, toMediaError } from './inside.ts'
import { bytesAt } from './read-at.ts'
import { type OpenedVolume, openVolume } from './volume.ts'
import { WindowReader } from './window-reader.ts'
import { readZipEntry, readZipEntryHead, type ZipEntryPlace } from './zip-entry.ts'

interface DirectoryLimits {
  entries: number
  /** An entry has some hundred; but each may have a name, a comment and more of 64 KiB each. */
  bytes: number
}

/** The largest volumes have some thousand pages; an archive of a million entries is an attack. */
const LIMITS: DirectoryLimits = { entries: 20_000, bytes: 4 * 1024 * 1024 }
/** What the main thread looks through. */
const LIGHT_LIMITS: DirectoryLimits = { entries: 2_000, bytes: 512 * 1024 }
/** The reader of rar is slower at it. */
const MAX_RAR_ENTRIES = 3_000
export const MAX_PAGE_BYTES = 64 * 1024 * 1024
const MAX_COMIC_INFO_BYTES = 1024 * 1024
/** Characters of a path. What is longer is on no disk, and was made to keep whoever puts the pages in order busy. */
const MAX_NAME_LENGTH = 1024
const isComicInfo = (path: string): boolean => /^(?:\.\/)*comicinfo\.xml$/i.test(path)

export interface Pages {
  /** Of the volume that they are read from (`OpenedVolume`). */
  stamp: string
  /** In reading order; paths within the archive or folder, "/" separated. */
  names: readonly string[]
  /** The bytes of the page at this place in `names`. Throws `DecodeError`, also above `maxBytes`, or `MediaError`. */
  read: (index: number, maxBytes?: number) => Promise<Uint8Array>
  /** At least the first `bytes` of the page, where it is as long: enough for its format and size. */
  readHead: (index: number, bytes: number) => Promise<Uint8Array>
  /** The archive's own description, at its root (anansi-project: ComicInfo.xml). Null where there is none. */
  readComicInfo: () => Promise<Uint8Array | null>
  close: () => Promise<void>
}

type Contents = Omit<Pages, 'stamp' | 'close'>

/**
 * Natural order, folder by folder: the separator sorts before everything that a name may hold. Endings do not count:
 * `12.5.jpg` and `12 (2).jpg` come behind `12.jpg` (Komga #914, yomikiru #72).
 */
const pageKey = (path: string): string => stemOf(path).split('/').map(sortTitle).join('\0')

const sortPages = <T extends { name: string }>(pages: T[]): T[] => toNaturalOrder(pages, ({ name }) => name, pageKey)

/** Leaves out `__MACOSX/._001.jpg`, `Thumbs.db`, and files of no use as a page. */
const isPage = (path: string): boolean => path.length <= MAX_NAME_LENGTH && isPictureName(path) && !path.split('/').some(isIgnoredName)

const COVER_STEMS: ReadonlySet<string> = new Set(['cover', 'front', 'folder', 'first'])
/** Kavita's cover expression (Parser.cs): "cover" as a word of its own, and not that of the back. */
const COVER = /(?<![\p{L}\p{N}])(?<!back[ _-]?)cover(?![\p{L}\p{N}])/iu

/** The page that stands for the volume: the one that is called cover, else the first. -1 where there are none. */
export const coverIndex = (names: readonly string[]): number => {
  const bases = names.map((name) => stemOf(baseNameOf(name)).toLowerCase())
  const exact = bases.findIndex((base) => COVER_STEMS.has(base))
  if (exact >= 0) return exact
  const named = bases.findIndex((base) => COVER.test(base))
  return named >= 0 ? named : Math.min(0, names.length - 1)
}

const broken = (error: unknown): DecodeError =>
  error instanceof DecodeError ? error : new DecodeError('broken', 'The archive is damaged.', error)

const END_SIGNATURE = 'PK\x05\x06'
const END_BYTES = 22
const COMMENT_LENGTH_AT = 20
/** As far back as a record with the longest comment may begin. */
const TAIL_BYTES = END_BYTES + 0xffff

/** Where the archive ends by its own account: a download that was filled up goes on, which yauzl refuses and other programs pass over. */
const endOf = async (file: OpenedFile): Promise<number> => {
  const start = Math.max(0, file.size - TAIL_BYTES)
  const tail = await bytesAt(file, start, TAIL_BYTES)
  const at = tail.length < END_BYTES ? -1 : tail.lastIndexOf(END_SIGNATURE, tail.length - END_BYTES, 'latin1')
  return at < 0 ? file.size : Math.min(file.size, start + at + END_BYTES + tail.readUInt16LE(at + COMMENT_LENGTH_AT))
}

const openZip = async (file: OpenedFile): Promise<ZipFile> => {
  const end = await endOf(file)
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false }
    fromRandomAccessReader(new WindowReader(file), end, options, (error, zip) => (error ? reject(broken(error)) : resolve(zip)))
  })
}

const ENTRY_HEADER_BYTES = 46

const listEntries = (zip: ZipFile, limits: DirectoryLimits): Promise<Entry[]> =>
  new Promise((resolve, reject) => {
    if (zip.entryCount > limits.entries) return reject(new DecodeError('too_large', `${zip.entryCount} entries are too many.`))
    const entries: Entry[] = []
    let bytes = 0
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      bytes += ENTRY_HEADER_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (bytes > limits.bytes) return reject(new DecodeError('too_large', 'The directory of the archive is too large.'))
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error) => reject(broken(error)))
    zip.readEntry()
  })

const FILE_TYPE_MASK = 0o170000
const REGULAR_FILE = 0o100000
/** Archives made on Unix keep the mode in the upper half; a link among the pages is none. */
const isRegular = (entry: Entry): boolean => {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK
  return type === 0 || type === REGULAR_FILE
}

interface ZipPage extends ZipEntryPlace {
  name: string
  isEncrypted: boolean
}

/** What of an archive's central directory is of use, in reading order. */
interface ZipIndex {
  pages: readonly ZipPage[]
  comicInfo: ZipPage | undefined
}

const toPage = (entry: Entry): ZipPage => ({
  name: entry.fileName,
  isEncrypted: entry.isEncrypted(),
  nameLength: entry.fileNameLength,
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  compressionMethod: entry.compressionMethod,
  compressedSize: entry.compressedSize,
  uncompressedSize: entry.uncompressedSize,
})

const assertReadable = (entry: ZipPage, limit: number): void => {
  if (entry.isEncrypted) throw new DecodeError('unsupported', 'The page is encrypted.')
  if (entry.uncompressedSize > limit) throw new DecodeError('too_large', `A page of ${entry.uncompressedSize} bytes is too large.`)
}

const readIndex = async (file: OpenedFile, limits: DirectoryLimits): Promise<ZipIndex> => {
  const files = (await listEntries(await openZip(file), limits)).filter(isRegular)
  const comicInfo = files.find((entry) => isComicInfo(entry.fileName))
  return { pages: sortPages(files.filter((entry) => isPage(entry.fileName)).map(toPage)), comicInfo: comicInfo && toPage(comicInfo) }
}

const pagesOf = (file: OpenedFile, { pages, comicInfo }: ZipIndex): Contents => {
  const entryAt = (index: number, limit: number): ZipPage => {
    const page = pages[index]
    if (!page) throw new MediaError('not_found')
    assertReadable(page, limit)
    return page
  }
  return {
    names: pages.map(({ name }) => name),
    read: async (index, maxBytes = MAX_PAGE_BYTES) => readZipEntry(file, entryAt(index, maxBytes)),
    readHead: async (index, bytes) => readZipEntryHead(file, entryAt(index, MAX_PAGE_BYTES), bytes),
    readComicInfo: async () => {
      if (!comicInfo) return null
      assertReadable(comicInfo, MAX_COMIC_INFO_BYTES)
      return readZipEntry(file, comicInfo)
    },
  }
}

const zipPages = async (file: OpenedFile): Promise<Contents> => pagesOf(file, await readIndex(file, LIMITS))

const isSafePath = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..')

const rarPages = async (file: OpenedFile): Promise<Contents> => {
  // The library is a megabyte of program that few need, and the main thread never does.
  const { listRar, readRar } = await import('./rar-pages.ts')
  const files = (await listRar(file, MAX_RAR_ENTRIES)).filter(({ name }) => isSafePath(name))
  const pages = sortPages(files.filter(({ name }) => isPage(name)))
  const comicInfo = files.find(({ name }) => isComicInfo(name))
  const read = async (index: number, maxBytes = MAX_PAGE_BYTES): Promise<Uint8Array> => {
    const page = pages[index]
    if (!page) throw new MediaError('not_found')
    if (page.isEncrypted) throw new DecodeError('unsupported', 'The page is encrypted.')
    if (page.size > maxBytes) throw new DecodeError('too_large', `A page of ${page.size} bytes is too large.`)
    return readRar(file, { name: page.name, limit: maxBytes })
  }
  return {
    names: pages.map(({ name }) => name),
    read,
    readHead: (index) => read(index),
    readComicInfo: async () => (comicInfo ? readRar(file, { name: comicInfo.name, limit: MAX_COMIC_INFO_BYTES }) : null),
  }
}

/** By the first bytes, since many a .cbr is a zip. */
interface ArchiveReader {
  signatures: readonly string[]
  /** It waits for the disk more than it computes: also for the main thread. */
  isLight: boolean
  open: (file: OpenedFile) => Promise<Contents>
}

const READERS: readonly ArchiveReader[] = [
  { signatures: ['PK\x03\x04', 'PK\x05\x06'], isLight: true, open: zipPages },
  { signatures: ['Rar!\x1a\x07\x00', 'Rar!\x1a\x07\x01'], isLight: false, open: rarPages },
]

const findReader = async (file: OpenedFile): Promise<ArchiveReader | undefined> => {
  const text = (await bytesAt(file, 0, 8)).toString('latin1')
  return READERS.find(({ signatures }) => signatures.some((signature) => text.startsWith(signature)))
}

const archivePages = async (file: OpenedFile): Promise<Contents> => {
  const reader = await findReader(file)
  if (reader) return reader.open(file)
  throw file.size === 0
    ? new DecodeError('broken', 'The archive is empty.')
    : new DecodeError('unsupported', 'This is no ZIP or RAR archive, or it is damaged.')
}

interface PageLimits {
  limit?: number
  enough?: number
}

const readWhole = async (file: OpenedFile, { limit = MAX_PAGE_BYTES, enough = limit }: PageLimits): Promise<Uint8Array> => {
  try {
    if (file.size > limit) throw new DecodeError('too_large', `A page of ${file.size} bytes is too large.`)
    return await bytesAt(file, 0, enough)
  } finally {
    await file.handle.close()
  }
}

/** The pictures of the folder itself; those of its folders are other volumes. */
const folderPages = async (root: string, folder: OpenedFolder, limits: DirectoryLimits): Promise<Contents> => {
  const entries = await readdir(folder.stablePath).catch((error: unknown) => {
    throw toMediaError(error)
  })
  if (entries.length > limits.entries) throw new DecodeError('too_large', `${entries.length} files are too many.`)
  const pages = sortPages(entries.filter(isPage).map((name) => ({ name })))
  const comicInfo = entries.find(isComicInfo)
  const readNamed = async (name: string, limits: PageLimits): Promise<Uint8Array> => readWhole(await openFileIn(root, folder, name), limits)
  const read = async (index: number, limits: PageLimits): Promise<Uint8Array> => {
    const page = pages[index]
    if (!page) throw new MediaError('not_found')
    return readNamed(page.name, limits)
  }
  return {
    names: pages.map(({ name }) => name),
    read: (index, maxBytes) => read(index, maxBytes === undefined ? {} : { limit: maxBytes }),
    readHead: (index, bytes) => read(index, { enough: bytes }),
    readComicInfo: async () => (comicInfo ? readNamed(comicInfo, { limit: MAX_COMIC_INFO_BYTES }) : null),
  }
}

/** Null where `read` answers so. */
const openWith = async <None extends null>(
  read: (volume: OpenedVolume) => Promise<Contents | None>,
  root: string,
  relative: string,
): Promise<Pages | None> => {
  const volume = await openVolume(root, relative)
  const close = (): Promise<void> => volume.opened.handle.close()
  try {
    const contents = await read(volume)
    if (contents !== null) return { ...contents, stamp: volume.stamp, close }
    await close()
    return contents
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens a volume at `relative` below the library's root; the caller closes it. Throws `DecodeError` or `MediaError`. */
export const openPages = (root: string, relative: string): Promise<Pages> =>
  openWith<never>(({ kind, opened }) => (kind === 'archive' ? archivePages(opened) : folderPages(root, opened, LIMITS)), root, relative)

/** Volumes that are being read: their directories are looked through once, and not again for each page. The least lately used first. */
const indexes = new Map<string, ZipIndex>()
const MAX_INDEXES = 16

const lightArchive = async (file: OpenedFile, stamp: string): Promise<Contents | null> => {
  const known = indexes.get(stamp)
  if (!known && !(await findReader(file))?.isLight) return null
  const index = known ?? (await readIndex(file, LIGHT_LIMITS))
  setNewest(indexes, stamp, index, MAX_INDEXES)
  return pagesOf(file, index)
}

/** The same for the main thread: null for an archive whose reader computes more than it waits. Throws `DecodeError` for a large directory, too. */
export const openLightPages = (root: string, relative: string): Promise<Pages | null> =>
  openWith(
    ({ kind, opened, stamp }) => (kind === 'archive' ? lightArchive(opened, stamp) : folderPages(root, opened, LIGHT_LIMITS)),
    root,
    relative,
  )
