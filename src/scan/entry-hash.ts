/** Hashes that tell files, their contents and whole units apart. */

import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { datableMs } from '../domain/iso-time.ts'
import type { FileEntry, FolderEntry } from './folder-tree.ts'

/** A change of what the readers make of the same files must change every signature. */
const SCANNER_VERSION = 16n

const numbers = new Float64Array(3)
/** With a sign, which the mixing takes for a bit like any other: read without one, a first scan's two hashes a file take half a microsecond more. */
const words = new Int32Array(numbers.buffer)
const WORDS = words.length

/**
 * 53 bits of three numbers, as an integer that both JavaScript and SQLite keep exactly: two lanes of multiply and
 * xorshift (the finaliser of MurmurHash3), a tenth of the cost of a BigInt hash.
 */
const hash53 = (first: number, second: number, third: number): number => {
  numbers[0] = first
  numbers[1] = second
  numbers[2] = third
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  // Counted, because iterating over a typed array costs more than all of the mixing.
  for (let index = 0; index < WORDS; index += 1) {
    const word = words[index] ?? 0
    low = Math.imul(low ^ word, 0x9e3779b1)
    low ^= low >>> 15
    high = Math.imul(high ^ word, 0x5f356495)
    high ^= high >>> 13
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  return 0x1_0000_0000 * (high & 0x1f_ffff) + (low >>> 0)
}

/**
 * See `ScannedItem.identity`: null where the file system tells no birth time, as an inode number alone is used again, or makes
 * the number up, which may be another file's by now. Without the device number, which is another one after many a mount.
 * Negative: those above zero were made with it (`INDEX_COLUMNS`).
 */
export const identityOf = (entry: Pick<FileEntry, 'ino' | 'birthtimeMs' | 'hasMadeUpIno'>): number | null =>
  entry.birthtimeMs > 0 && !entry.hasMadeUpIno ? -hash53(entry.ino, entry.birthtimeMs, 0) : null

const NO_INODE = 0
export const keptInodeOf = ({ ino, hasMadeUpIno }: Pick<FileEntry, 'ino' | 'hasMadeUpIno'>): number => (hasMadeUpIno ? NO_INODE : ino)

/** See `ScannedArtwork.version`. At most eleven characters. */
export const versionOf = (entry: Pick<FileEntry, 'ino' | 'size' | 'mtimeMs' | 'hasMadeUpIno'>): string =>
  hash53(keptInodeOf(entry), entry.size, entry.mtimeMs).toString(36)

/**
 * Whether the open file is the one that a scan gave this version, though it had its name at another time. `path`: its absolute name.
 */
export const hasVersion = async (handle: { stat: () => Promise<Stats> }, version: string, path: string): Promise<boolean> => {
  const { ino, size, mtimeMs } = await handle.stat()
  const seen = { size, mtimeMs: datableMs(mtimeMs) }
  if ([false, true].some((hasMadeUpIno) => versionOf({ ...seen, ino, hasMadeUpIno }) === version)) return true
  // Of a link the scan took the number of the link itself. The name may be gone by now.
  const named = await lstat(path).catch(() => null)
  return named?.isSymbolicLink() === true && versionOf({ ...seen, ino: named.ino }) === version
}

const FILE = 1
const BUNDLE = 2
const FOLDER = 3

/**
 * A fingerprint of a unit: names, sizes, modification times and inodes, where these are kept, of everything in it. Device numbers
 * are left out, because they change between mounts; folders' modification times too, because every file that is hidden or ignored
 * changes those.
 */
export class UnitHash {
  #values = new Float64Array(1024)
  #count = 0
  #names: string[] = []

  #push(value: number): void {
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#count * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.#count++] = value
  }

  #addFile(file: FileEntry, kind: number): void {
    this.#names.push(file.name)
    this.#push(kind)
    this.#push(keptInodeOf(file))
    this.#push(file.size)
    this.#push(file.mtimeMs)
  }

  addFiles(files: readonly FileEntry[]): void {
    for (const file of files) this.#addFile(file, FILE)
  }

  addFolder(folder: FolderEntry): void {
    this.#names.push(folder.name)
    this.#push(FOLDER)
    this.#push(keptInodeOf(folder))
    this.#push(folder.files.length)
    this.#push(folder.folders.length)
    this.addFiles(folder.files)
    for (const bundle of folder.bundles) this.#addFile(bundle, BUNDLE)
    for (const child of folder.folders) this.addFolder(child)
  }

  /** The fingerprint of what was added; the hash is empty again afterwards. No name holds a NUL, so joining is exact. */
  take(): string {
    const seed = Bun.hash(this.#names.join('\0'), SCANNER_VERSION)
    const hash = Bun.hash(this.#values.subarray(0, this.#count), BigInt(seed))
    this.#names = []
    this.#count = 0
    return hash.toString(36)
  }
}
