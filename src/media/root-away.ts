/** Whether the folder of a library is away, as that of a disk that is not mounted: nothing may be concluded then from a file that is not there. */

import { readdir } from 'node:fs/promises'
import { openFolderInside } from './inside.ts'

export class RootAway extends Error {
  constructor(cause?: unknown) {
    super('The folder of the library is not there now.', { cause })
  }
}

/** `root` is absolute. An empty folder is what stays in the place of a disk that is away. */
export const isRootAway = async (root: string): Promise<boolean> => {
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
