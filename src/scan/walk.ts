/**
 * Reads folders. Our own walk, because the runtime's recursive one ends at the first link loop and loses names that are
 * no UTF-8 (SECURITY.md, S11), and because a scan needs every entry's size, time and inode anyhow.
 *
 * Synchronous on purpose: it runs in the scanner's thread, and asynchronous stat calls take half as long again.
 */

import { lstatSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { isDataFolder } from '../domain/data-names.ts'
import { isAppBundleName } from '../domain/game-file.ts'
import { isIgnoredName, isMediaServerFolder } from '../domain/ignored-name.ts'
import { datableMs } from '../domain/iso-time.ts'
import { MAX_ITEM_KEY_BYTES } from '../domain/item-key.ts'
import type { LibraryType } from '../domain/item-type.ts'
import { pathIn } from '../domain/relative-path.ts'
import { errorCode } from '../domain/thrown-error.ts'
import { isTrashName } from '../domain/trash-name.ts'
import { type Entries, type EntryStat, entriesOf } from './entry-stat.ts'
import type { BundleEntry, FileEntry, FolderEntry, Warn } from './folder-tree.ts'
import { IGNORE_FILE, type IgnoreRules, isIgnoredByRules, readIgnoreRules } from './ignore-file.ts'
import { keepsInodeNumbers } from './inode-numbers.ts'

export const MAX_DEPTH = 64

/** Leaves room in an item key for its type, library and a season's `#` segment. */
const MAX_PATH_BYTES = MAX_ITEM_KEY_BYTES - 64
const MAX_BYTES_PER_UNIT = 3

const FILE_TYPE_BITS = 0o170000
const REGULAR_FILE = 0o100000
const FOLDER = 0o040000
const LINK = 0o120000

const UNKNOWN_TRASH = 'What was deleted lies here, and this server knows nothing of it. Rename the folder to have it indexed.'

const MAYBE_MISSING = { throwIfNoEntry: false } as const

/** A folder that can be read next. */
export interface Place {
  name: string
  path: string
  depth: number
  parent: Place | null
  rules: IgnoreRules | null
  mtimeMs: number
  birthtimeMs: number
  ino: number
  dev: number
  hasMadeUpIno?: boolean
}

/** A folder's own entries, in the order of their names. */
export interface Listing {
  files: FileEntry[]
  bundles: BundleEntry[]
  folders: Place[]
}

/** A folder that is being read. */
interface Reading {
  place: Place
  listing: Listing
  entries: Entries
}

interface WalkReport {
  warn: Warn
  /** Called for everything that exists and could not be read: nothing at or below it may be called missing. */
  unreadable: (path: string) => void
}

export interface Walker {
  /** The root as a place; throws the system's error where it cannot be stat-ed. */
  rootPlace: () => Place
  /** A folder's own entries; undefined where it is hidden by its `.ignore`, holds a server's data, is gone, or could not be read (which is reported). */
  list: (place: Place) => Listing | undefined
  /** A folder with all that is below it. */
  readTree: (place: Place) => FolderEntry | undefined
}

/** Gone between two looks: what a scan would have found a moment later. */
const isGone = (code: string): boolean => code === 'ENOENT' || code === 'ENOTDIR'

const isTooLong = (path: string): boolean =>
  path.length * MAX_BYTES_PER_UNIT > MAX_PATH_BYTES && new TextEncoder().encode(path).length > MAX_PATH_BYTES

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decodeName = (bytes: Uint8Array): string | undefined => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return undefined
  }
}

const fileEntry = (name: string, path: string, stat: EntryStat): FileEntry => ({
  name,
  path,
  size: stat.size,
  mtimeMs: datableMs(stat.mtimeMs),
  birthtimeMs: stat.birthtimeMs,
  ino: stat.ino,
  dev: stat.dev,
})

/** A folder that is one of those above it: a file system mounted inside itself. Links to folders are never followed. */
const isLoop = (place: Place): boolean => {
  if (place.ino === 0) return false
  for (let above = place.parent; above !== null; above = above.parent) {
    if (above.ino === place.ino && above.dev === place.dev && above.birthtimeMs === place.birthtimeMs) return true
  }
  return false
}

/** Its type as `statfs` tells it; undefined where nothing is there any more. */
const fileSystemAt = (path: string): number | undefined => {
  try {
    return statfsSync(path).type
  } catch {
    return undefined
  }
}

export const createWalker = (
  root: string,
  libraryType: LibraryType,
  { warn, unreadable }: WalkReport,
  fileSystemOf = fileSystemAt,
): Walker => {
  const base = root === '/' ? '' : root
  const hasBundles = libraryType === 'games'
  const hasMediaServerFolders = libraryType === 'movies' || libraryType === 'tv'
  const absolute = (path: string): string => (path === '' ? root : `${base}/${path}`)

  /** By device: something else may be mounted below the root. */
  const numbered = new Map<number, boolean>()
  /** `at`: something on its device, to which a link alone does not lead. */
  const marked = <Entry extends Pick<FolderEntry, 'path' | 'dev' | 'birthtimeMs'>>(entry: Entry, at = entry.path): Entry => {
    let isNumbered = numbered.get(entry.dev)
    if (isNumbered === undefined) {
      const type = fileSystemOf(absolute(at))
      if (type === undefined) return entry
      isNumbered = keepsInodeNumbers(type, entry.birthtimeMs)
      numbered.set(entry.dev, isNumbered)
    }
    return isNumbered ? entry : { ...entry, hasMadeUpIno: true }
  }

  const failFolder = (path: string, code: string): void => {
    warn(path, 'unreadable_folder', `This folder cannot be read (${code || 'UNKNOWN'}).`)
    unreadable(path)
  }

  const failEntry = (path: string, error: unknown): void => {
    const code = errorCode(error)
    if (isGone(code)) return
    if (code === 'ENAMETOOLONG') return warn(path, 'name_too_long', 'This path is too long to be kept.')
    warn(path, 'unreadable_file', `This file cannot be read (${code || 'UNKNOWN'}).`)
    unreadable(path)
  }

  /** Names that the plain reading spoiled are read again as bytes: a name may truly hold U+FFFD. */
  const decodeNames = (path: string): string[] =>
    readdirSync(absolute(path), { encoding: 'buffer' }).flatMap((bytes) => {
      const name = decodeName(bytes)
      if (name !== undefined) return [name]
      const shown = bytes.toString()
      warn(pathIn(path, shown), 'undecodable_name', 'This name is not UTF-8. Rename the file to have it indexed.')
      return []
    })

  const readNames = (path: string): string[] => {
    const names = readdirSync(absolute(path))
    return (names.some((name) => name.includes('\uFFFD')) ? decodeNames(path) : names).sort()
  }

  /** A link counts as the file that it leads to, if that lies in the library; links to folders are not followed. */
  const followLink = (name: string, path: string, link: EntryStat): FileEntry | undefined => {
    try {
      const target = realpathSync(absolute(path))
      if (target !== root && !target.startsWith(`${base}/`)) {
        warn(path, 'link_outside', 'This link leads out of the library and is not followed.')
        return undefined
      }
      const stat = statSync(target)
      if (!stat.isFile()) return undefined
      // The link's own inode: two links to one file are two items, as hard links are.
      return { ...fileEntry(name, path, stat), ino: link.ino, dev: link.dev, birthtimeMs: link.birthtimeMs }
    } catch (error) {
      const code = errorCode(error)
      if (isGone(code) || code === 'ELOOP') warn(path, 'unreadable_file', 'This link leads nowhere.')
      else failEntry(path, error)
      return undefined
    }
  }

  /** Everything in a bundle counts, hidden files too, as all of it is delivered; its links are kept as links. */
  const readBundle = (name: string, path: string, stat: EntryStat): BundleEntry => {
    const bundle: BundleEntry = { ...fileEntry(name, path, stat), size: 0, largestFile: null }
    let largest = -1
    const pending = [path]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      try {
        for (const child of readdirSync(absolute(folder))) {
          const childPath = `${folder}/${child}`
          const childStat = lstatSync(absolute(childPath), MAYBE_MISSING)
          if (!childStat) continue
          bundle.mtimeMs = Math.max(bundle.mtimeMs, datableMs(childStat.mtimeMs))
          if (childStat.isDirectory()) pending.push(childPath)
          if (!childStat.isFile()) continue
          bundle.size += childStat.size
          if (childStat.size > largest) [largest, bundle.largestFile] = [childStat.size, childPath]
        }
      } catch (error) {
        if (!isGone(errorCode(error))) failFolder(folder, errorCode(error))
      }
    }
    return bundle
  }

  const placeOf = (name: string, stat: EntryStat, parent: Place, path: string): Place => ({
    name,
    path,
    depth: parent.depth + 1,
    parent,
    rules: parent.rules,
    mtimeMs: datableMs(stat.mtimeMs),
    birthtimeMs: stat.birthtimeMs,
    ino: stat.ino,
    dev: stat.dev,
  })

  const mayEnter = (place: Place): boolean => {
    if (hasMediaServerFolders && place.depth > 1 && isMediaServerFolder(place.name)) return false
    if (isLoop(place)) return false
    if (place.depth <= MAX_DEPTH) return true
    warn(place.path, 'too_deep', `Folders more than ${MAX_DEPTH} levels deep are not read.`)
    return false
  }

  const addEntry = ({ place, listing, entries }: Reading, name: string): void => {
    const stat = entries.lookAt(name)
    if (!stat) return
    const path = pathIn(place.path, name)
    const type = stat.mode & FILE_TYPE_BITS
    const isFolder = type === FOLDER
    if (place.rules !== null && isIgnoredByRules(place.rules, path, isFolder)) return
    if (isTooLong(path)) return warn(path, 'name_too_long', 'This path is too long to be kept.')
    if (type === REGULAR_FILE) {
      listing.files.push(marked(fileEntry(name, path, stat)))
    } else if (isFolder && hasBundles && isAppBundleName(name)) {
      listing.bundles.push(marked(readBundle(name, path, stat)))
    } else if (isFolder) {
      const child = placeOf(name, stat, place, path)
      if (mayEnter(child)) listing.folders.push(child)
    } else if (type === LINK) {
      const file = followLink(name, path, stat)
      if (file) listing.files.push(marked(file, place.path))
    }
  }

  /** Whether entries of a folder that could be listed cannot be looked at: read permission without search permission. */
  const isUnsearchable = (path: string): boolean => {
    try {
      lstatSync(`${absolute(path)}/.`)
      return false
    } catch {
      return true
    }
  }

  const list: Walker['list'] = (place) => {
    let names: string[]
    try {
      names = readNames(place.path)
    } catch (error) {
      // The root is never "gone": what is not there cannot be searched for changes.
      if (place.path === '' || !isGone(errorCode(error))) failFolder(place.path, errorCode(error))
      return undefined
    }
    // The same folder mounted twice, as in a container, lies at two paths: nothing but what is in it tells.
    if (isDataFolder(names)) {
      warn(place.path, 'own_data', 'This folder holds the data of a Vitrine server and is left out.')
      return undefined
    }
    if (names.includes(IGNORE_FILE)) {
      const rules = readIgnoreRules(root, { folderPath: place.path, outer: place.rules, warn })
      if (rules === 'everything') return undefined
      place.rules = rules
    }
    const listing: Listing = { files: [], bundles: [], folders: [] }
    using entries = entriesOf(place.path === '' ? `${base}/` : `${base}/${place.path}/`)
    const reading: Reading = { place, listing, entries }
    if (place.path === '') for (const name of names) if (isTrashName(name)) warn(name, 'unknown_trash', UNKNOWN_TRASH)
    for (const name of names) {
      if (isIgnoredName(name)) continue
      try {
        addEntry(reading, name)
      } catch (error) {
        if (errorCode(error) === 'EACCES' && isUnsearchable(place.path)) {
          failFolder(place.path, 'EACCES')
          return undefined
        }
        failEntry(pathIn(place.path, name), error)
      }
    }
    return listing
  }

  const readTree: Walker['readTree'] = (place) => {
    const listing = list(place)
    if (!listing) return undefined
    const { name, path, mtimeMs, birthtimeMs, ino, dev } = place
    const { files, bundles } = listing
    const folders = listing.folders.flatMap((child) => readTree(child) ?? [])
    return marked({ name, path, mtimeMs, birthtimeMs, ino, dev, files, bundles, folders })
  }

  const rootPlace: Walker['rootPlace'] = () => {
    const { mtimeMs, birthtimeMs, ino, dev } = statSync(root)
    return marked({ name: '', path: '', depth: 0, parent: null, rules: null, mtimeMs: datableMs(mtimeMs), birthtimeMs, ino, dev })
  }

  return { rootPlace, list, readTree }
}
