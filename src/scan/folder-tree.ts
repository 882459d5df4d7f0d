/** A unit of a library in memory, as the walk found it: what the folder readers work on. */

import { toNaturalOrder } from '../domain/natural-sort.ts'
import type { ScanWarningCode } from '../domain/scanned-item.ts'

export interface FileEntry {
  name: string
  /** Relative to the library root, "/" separated. */
  path: string
  /** Bytes; of an application bundle the sum over its files. */
  size: number
  /** Milliseconds since the epoch, with their fraction; of an application bundle the newest in it. */
  mtimeMs: number
  /** 0 where the file system tells no birth time. */
  birthtimeMs: number
  ino: number
  dev: number
  /** The file system may give it another number at any time (inode-numbers.ts). */
  hasMadeUpIno?: boolean
}

/** A `.app` folder: one thing to everybody but the file system. */
export interface BundleEntry extends FileEntry {
  /** The path of its largest file, which tells the bundle from others. */
  largestFile: string | null
}

export interface FolderEntry {
  name: string
  path: string
  mtimeMs: number
  birthtimeMs: number
  ino: number
  dev: number
  hasMadeUpIno?: boolean
  /** All three in the order of their names. */
  files: FileEntry[]
  folders: FolderEntry[]
  bundles: BundleEntry[]
}

export type Warn = (path: string, code: ScanWarningCode, message: string) => void

export const inNaturalOrder = <T extends { name: string }>(entries: readonly T[]): T[] => toNaturalOrder(entries, ({ name }) => name)

/** Every file at or below a folder, in the order of a reader: a folder's own files first. */
export const filesBelow = (folder: FolderEntry): FileEntry[] => [
  ...inNaturalOrder(folder.files),
  ...inNaturalOrder(folder.folders).flatMap(filesBelow),
]

/** `path` as seen from the folder that it lies in. */
export const relativeTo = (folder: FolderEntry, path: string): string => (folder.path === '' ? path : path.slice(folder.path.length + 1))
