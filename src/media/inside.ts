/** The only way to open a file of a library: by its path below the root, checked after it is open. */

import { type BigIntStats, fstatSync, readlinkSync } from 'node:fs'
import { constants, type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createGateOfEach } from '../domain/gate.ts'
import { datableMs } from '../domain/iso-time.ts'
import { isRelativePath } from '../domain/relative-path.ts'
import { errorCode } from '../domain/thrown-error.ts'
import { inTime, WAKING_MS } from './folder-probe.ts'
import { isRemoteDevice } from './remote-disk.ts'

/** `outside`: the path leaves the root, by itself or through a link. */
export type MediaErrorCode = 'not_found' | 'outside' | 'not_a_file' | 'unreadable'

export class MediaError extends Error {
  readonly code: MediaErrorCode

  constructor(code: MediaErrorCode, cause?: unknown) {
    super(code, { cause })
    this.name = 'MediaError'
    this.code = code
  }
}

/** For `catch`: undefined in place of a `MediaError` with this code. Everything else is thrown again. */
export const ignoring =
  (code: MediaErrorCode) =>
  (error: unknown): undefined => {
    if (!(error instanceof MediaError && error.code === code)) throw error
  }

/** What is known of an opened file. */
export interface FileFacts {
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch, with fractions. */
  modifiedAtMs: number
  /** Decimal digits: inode numbers of some file systems have more than 53 bits. */
  inode: string
  device: string
  /** Lies on a file system that may stop to answer at any moment, however quick it is. */
  isRemote: boolean
  /** Nanoseconds since the epoch, as decimal digits. */
  modifiedAtNs: string
  /** Differs from that of every other file of this computer, and of this one with other bytes. */
  version: string
  /** Where the file really lies, links resolved: for logs and for tools that take no descriptor. */
  path: string
  /** A name that leads to this very file for as long as it is open, whatever happens to the path. */
  stablePath: string
}

export interface OpenedFile extends FileFacts {
  handle: FileHandle
  /** Opening it took no longer than `QUICK_MS`. */
  isQuick: boolean
}

/** What a disk may take that everybody waits for. A spinning one takes a third of it. */
export const QUICK_MS = 30

const isLinux = process.platform === 'linux'

/** Both real paths; the separator keeps `/media/movies-private` out of `/media/movies`. */
const isBelow = (path: string, root: string): boolean => path.startsWith(root === '/' ? '/' : `${root}/`)

/** What the system says, in our words. ENXIO: a socket, or a pipe that nobody writes to. */
const CODES: Record<string, MediaErrorCode> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  ENAMETOOLONG: 'not_found',
  ELOOP: 'not_found',
  ENXIO: 'not_a_file',
}

export const toMediaError = (error: unknown): MediaError => {
  if (error instanceof MediaError) return error
  return new MediaError(CODES[errorCode(error)] ?? 'unreadable', error)
}

/**
 * Linux tells by the descriptor where the opened file lies; elsewhere the path is asked again and must lead to the same file.
 * Of an open file neither this nor its status waits for a disk, so they are asked at once: on a busy machine, to hand them
 * to another thread and back takes about as long as all the rest. Only network drives may be asked for a status anew, and
 * of those the slow ones are known by how long opening took.
 */
const realPathOf = async (handle: FileHandle, path: string): Promise<string> => {
  if (isLinux) return readlinkSync(`/proc/self/fd/${handle.fd}`)
  const real = await realpath(path)
  const [opened, named] = await Promise.all([handle.stat(), stat(real)])
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw new MediaError('outside')
  return real
}

/** The real path of what is open. Throws `MediaError('outside')`. */
const checkInside = async (handle: FileHandle, root: string, path: string): Promise<string> => {
  const real = await realPathOf(handle, path)
  // Roots are kept resolved, so the second look is for those that became a link since.
  if (!isBelow(real, root) && !isBelow(real, await realpath(root))) throw new MediaError('outside')
  return real
}

// O_NONBLOCK: opening a named pipe would wait for a writer for ever.
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

const openAndCheck = async <T>(path: string, flags: number, check: (handle: FileHandle, isQuick: boolean) => Promise<T>): Promise<T> => {
  const startedAt = performance.now()
  let handle: FileHandle | undefined
  try {
    handle = await open(path, flags)
    return await check(handle, performance.now() - startedAt < QUICK_MS)
  } catch (error) {
    await handle?.close()
    throw toMediaError(error)
  }
}

/** `path`: where the file really lies, links resolved. */
export const factsOf = (info: BigIntStats, descriptor: number, path: string): FileFacts => ({
  size: Number(info.size),
  modifiedAtMs: datableMs(Number(info.mtimeNs) / 1e6),
  inode: String(info.ino),
  device: String(info.dev),
  isRemote: isRemoteDevice(String(info.dev)),
  modifiedAtNs: String(info.mtimeNs),
  version: [info.ino, info.size, info.mtimeNs].map((part) => part.toString(36)).join('-'),
  path,
  stablePath: isLinux ? `/proc/self/fd/${descriptor}` : path,
})

/** A disk that hangs keeps a thread for each file that is being opened, and everybody reads and signs in with the same threads. */
const OPENED_AT_ONCE = 8
const inTurnBelow = createGateOfEach<string>(OPENED_AT_ONCE)

/** A disk that hangs is given up, `unreadable`: what it opens after all is nobody's. */
const openBelow = async <T extends { handle: FileHandle }>(root: string, open: () => Promise<T>): Promise<T> => {
  const stopper = new AbortController()
  const opening = inTurnBelow(root)(open, stopper.signal)
  const opened = await inTime(opening, WAKING_MS)
  if (opened) return opened
  stopper.abort()
  opening.then(({ handle }) => handle.close()).catch(() => undefined)
  throw new MediaError('unreadable', new Error('The disk does not answer.'))
}

const openFileNow = (root: string, path: string): Promise<OpenedFile> =>
  openBelow(root, () =>
    openAndCheck(path, FLAGS, async (handle, isQuick) => {
      const real = await checkInside(handle, root, path)
      const info = isQuick ? fstatSync(handle.fd, { bigint: true }) : await handle.stat({ bigint: true })
      if (!info.isFile()) throw new MediaError('not_a_file')
      return { ...factsOf(info, handle.fd, real), handle, isQuick }
    }),
  )

/** What is moved out of the library in that very moment is not there, as a second look finds; what leads out of it does so again. */
const openFile = (root: string, path: string): Promise<OpenedFile> =>
  openFileNow(root, path).catch((error: unknown) => ignoring('outside')(error) ?? openFileNow(root, path))

/**
 * Opens a regular file below `root`, which must be absolute. The check follows the opening and looks at what was opened,
 * so that a folder which is exchanged for a link in between gains nothing. The caller closes `handle`.
 * Throws `MediaError`.
 */
export const openInside = async (root: string, relative: string): Promise<OpenedFile> => {
  if (!isRelativePath(relative)) throw new MediaError('outside')
  return openFile(root, join(root, relative))
}

export interface OpenedFolder {
  handle: FileHandle
  /** Where the folder really lies. */
  path: string
  /** A name that leads to this very folder for as long as `handle` is open: what is listed or written below it stays in it. */
  stablePath: string
}

/** Opens a folder below `root`, or the root itself where `relative` is empty. The caller closes `handle`. Throws `MediaError`. */
export const openFolderInside = async (root: string, relative: string): Promise<OpenedFolder> => {
  if (relative !== '' && !isRelativePath(relative)) throw new MediaError('outside')
  const path = relative === '' ? root : join(root, relative)
  return openBelow(root, () =>
    openAndCheck(path, FLAGS | constants.O_DIRECTORY, async (handle) => {
      const real = relative === '' ? await realPathOf(handle, path) : await checkInside(handle, root, path)
      return { handle, path: real, stablePath: isLinux ? `/proc/self/fd/${handle.fd}` : real }
    }),
  )
}

/** As `openInside`, by its plain name in an opened folder: no other folder that has taken its place is looked into. */
export const openFileIn = (root: string, folder: OpenedFolder, name: string): Promise<OpenedFile> =>
  openFile(root, `${folder.stablePath}/${name}`)

/**
 * Opens a folder in an opened folder, by its plain name and only if it is one: a link is not followed. The caller closes
 * `handle`. Throws `MediaError`, `not_found` also for what is no folder.
 */
export const openFolderIn = (parent: OpenedFolder, name: string): Promise<OpenedFolder> =>
  openAndCheck(`${parent.stablePath}/${name}`, FLAGS | constants.O_DIRECTORY | constants.O_NOFOLLOW, async (handle) => {
    const path = `${parent.path}/${name}`
    return { handle, path, stablePath: isLinux ? `/proc/self/fd/${handle.fd}` : path }
  })
