/** Which file on disk a request for an item's bytes stands for. A client names an item and one of its files, never a path. */

import type { Deps } from '../deps.ts'
import { readLegacyGameFiles } from '../domain/game-item.ts'
import { isContainer } from '../domain/item-type.ts'
import { can, type Viewer } from '../domain/permissions.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import type { ScannedFile } from '../domain/scanned-item.ts'
import { AppError, ignoreAppError } from '../errors.ts'
import type { KeptFile } from '../media/kept-files.ts'
import { type NamedFile, openPlacedKept } from './placed-file.ts'
import { getPlacedItem, getRootOf, type PlacedItem, recallPlacedItem } from './visible.ts'

/** Items whose path is that of their file, or of the first one. The files of the others lie in the item's folder. */
const isOneFile = (item: PlacedItem): boolean =>
  item.itemType === 'mixed_file' || item.itemType === 'tv_episode' || (item.itemType === 'manga_volume' && item.mainFile === item.path)

/** What an item lists as its files, as the oldest rows list them too. */
export const listFiles = (item: PlacedItem): Pick<ScannedFile, 'name' | 'kind' | 'role'>[] => {
  if (item.files !== null) return item.files
  return item.itemType === 'game' ? readLegacyGameFiles(item.data) : []
}

/** The file's path relative to the library root. A group of items has no main file, only extras. Throws `not_found` or `not_a_file`. */
export const placeFile = (item: PlacedItem, wanted: string | undefined): string => {
  if (isContainer(item.itemType) && wanted === undefined) throw new AppError('not_found', 'This item has no files of its own.')
  if (isOneFile(item)) {
    const name = baseNameOf(item.path)
    if (wanted === undefined || wanted === name) return item.path
    if (!listFiles(item).some((file) => file.name === wanted)) throw new AppError('not_found')
    // The further pieces of a DVD, and the other parts, lie beside the first one.
    return `${folderOf(item.path)}/${wanted}`
  }
  const files = listFiles(item)
  const file =
    wanted === undefined
      ? (files.find(({ kind, role }) => kind !== 'app_bundle' && role !== 'extra') ?? files[0])
      : files.find(({ name }) => name === wanted)
  if (!file) throw new AppError('not_found')
  if (file.kind === 'app_bundle') throw new AppError('not_a_file', `${file.name} is a folder; it can be downloaded as an archive.`)
  return `${item.path}/${file.name}`
}

interface FileQuery {
  itemKey: string
  file?: string
  isDownload: boolean
}

const openOf = async (deps: Deps, viewer: Viewer, item: PlacedItem, { file, isDownload }: FileQuery): Promise<NamedFile<KeptFile>> => {
  if ((isDownload || item.itemType === 'game') && !can(viewer, 'download')) throw new AppError('forbidden')
  const root = await getRootOf(deps, viewer, item)
  return openPlacedKept({ root, path: placeFile(item, file) })
}

/** Throws `forbidden` where the permission to download is needed and missing. The caller closes the file. */
export const openFile = async (deps: Deps, viewer: Viewer, query: FileQuery): Promise<NamedFile<KeptFile>> => {
  const recalled = recallPlacedItem(deps, viewer, query.itemKey)
  // The index may know better by now where it lies.
  const opened = recalled && (await openOf(deps, viewer, recalled, query).catch(ignoreAppError))
  return opened ?? openOf(deps, viewer, await getPlacedItem(deps, viewer, query.itemKey), query)
}
