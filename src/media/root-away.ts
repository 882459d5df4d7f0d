/** Whether the folder of a library is away, as that of a disk that is not mounted: nothing may be concluded then from a file that is not there. */

import { opendir } from 'node:fs/promises'
import { isIgnoredName } from '../domain/ignored-name.ts'
import { isTrashName } from '../domain/trash-name.ts'
import { inTime } from './folder-probe.ts'
import { openFolderInside } from './inside.ts'

export class RootAway extends Error {
  constructor(cause?: unknown) {
    super('The folder of the library is not there now.', { cause })
  }
}

const isThere = (root: string, folder: string): Promise<boolean> =>
  openFolderInside(root, folder).then(
    async ({ handle }) => {
      await handle.close()
      return true
    },
    () => false,
  )

/**
 * Whether nothing lies in the root of a library, neither what a scan would see nor what was deleted: systems leave files of their own
 * also in the empty folder on which a disk is to be mounted. `path`: absolute.
 */
export const isBareRoot = async (path: string): Promise<boolean> => {
  for await (const { name } of await opendir(path)) if (!isIgnoredName(name) || isTrashName(name)) return false
  return true
}

const lookFor = async (root: string, folder: string): Promise<boolean> => {
  if (folder !== '' && (await isThere(root, folder))) return false
  try {
    const { handle, stablePath } = await openFolderInside(root, '')
    try {
      return await isBareRoot(stablePath)
    } finally {
      await handle.close()
    }
  } catch {
    return true
  }
}

const LIMIT_MS = 2000

/**
 * `root` is absolute. A `folder` below it that is there proves that the library is; without one it is
 * looked for in the root. A bare root is what stays in the place of a disk that is away, and one that hangs does not answer.
 */
export const isRootAway = async (root: string, folder: string): Promise<boolean> => (await inTime(lookFor(root, folder), LIMIT_MS)) ?? true
