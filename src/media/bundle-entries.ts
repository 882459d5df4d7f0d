/** What is in an application bundle (a `.app` folder), as the entries of a zip archive. Links stay links and are never followed. */

import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MediaError, type OpenedFolder } from './inside.ts'
import type { ZipEntry } from './zip-format.ts'

export interface BundleFile extends ZipEntry {
  /** Relative to the bundle, spelled as on disk. */
  path: string
  /** What tells this very file from another under its name. */
  ino: number
  dev: number
}

/** A folder or a link: all of it is known before it is written. */
export interface BundleContent extends ZipEntry {
  content: Uint8Array<ArrayBuffer>
}

export type BundleEntry = BundleFile | BundleContent

/** As deep as the walk keeps folders open at a time. */
const MAX_DEPTH = 200
const ENTRIES_A_TURN = 250
const TYPE_BITS = 0o170000
const PERMISSION_BITS = 0o777
const NOTHING = new Uint8Array()
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

const isLinux = process.platform === 'linux'

/** A backslash parts folders on Windows, so an archive with one could write anywhere there (CWE-22). */
const cleanName = (name: string): string => name.replaceAll('\\', '_')

/**
 * The bundle and everything in it, folders before what they hold, names in the order of their code units; all below a
 * folder called `name`. Sockets, pipes and devices are left out. Throws `MediaError('unreadable')`, and what reading throws.
 */
export const listBundle = async (bundle: OpenedFolder, name: string): Promise<BundleEntry[]> => {
  const entries: BundleEntry[] = []
  const taken = new Set<string>()

  const uniqueName = (wanted: string): string => {
    let unique = wanted
    for (let number = 2; taken.has(unique); number += 1) unique = wanted.replace(/\/?$/, (end) => ` ${number}${end}`)
    taken.add(unique)
    return unique
  }

  const addFolder = (zipName: string, info: Stats): string => {
    const unique = uniqueName(`${zipName}/`)
    entries.push({ name: unique, mode: modeOf(info), modifiedAtMs: info.mtimeMs, size: 0, content: NOTHING })
    return unique
  }

  /** `readPath` leads to this very folder, whatever is put in its place meanwhile. */
  const readFolder = async (readPath: string, place: { zipName: string; path: string; depth: number }): Promise<void> => {
    if (place.depth > MAX_DEPTH) throw new MediaError('unreadable')
    for (const child of readdirSync(readPath).sort()) {
      if (entries.length % ENTRIES_A_TURN === 0) await nextTurn()
      const childPath = `${readPath}/${child}`
      const info = lstatSync(childPath, { throwIfNoEntry: false })
      // A name that is no UTF-8 comes with U+FFFD in it and leads nowhere: the archive would lack the file.
      if (!info && child.includes('\uFFFD')) throw new MediaError('unreadable')
      if (!info) continue
      const zipName = place.zipName + cleanName(child)
      const path = place.path + child
      if (info.isDirectory()) {
        const next = { zipName: addFolder(zipName, info), path: `${path}/`, depth: place.depth + 1 }
        await inFolder(childPath, (stable) => readFolder(stable, next))
      } else if (info.isSymbolicLink()) {
        const content = readlinkSync(childPath, 'buffer')
        entries.push({ name: uniqueName(zipName), mode: modeOf(info), modifiedAtMs: info.mtimeMs, size: content.length, content })
      } else if (info.isFile()) {
        const { size, ino, dev, mtimeMs } = info
        entries.push({ name: uniqueName(zipName), mode: modeOf(info), modifiedAtMs: mtimeMs, size, path, ino, dev })
      }
    }
  }

  const rootName = addFolder(cleanName(name), lstatSync(`${bundle.stablePath}/.`))
  await readFolder(bundle.stablePath, { zipName: rootName, path: '', depth: 0 })
  return entries
}

/** Without set-user-id and the like. */
const modeOf = ({ mode }: Stats): number => (mode & TYPE_BITS) | (mode & PERMISSION_BITS)

const inFolder = async (path: string, work: (stablePath: string) => Promise<void>): Promise<void> => {
  const fd = openSync(path, FOLDER_FLAGS)
  try {
    await work(isLinux ? `/proc/self/fd/${fd}` : path)
  } finally {
    closeSync(fd)
  }
}
