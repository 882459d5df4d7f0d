/** A unit in memory from a plain object, for the readers: keys are names (or paths), numbers are sizes in bytes. */

import { isAppBundleName } from '../../src/domain/game-file.ts'
import type { ScannedItem, ScanWarning } from '../../src/domain/scanned-item.ts'
import type { FileEntry, FolderEntry, Warn } from '../../src/scan/folder-tree.ts'

export interface MemoryTree {
  [name: string]: number | MemoryTree
}

const MODIFIED_MS = 1_700_000_000_000.75

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** `{'a/b': 1}` as `{a: {b: 1}}`. */
const nest = (tree: MemoryTree): MemoryTree => {
  const nested: MemoryTree = {}
  for (const [key, value] of Object.entries(tree)) {
    const [head = '', ...rest] = key.split('/')
    const known = nested[head]
    const child = rest.length > 0 ? { [rest.join('/')]: value } : value
    nested[head] = typeof known === 'object' && typeof child === 'object' ? { ...known, ...child } : child
  }
  return nested
}

/** `bundles`: whether `.app` folders are one entry, as in a games library. */
export const memoryTree = (path: string, tree: MemoryTree, { bundles = false } = {}): FolderEntry => {
  let ino = 0
  const entryOf = (entryPath: string, size: number): FileEntry => {
    ino += 1
    const name = entryPath.slice(entryPath.lastIndexOf('/') + 1)
    return { name, path: entryPath, size, mtimeMs: MODIFIED_MS + ino, birthtimeMs: 1, ino, dev: 1 }
  }
  const folderOf = (folderPath: string, content: MemoryTree): FolderEntry => {
    const { name, mtimeMs, birthtimeMs, dev, ino: own } = entryOf(folderPath, 0)
    const folder: FolderEntry = { name, path: folderPath, mtimeMs, birthtimeMs, dev, ino: own, files: [], folders: [], bundles: [] }
    for (const [child, value] of Object.entries(nest(content))) {
      const childPath = `${folderPath}/${child}`
      if (typeof value === 'number') folder.files.push(entryOf(childPath, value))
      else if (bundles && isAppBundleName(child)) folder.bundles.push(bundleOf(childPath, value))
      else folder.folders.push(folderOf(childPath, value))
    }
    folder.files.sort(byName)
    folder.folders.sort(byName)
    return folder
  }
  const bundleOf = (bundlePath: string, content: MemoryTree) => {
    const files = Object.entries(content).flatMap(([name, size]) =>
      typeof size === 'number' ? [{ path: `${bundlePath}/${name}`, size }] : [],
    )
    const [largest] = files.toSorted((a, b) => b.size - a.size)
    const size = files.reduce((sum, file) => sum + file.size, 0)
    return { ...entryOf(bundlePath, size), largestFile: largest?.path ?? null }
  }
  return folderOf(path, tree)
}

interface Read {
  items: ScannedItem[]
  warnings: ScanWarning[]
  /** The item of a type, or at a path; fails the test where there is none. */
  get: (typeOrPath: string) => ScannedItem
}

/** What a reader makes of a unit. */
export const readUnit = (read: (folder: FolderEntry, warn: Warn) => ScannedItem[], folder: FolderEntry): Read => {
  const warnings: ScanWarning[] = []
  const items = read(folder, (path, code, message) => warnings.push({ path, code, message }))
  const get = (typeOrPath: string): ScannedItem => {
    const item = items.find(({ itemType, path }) => itemType === typeOrPath || path === typeOrPath)
    if (!item) throw new Error(`There is no ${typeOrPath} among ${items.map(({ path }) => path).join(', ')}`)
    return item
  }
  return { items, warnings, get }
}
