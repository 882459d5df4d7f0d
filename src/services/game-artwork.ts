/**
 * The pictures of games and series in the index. What is uploaded is entered as the scanner would enter it, so that it is
 * seen at once and the next scan, which reads the folder again (scan-units.ts), finds nothing to change.
 */

import { lstat, statfs } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import type { ItemType } from '../domain/item-type.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { baseNameOf } from '../domain/relative-path.ts'
import type { ScannedArtwork } from '../domain/scanned-item.ts'
import { newestScreenshots } from '../domain/screenshot.ts'
import { AppError } from '../errors.ts'
import { versionOf } from '../scan/entry-hash.ts'
import { keepsInodeNumbers } from '../scan/inode-numbers.ts'
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

/** Of a name that a client sent, as much as a message shows. */
const SHOWN_NAME_CHARACTERS = 200

/** An uploaded picture as JPEG. Throws `invalid_request`, which names the file; `path` is its place in the request. */
export const encodeUpload = async (deps: Deps, file: File, path: string): Promise<Uint8Array> => {
  const outcome = await deps.uploads.encode(new Uint8Array(await file.arrayBuffer()))
  if (outcome.ok) return outcome.jpeg
  // Bun leaves a file whose name is empty without one.
  const name: string | undefined = file.name
  const message = `${JSON.stringify((name ?? '').slice(0, SHOWN_NAME_CHARACTERS))}: ${outcome.message}`
  throw new AppError('invalid_request', message, { errors: [{ path, message }] })
}

/** The picture that lies at `file`, under its path in the library. */
export const artworkAt = async (kind: ScannedArtwork['kind'], file: string, path: string): Promise<ScannedArtwork> => {
  const [{ size, mtimeMs, ino, birthtimeMs }, { type }] = await Promise.all([lstat(file), statfs(file)])
  return { kind, path, version: versionOf({ size, mtimeMs, ino, hasMadeUpIno: !keepsInodeNumbers(type, birthtimeMs) }) }
}

const KINDS: readonly ScannedArtwork['kind'][] = ['cover', 'widecover']

/** In the order of the scanner (scan/games.ts), and as many as it keeps; null for none, as it keeps them. */
export const inScanOrder = (artwork: readonly ScannedArtwork[]): ScannedArtwork[] | null => {
  if (artwork.length === 0) return null
  const byPath = artwork.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const byName = byPath.toSorted((a, b) => compareNatural(baseNameOf(a.path), baseNameOf(b.path)))
  const { screenshot: screenshots = [], others = [] } = Object.groupBy(byName, ({ kind }) => (kind === 'screenshot' ? kind : 'others'))
  const covers = others.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  return [...covers, ...newestScreenshots(screenshots, ({ path }) => baseNameOf(path))]
}
