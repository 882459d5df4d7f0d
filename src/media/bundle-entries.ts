/** What is in an application bundle (a `.app` folder), as the entries of a zip archive. Links stay links and are never followed. */

import { constants, type Stats } from 'node:fs'
import { lstat, open, readdir, readlink } from 'node:fs/promises'
import { errorCode } from '../domain/thrown-error.ts'
import { MediaError, type OpenedFolder } from './inside.ts'
import type { ZipEntry } from './zip-format.ts'

export interface BundleFile extends ZipEntry {
  /** Relative to the bundle, spelled as on disk. */
  path: string
}

/** A folder or a link: all of it is known before it is written. */
interface BundleContent extends ZipEntry {
  content: Uint8Array<ArrayBuffer>
}

export type BundleEntry = BundleFile | BundleContent

/** As deep as the walk keeps folders open at a time. */
const MAX_DEPTH = 200
/** As many are looked at at once: one after the other would take longer than all the rest. */
const LOOKS_AT_ONCE = 32
const TYPE_BITS = 0o170000
const PERMISSION_BITS = 0o777
const NOTHING = new Uint8Array()
const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

interface Place {
  /** Of the folder, in the archive and below the bundle, with a slash at the end. */
  zipName: string
  path: string
  depth: number
}

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
  /** By what is wanted: thousands may want the same. */
  const nextNumbers = new Map<string, number>()

  const uniqueName = (wanted: string): string => {
    let unique = wanted
    let number = nextNumbers.get(wanted) ?? 2
    for (; taken.has(unique); number += 1) unique = wanted.replace(/\/?$/, (end) => ` ${number}${end}`)
    nextNumbers.set(wanted, number)
    taken.add(unique)
    return unique
  }

  const addFolder = (zipName: string, info: Stats): string => {
    const unique = uniqueName(`${zipName}/`)
    entries.push({ name: unique, mode: modeOf(info), modifiedAtMs: info.mtimeMs, size: 0, content: NOTHING })
    return unique
  }

  /** `readPath` leads to this very folder, whatever is put in its place meanwhile. */
  const readFolder = async (readPath: string, place: Place): Promise<void> => {
    if (place.depth > MAX_DEPTH) throw new MediaError('unreadable')
    const children = (await readdir(readPath)).sort()
    for (let at = 0; at < children.length; at += LOOKS_AT_ONCE) {
      const some = children.slice(at, at + LOOKS_AT_ONCE)
      const infos = await Promise.all(some.map((child) => look(`${readPath}/${child}`)))
      for (const [index, child] of some.entries()) await add(readPath, place, { child, info: infos[index] })
    }
  }

  const add = async (readPath: string, place: Place, { child, info }: { child: string; info: Stats | undefined }): Promise<void> => {
    // A name that is no UTF-8 comes with U+FFFD in it and leads nowhere: the archive would lack the file.
    if (!info && child.includes('\uFFFD')) throw new MediaError('unreadable')
    if (!info) return
    const childPath = `${readPath}/${child}`
    const zipName = place.zipName + cleanName(child)
    const path = place.path + child
    if (info.isDirectory()) {
      const next = { zipName: addFolder(zipName, info), path: `${path}/`, depth: place.depth + 1 }
      await inFolder(childPath, (stable) => readFolder(stable, next))
    } else if (info.isSymbolicLink()) {
      const content = await readlink(childPath, 'buffer')
      entries.push({ name: uniqueName(zipName), mode: modeOf(info), modifiedAtMs: info.mtimeMs, size: content.length, content })
    } else if (info.isFile()) {
      const { size, mtimeMs } = info
      entries.push({ name: uniqueName(zipName), mode: modeOf(info), modifiedAtMs: mtimeMs, size, path })
    }
  }

  const rootName = addFolder(cleanName(name), await lstat(`${bundle.stablePath}/.`))
  await readFolder(bundle.stablePath, { zipName: rootName, path: '', depth: 0 })
  return entries
}

/** Without set-user-id and the like. */
const modeOf = ({ mode }: Stats): number => (mode & TYPE_BITS) | (mode & PERMISSION_BITS)

/** Nothing for what has gone since its name was read. */
const look = (path: string): Promise<Stats | undefined> =>
  lstat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined
    throw error
  })

const inFolder = async (path: string, work: (stablePath: string) => Promise<void>): Promise<void> => {
  const handle = await open(path, FOLDER_FLAGS)
  try {
    await work(isLinux ? `/proc/self/fd/${handle.fd}` : path)
  } finally {
    await handle.close()
  }
}
