/** The file of an item that is to be played, opened, and what is in it. */

import type { Deps } from '../deps.ts'
import { isContainer } from '../domain/item-type.ts'
import type { MediaProbe } from '../domain/media-probe.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import type { OpenedFile } from '../media/inside.ts'
import { placeFile } from './files.ts'
import type { MediaPlace } from './media-probes.ts'
import { openPlaced } from './placed-file.ts'
import { getRootOf, getVisibleItem, type MediaItemRow } from './visible.ts'

export interface Playable {
  item: MediaItemRow
  /** The library's folder, resolved. */
  root: string
  /** Of the file, relative to the root; and its own name. */
  path: string
  name: string
  opened: OpenedFile
  /** Null where the file cannot be probed. */
  probe: MediaProbe | null
}

export interface PlayableQuery {
  itemKey: string
  /** A name from the item's `files`; the main one where it is not given. */
  file?: string
}

/** The query again, as parameters of an address. */
export const playableParameters = ({ itemKey, file }: PlayableQuery): Record<string, string> =>
  file === undefined ? { itemKey } : { itemKey, file }

/** Opens the file for as long as `work` takes. Throws `not_found` for what cannot be played at all: games, volumes, and groups of items but for their extras. */
export const withPlayable = async <T>(
  deps: Deps,
  viewer: Viewer,
  { itemKey, file }: PlayableQuery,
  work: (playable: Playable) => Promise<T>,
): Promise<T> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  if (item.itemType === 'game' || item.itemType === 'manga_volume') throw new AppError('not_found', 'This item is nothing to play.')
  const root = await getRootOf(deps, viewer, item)
  const path = placeFile(item, file)
  const { opened, name } = await openPlaced({ root, path })
  try {
    const isMain = !isContainer(item.itemType) && path === placeFile(item, undefined)
    const place: MediaPlace = { itemId: item.id, itemModifiedAt: item.modifiedAt, file: isMain ? '' : (file ?? '') }
    return await work({ item, root, path, name, opened, probe: await deps.media.probe(place, opened) })
  } finally {
    await opened.handle.close()
  }
}
