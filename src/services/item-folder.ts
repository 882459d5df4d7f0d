/** Writing into the folder of an item: the few pictures that the service puts there, and why it cannot at times. */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { MediaError, type OpenedFolder, openFolderInside } from '../media/inside.ts'
import { getRootOf, type MediaItemRow } from './visible.ts'

const DISK_FULL = 'The disk that the library lies on is full.'
const READ_ONLY = 'The library is read-only for this service.'
const NOT_THERE = 'The folder of this item is not there now.'
const FAILING = 'The disk that the library lies on reports an error.'
const IN_THE_WAY = 'There is a folder where the file would go.'

const REASONS: Record<string, [ErrorCode, string]> = {
  ENOSPC: ['insufficient_storage', DISK_FULL],
  EDQUOT: ['insufficient_storage', DISK_FULL],
  EROFS: ['unavailable', READ_ONLY],
  EACCES: ['unavailable', READ_ONLY],
  EPERM: ['unavailable', READ_ONLY],
  ENOENT: ['unavailable', NOT_THERE],
  ENOTDIR: ['unavailable', NOT_THERE],
  ESTALE: ['unavailable', NOT_THERE],
  EISDIR: ['conflict', IN_THE_WAY],
}

/** Networks and programs that are file systems have many more words for it than disks. */
const OTHER_REASON: [ErrorCode, string] = ['unavailable', FAILING]

/** What a file system says of a folder, to people: an `AppError`; what no file system says stays what it is. */
export const toFolderError = (error: unknown): unknown => {
  if (error instanceof MediaError) return new AppError('unavailable', NOT_THERE, { cause: error })
  if (!(error instanceof Error && 'code' in error)) return error
  const code = String(error.code)
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : 'syscall' in error ? OTHER_REASON : undefined
  return reason ? new AppError(...reason, { cause: error }) : error
}

/**
 * Opens the item's own folder for `work` and closes it afterwards. What goes wrong there becomes an `AppError`:
 * `insufficient_storage`, `unavailable` or `conflict`. Throws `not_found` for what is missing, as who reads its files is told.
 */
export const inItemFolder = async <T>(
  deps: Deps,
  viewer: Viewer,
  { item, work }: { item: MediaItemRow; work: (folder: OpenedFolder) => Promise<T> },
): Promise<T> => {
  const root = await getRootOf(deps, viewer, item)
  let opened: OpenedFolder | undefined
  try {
    const folder = await openFolderInside(root, item.path)
    opened = folder
    return await deps.places.inFolder(folder.path)(() => work(folder))
  } catch (error) {
    const known = toFolderError(error)
    if (known !== error) deps.log.warn('item_folder_not_writable', { itemId: item.id, error })
    throw known
  } finally {
    await opened?.handle.close()
  }
}
