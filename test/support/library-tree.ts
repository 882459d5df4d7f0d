import {
  chmodSync,
  closeSync,
  ftruncateSync,
  lutimesSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Folders of files from a plain object:
 *
 *   makeTree(root, {
 *     'Alien (1979)/Alien.mkv': 40_000,                  // a file of that many bytes, its own content
 *     Firefly: { 'tvshow.nfo': '<tvshow/>' },            // a folder; text or bytes are content
 *     'old.jpg': file({ bytes: 10, modified: '2020-01-01' }),
 *     loop: link('..'),
 *     locked: folder({ 'a.jpg': 1 }, { mode: 0o000 }),
 *   })
 *
 * Keys may hold "/" to spare a level. Everything is written synchronously: some ten thousand files a second.
 */
export interface Tree {
  [name: string]: string | number | Uint8Array | Tree | TreeFile | TreeLink | TreeFolder
}

const KIND = Symbol('kind')

interface Times {
  mode?: number
  /** The modification time; milliseconds since 1970, or text that Date understands. */
  modified?: number | string
}

interface FileSpec extends Times {
  content?: string | Uint8Array
  /** Size in bytes, where there is no content: sparse, told apart by a first line that names the file. */
  bytes?: number
}

interface TreeFile extends FileSpec {
  [KIND]: 'file'
}
interface TreeLink {
  [KIND]: 'link'
  target: string
}
interface TreeFolder extends Times {
  [KIND]: 'folder'
  entries: Tree
}

export const file = (spec: FileSpec): TreeFile => ({ ...spec, [KIND]: 'file' })
/** A symbolic link with this very target, which need not exist. */
export const link = (target: string): TreeLink => ({ target, [KIND]: 'link' })
/** A folder whose mode and time are set after its entries were written. */
export const folder = (entries: Tree, spec: Times = {}): TreeFolder => ({ ...spec, entries, [KIND]: 'folder' })

const setTimes = (path: string, { mode, modified }: Times): void => {
  if (modified !== undefined) utimesSync(path, new Date(modified), new Date(modified))
  if (mode !== undefined) chmodSync(path, mode)
}

/** Sparse, but no two files of a tree are alike: a content hash must be able to tell them apart. */
const writeSized = (path: string, bytes: number, label: string): void => {
  const handle = openSync(path, 'w')
  writeSync(handle, `${label}\n`.slice(0, bytes))
  ftruncateSync(handle, bytes)
  closeSync(handle)
}

const isTagged = (entry: object): entry is TreeFile | TreeLink | TreeFolder => KIND in entry

const writeFileSpec = (path: string, spec: FileSpec, label: string): void => {
  if (spec.content === undefined) writeSized(path, spec.bytes ?? 0, label)
  else writeFileSync(path, spec.content)
  setTimes(path, spec)
}

const writeEntry = (path: string, entry: Tree[string], label: string): void => {
  if (typeof entry === 'number') return writeSized(path, entry, label)
  if (typeof entry === 'string' || entry instanceof Uint8Array) return writeFileSync(path, entry)
  if (!isTagged(entry)) return writeEntries(path, entry, label)
  switch (entry[KIND]) {
    case 'file':
      return writeFileSpec(path, entry, label)
    case 'link':
      return symlinkSync(entry.target, path)
    case 'folder':
      writeEntries(path, entry.entries, label)
      return setTimes(path, entry)
  }
}

const writeEntries = (path: string, entries: Tree, label: string): void => {
  mkdirSync(path, { recursive: true })
  for (const [name, entry] of Object.entries(entries)) {
    const target = join(path, name)
    if (dirname(target) !== path) mkdirSync(dirname(target), { recursive: true })
    writeEntry(target, entry, `${label}/${name}`)
  }
}

/** Writes the tree into `root`, which is made where it does not exist, and answers `root`. */
export const makeTree = (root: string, tree: Tree): string => {
  writeEntries(root, tree, basename(root))
  return root
}

/** Sets the modification time of a file, folder or link itself. */
export const touch = (path: string, modified: number | string): void => lutimesSync(path, new Date(modified), new Date(modified))
