/** Whether the folder of a library is away, as that of a disk that is not mounted: nothing may be concluded then from a file that is not there. */

import { readdir } from 'node:fs/promises'
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
 * `root` is absolute. A `folder` below it that is there proves that the library is; without one the root is listed, which
 * takes the longer the more lies in it. An empty root is what stays in the place of a disk that is away.
 */
export const isRootAway = async (root: string, folder: string): Promise<boolean> => {
  if (folder !== '' && (await isThere(root, folder))) return false
  try {
    const { handle, stablePath } = await openFolderInside(root, '')
    try {
      return (await readdir(stablePath)).length === 0
    } finally {
      await handle.close()
    }
  } catch {
    return true
  }
}
