/**
 * Files that stay open for a second, for whoever reads them piece by piece, as players do: opening and closing are left
 * to other threads, and to hand each megabyte over to them and back is a quarter of what it costs.
 */

import { fstatSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { type FileFacts, factsOf, type OpenedFile, openInside } from './inside.ts'

/** A file that others may be reading too. `handle.close` says that this reader is done. */
export interface KeptFile extends FileFacts {
  handle: Pick<OpenedFile['handle'], 'read' | 'close'>
}

/** After that it is opened anew, whoever reads it: what another machine does to a file on a network drive is seen then. */
const KEPT_MS = 1000
const MAX_KEPT = 32

interface Kept {
  /** As of the last look. */
  file: OpenedFile
  /** What the system said of its name at the last look. */
  seen?: Stats
  readers: number
}

const kept = new Map<string, Kept>()

const closeUnused = (key: string, entry: Kept): void => {
  if (entry.readers === 0 && kept.get(key) !== entry) void entry.file.handle.close()
}

/** Whoever still reads it closes it. */
const forget = (key: string, entry: Kept): void => {
  if (kept.get(key) === entry) kept.delete(key)
  closeUnused(key, entry)
}

/** No file behind a link, nor one that went while it was opened: of what becomes of the name its descriptor would not tell. */
const isByItsOwnName = ({ path }: OpenedFile, root: string, relative: string): boolean => path === join(root, relative)

const keep = (key: string, entry: Kept): void => {
  if (kept.has(key) || kept.size >= MAX_KEPT) return
  kept.set(key, entry)
  setTimeout(() => forget(key, entry), KEPT_MS).unref()
}

/** Its name must still lead to it: one that was renamed, replaced or deleted is opened anew. One call, as each costs as much as a tenth of a piece. */
const isInPlace = (entry: Kept): boolean => {
  const { handle, path, inode, device } = entry.file
  const { seen } = entry
  const now = statSync(path)
  if (now.ino !== Number(inode) || now.dev !== Number(device)) return false
  if (now.size === seen?.size && now.mtimeMs === seen.mtimeMs) return true
  // Its bytes have changed since, or nobody has looked yet.
  entry.seen = now
  entry.file = { ...entry.file, ...factsOf(fstatSync(handle.fd, { bigint: true }), handle.fd, path) }
  return true
}

/** What does not let itself be looked at is opened anew, which says what has become of it. */
const isStillGood = (entry: Kept): boolean => {
  try {
    return isInPlace(entry)
  } catch {
    return false
  }
}

const lend = (key: string, entry: Kept): KeptFile => {
  const { handle, ...facts } = entry.file
  let isDone = false
  entry.readers += 1
  const close = async (): Promise<void> => {
    if (isDone) return
    isDone = true
    entry.readers -= 1
    closeUnused(key, entry)
  }
  return { ...facts, handle: { read: handle.read.bind(handle), close } }
}

/** As `openInside`. Where the system does not tell what becomes of an open file, it is opened each time. */
export const openKept = async (root: string, relative: string): Promise<KeptFile> => {
  if (process.platform !== 'linux') return openInside(root, relative)
  const key = `${root}\0${relative}`
  const known = kept.get(key)
  if (known && isStillGood(known)) return lend(key, known)
  if (known) forget(key, known)
  const entry: Kept = { file: await openInside(root, relative), readers: 0 }
  // A name takes as long to look at as a file to open, and everybody would wait for that.
  if (entry.file.isQuick && !entry.file.isRemote && isByItsOwnName(entry.file, root, relative)) keep(key, entry)
  return lend(key, entry)
}
