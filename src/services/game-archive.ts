/** What a game is downloaded as: its archive as it lies there, or a `.app` bundle as a zip that is made on the way. */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import type { BundleArchive } from '../media/zip-stream.ts'
import { listFiles } from './files.ts'
import { getGameItem } from './game-artwork.ts'
import { type NamedFile, openPlaced, openPlacedFolder } from './placed-file.ts'
import { getRootOf, type MediaItemRow } from './visible.ts'

interface NamedArchive {
  archive: BundleArchive
  /** What to call it when it is saved. */
  name: string
}

const UNREADABLE = 'This application cannot be read as a whole now.'

interface BundlePlace {
  item: Pick<MediaItemRow, 'id'>
  place: Parameters<typeof openPlacedFolder>[0]
  onClosed: () => void
}

const openBundle = async (deps: Deps, { item, place, onClosed }: BundlePlace): Promise<BundleArchive> => {
  // Only now: a server that zips nothing starts without it.
  const { archiveOf } = await import('../media/zip-stream.ts')
  const bundle = await openPlacedFolder(place)
  try {
    return await archiveOf(bundle, place.name, onClosed)
  } catch (error) {
    await bundle.handle.close()
    deps.log.warn('bundle_unreadable', { itemId: item.id, error })
    throw new AppError('unavailable', UNREADABLE, { cause: error })
  }
}

/** The named file of the game, or its first one. Throws `not_found`, `unavailable` or `rate_limited`. The caller closes what it gets. */
export const openGameArchive = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, file: wanted }: { itemKey: string; file?: string },
): Promise<NamedFile | NamedArchive> => {
  const item = await getGameItem(deps, viewer, { itemKey, types: ['game'] })
  const file = listFiles(item).find(({ name }) => wanted === undefined || name === wanted)
  if (!file) throw new AppError('not_found')
  const place = { root: await getRootOf(deps, viewer, item), path: item.path, name: file.name }
  if (file.kind !== 'app_bundle') return openPlaced({ root: place.root, path: `${place.path}/${place.name}` })
  const leave = deps.places.takeArchive(viewer)
  try {
    return { archive: await openBundle(deps, { item, place, onClosed: leave }), name: `${file.name}.zip` }
  } catch (error) {
    leave()
    throw error
  }
}
