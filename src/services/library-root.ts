/** The folder of a library, opened, where it is what it was when the library was made. */

import { AppError } from '../errors.ts'
import { answerOf, doesAnswer, inTime, isReadable, WAKING_MS } from '../media/folder-probe.ts'
import { MediaError, type OpenedFolder, openFolderInside } from '../media/inside.ts'
import { isBareRoot, isRootAway } from '../media/root-away.ts'
import type { LibraryRow } from './library-cache.ts'

type LibraryPlace = Pick<LibraryRow, 'path' | 'realPath'>

/** Absolute, links resolved as they were when the library was made; rows of older databases do not say where that was. */
export const rootPathOf = ({ path, realPath }: LibraryPlace): string => realPath ?? path

const away = (cause?: unknown): AppError => new AppError('unavailable', 'The folder of the library is not there now.', { cause })

/**
 * Where threads of their own may read: one that waits for a disk which hangs is given up, but what the system does for it is not, and
 * each leaves one thing less for all others. Throws `unavailable` for a folder that does not answer in time. `isWanted`: somebody
 * waits, also for a disk that has to wake up.
 */
export const readableRootOf = async (library: LibraryPlace, { isWanted = false } = {}): Promise<string> => {
  const root = rootPathOf(library)
  if (!(await (isWanted ? inTime(answerOf(root), WAKING_MS) : isReadable(root)))) throw away(root)
  return root
}

/** Whether whoever reads there would wait for a disk that hangs. */
export const isSilent = async (root: string): Promise<boolean> => !(await doesAnswer(root))

/** What is said of a file that is not in its `folder` of the library: not that it is gone, while the whole library is away. */
export const notFoundIn = async (root: string, folder: string, cause: unknown): Promise<AppError> =>
  (await isRootAway(root, folder)) ? away(cause) : new AppError('not_found', undefined, { cause })

/** Throws `unavailable` for a folder that is away or leads elsewhere, or does not answer in time. The caller closes it. */
export const openLibraryRoot = async ({ path, realPath }: LibraryPlace): Promise<OpenedFolder> => {
  if ((await inTime(answerOf(path), WAKING_MS)) === undefined) throw away()
  let root: OpenedFolder | undefined
  try {
    root = await openFolderInside(path, '')
    if (realPath !== null && root.path !== realPath) throw new MediaError('outside')
    return root
  } catch (error) {
    await root?.handle.close()
    throw away(error)
  }
}

/** An empty folder is what stays in the place of a disk that is away: nothing may be concluded from it. */
export const isEmptyRoot = (root: OpenedFolder): Promise<boolean> => isBareRoot(root.stablePath)
