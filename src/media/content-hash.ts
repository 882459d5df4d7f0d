import { constants, type FileHandle, open } from 'node:fs/promises'
import { openInside } from './inside.ts'
import { bytesAt } from './read-at.ts'

/** Enough of head and tail to tell media files apart (Stash's oshash reads as much); a whole film would take minutes. */
const SAMPLE_BYTES = 64 * 1024

const hashOf = async (handle: FileHandle): Promise<string> => {
  const { size } = await handle.stat()
  const head = await bytesAt({ handle, size }, 0, SAMPLE_BYTES)
  const tail = await bytesAt({ handle, size }, Math.max(SAMPLE_BYTES, size - SAMPLE_BYTES), SAMPLE_BYTES)
  return new Bun.CryptoHasher('sha256').update(`${size}\n`).update(head).update(tail).digest('hex').slice(0, 32)
}

/**
 * A partial content hash: SHA-256 over the size in decimal, a line feed, the first and the last 64 KiB, cut to 128 bits,
 * as 32 hex digits. A file of up to 128 KiB is hashed whole. SHA-256 since the hash is kept in the database for years
 * and must not let one file pass for another; for 128 KiB it takes a tenth of a millisecond.
 * Of a path, links at its end are not followed. Throws what opening and reading throw.
 */
export const partialHash = async (file: string | FileHandle): Promise<string> => {
  if (typeof file !== 'string') return hashOf(file)
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await hashOf(handle)
  } finally {
    await handle.close()
  }
}

const hashInside = async (root: string, path: string): Promise<string | null> => {
  try {
    const { handle } = await openInside(root, path)
    return await partialHash(handle).finally(() => handle.close())
  } catch {
    return null
  }
}

/** The hashes of files below `root`, in order; null for what cannot be read, and for everything else, links that lead out of it included. */
export const hashesInside = async (root: string, paths: readonly string[]): Promise<(string | null)[]> => {
  const hashes: (string | null)[] = []
  for (const path of paths) hashes.push(await hashInside(root, path))
  return hashes
}
