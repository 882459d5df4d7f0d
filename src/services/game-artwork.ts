/**
 * The pictures of games and series in the index. What is uploaded is entered as the scanner would enter it, so that it is
 * seen at once and the next scan finds nothing to change.
 */

import { lstat } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import type { ItemType } from '../domain/item-type.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import type { ScannedArtwork } from '../domain/scanned-item.ts'
import { AppError } from '../errors.ts'
import { versionOf } from '../scan/entry-hash.ts'
import { getVisibleItem, type MediaItemRow } from './visible.ts'

const NAMES: Partial<Record<ItemType, string>> = { game: 'games', game_series: 'series of games' }

/** The item, which must be of one of these types. Throws `not_found` or `invalid_request`. */
export const getGameItem = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, types }: { itemKey: string; types: readonly ItemType[] },
): Promise<MediaItemRow> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  if (types.includes(item.itemType)) return item
  throw new AppError('invalid_request', `Only ${types.map((type) => NAMES[type]).join(' and ')} have this.`)
}

/** The uploaded files as JPEGs, in their order. Throws `invalid_request`, which names the first that is no good. */
export const encodeUploads = async (deps: Deps, files: readonly File[], field: string): Promise<Uint8Array[]> => {
  const jpegs: Uint8Array[] = []
  // One after the other: another upload has the other thread, and one bad picture spares the work on those that follow.
  for (const [index, file] of files.entries()) {
    const outcome = await deps.uploads.encode(new Uint8Array(await file.arrayBuffer()))
    if (!outcome.ok) {
      const message = `${JSON.stringify(file.name.slice(0, MAX_SHOWN_NAME))}: ${outcome.message}`
      throw new AppError('invalid_request', message, { errors: [{ path: `${field}.${index}`, message }] })
    }
    jpegs.push(outcome.jpeg)
  }
  return jpegs
}

const MAX_SHOWN_NAME = 200

/** The picture that lies at `file`, under its path in the library. */
export const artworkAt = async (kind: ScannedArtwork['kind'], file: string, path: string): Promise<ScannedArtwork> => ({
  kind,
  path,
  version: versionOf(await lstat(file)),
})

const KINDS: readonly ScannedArtwork['kind'][] = ['cover', 'widecover', 'screenshot']

/** In the order of the scanner (scan/games.ts); null for none, as it keeps them. */
export const inScanOrder = (artwork: readonly ScannedArtwork[]): ScannedArtwork[] | null => {
  if (artwork.length === 0) return null
  const byPath = artwork.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return byPath.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || compareNatural(a.path, b.path))
}
