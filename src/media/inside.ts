/** The only way to open a file of a library: by its path below the root, checked after it is open. */

import { constants, type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

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

export interface OpenedFile {
  handle: FileHandle
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  modifiedAtMs: number
  inode: number
  device: number
  /** Where the file really lies, links resolved: for logs and for tools that take no descriptor. */
  path: string
  /** A name that leads to this very file for as long as `handle` is open, whatever happens to the path. */
  stablePath: string
}

const isCleanRelative = (relative: string): boolean =>
  relative !== '' &&
  !isAbsolute(relative) &&
  !relative.includes('\0') &&
  !relative.split('/').some((part) => part === '..' || part === '.' || part === '')

/** Both real paths; the separator keeps `/media/movies-private` out of `/media/movies`. */
const isBelow = (path: string, root: string): boolean => path.startsWith(root === '/' ? '/' : `${root}/`)

const toMediaError = (error: unknown): MediaError => {
  if (error instanceof MediaError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return new MediaError(code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' ? 'not_found' : 'unreadable', error)
}

/** Linux tells by the descriptor where the opened file lies; elsewhere the path is asked again. */
const realPathOf = async (handle: FileHandle, path: string): Promise<string> => {
  if (process.platform !== 'linux') return realpath(path)
  const real = await readlink(`/proc/self/fd/${handle.fd}`)
  if (real.endsWith(' (deleted)')) throw new MediaError('not_found')
  return real
}

const check = async (handle: FileHandle, { root, path }: { root: string; path: string }): Promise<OpenedFile> => {
  const real = await realPathOf(handle, path)
  if (!isBelow(real, await realpath(root))) throw new MediaError('outside')
  const info = await handle.stat()
  if (!info.isFile()) throw new MediaError('not_a_file')
  return {
    handle,
    size: info.size,
    modifiedAtMs: info.mtimeMs,
    inode: info.ino,
    device: info.dev,
    path: real,
    stablePath: process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : real,
  }
}

/**
 * Opens a regular file below `root`, which must be absolute. The check follows the opening and looks at what was opened,
 * so that a folder which is exchanged for a link in between gains nothing. The caller closes `handle`.
 * Throws `MediaError`.
 */
export const openInside = async (root: string, relative: string): Promise<OpenedFile> => {
  if (!isCleanRelative(relative)) throw new MediaError('outside')
  const path = join(root, relative)
  // O_NONBLOCK: opening a named pipe would wait for a writer for ever.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw toMediaError(error)
  })
  try {
    return await check(handle, { root, path })
  } catch (error) {
    await handle.close()
    throw toMediaError(error)
  }
}
