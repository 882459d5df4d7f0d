/** NFO files: found, read and understood, never written. Nothing here follows an address that a file names. */

import { readdir } from 'node:fs/promises'
import { type EpisodeNumbers, fieldsOfEpisode, NFO_ROOTS, type NfoFields, type NfoItemType } from '../domain/nfo.ts'
import { pathIn } from '../domain/relative-path.ts'
import { MediaError, openFolderInside, openInside } from './inside.ts'
import { checkText, readBlocks } from './nfo-blocks.ts'
import { NfoError } from './nfo-error.ts'
import { episodeOf, fieldsOf, NFO_PATHS } from './nfo-fields.ts'
import { decodeText, repairText } from './nfo-text.ts'

const MAX_NFO_BYTES = 1024 * 1024

/** Names of the files in a folder, or of its subfolders, by their lower-case form; the first in order of two that differ in case. */
const namesIn = async (root: string, folder: string, kind: 'files' | 'folders'): Promise<Map<string, string>> => {
  const opened = await openFolderInside(root, folder)
  try {
    const entries = await readdir(opened.stablePath, { withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isSymbolicLink() || (kind === 'folders' ? entry.isDirectory() : entry.isFile()))
      .map((entry) => entry.name)
    return new Map(
      names
        .sort()
        .reverse()
        .map((name) => [name.toLowerCase(), name]),
    )
  } finally {
    await opened.handle.close()
  }
}

/**
 * The first of these files that exists, relative to `root`; names are compared without case. `folder` is relative to
 * `root`, `paths` to `folder`. Undefined where there is none. Throws `MediaError('unreadable')` for a folder that cannot
 * be read.
 */
export const findNfo = async (root: string, folder: string, paths: readonly string[]): Promise<string | undefined> => {
  const listings = new Map<string, Promise<Map<string, string>>>()
  const listing = (place: string, kind: 'files' | 'folders'): Promise<Map<string, string>> => {
    const key = `${kind} ${place}`
    const known = listings.get(key) ?? namesIn(root, place, kind).catch(asEmpty)
    listings.set(key, known)
    return known
  }
  const find = async (place: string, path: string): Promise<string | undefined> => {
    const [head = '', ...rest] = path.split('/')
    const name = (await listing(place, rest.length > 0 ? 'folders' : 'files')).get(head.toLowerCase())
    if (name === undefined) return undefined
    return rest.length > 0 ? find(pathIn(place, name), rest.join('/')) : pathIn(place, name)
  }
  for (const path of paths) {
    const found = await find(folder, path)
    if (found !== undefined) return found
  }
  return undefined
}

const asEmpty = (error: unknown): Map<string, string> => {
  if (error instanceof MediaError && error.code !== 'unreadable') return new Map()
  throw error
}

interface NfoFile {
  bytes: Uint8Array
  /** Milliseconds since the epoch, floored. */
  modifiedAt: number
}

/** The bytes of an NFO file below `root`. Throws `MediaError`, or `NfoError('too_large')` without having read it. */
export const readNfo = async (root: string, path: string): Promise<NfoFile> => {
  const opened = await openInside(root, path)
  try {
    if (opened.size > MAX_NFO_BYTES) throw new NfoError('too_large')
    // One byte more: a file that has grown meanwhile shows itself.
    const buffer = new Uint8Array(Math.min(opened.size, MAX_NFO_BYTES) + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = (await opened.handle.read(buffer, length, buffer.length - length)).bytesRead
    return { bytes: buffer.subarray(0, length), modifiedAt: Math.floor(opened.modifiedAtMs) }
  } finally {
    await opened.handle.close()
  }
}

/**
 * What an NFO file says of an item of this type. `numbers` are those of the episode's file name, for files that hold
 * several episodes. A broken file says nothing at all: throws `NfoError`.
 */
export const parseNfo = (bytes: Uint8Array, itemType: NfoItemType, numbers?: EpisodeNumbers): NfoFields => {
  if (bytes.length > MAX_NFO_BYTES) throw new NfoError('too_large')
  const text = decodeText(bytes)
  checkText(text)
  const blocks = readBlocks(repairText(text), NFO_ROOTS[itemType], NFO_PATHS)
  if (itemType !== 'tv_episode') return fieldsOf(blocks[0] ?? [])
  const fields = fieldsOfEpisode(blocks.map(episodeOf), numbers ?? { seasonNumber: null, episodeNumber: null, episodeNumberEnd: null })
  if (!fields) throw new NfoError('other_episodes')
  return fields
}
