/** Which folder of a mixed library is looked at, as the address says; without a word there, what was chosen last on this device. */

import { createDeviceChoice } from './device-choice.ts'

/** Stands for the root in the address, where nothing at all means what was chosen last. */
export const ROOT = '/'

export const createFolderView = (libraryId: number, get: (name: string) => string) => {
  const [shown, show] = createDeviceChoice(`files-${libraryId}`, ['all', 'folders'], 'all')
  /** The root is the empty path. Undefined where all files are shown, as in libraries that have no folders. */
  const folder = (): string | undefined => {
    const named = get('folder')
    if (named === '' && shown() === 'all') return undefined
    return named === ROOT ? '' : named
  }
  return {
    folder,
    show,
    /** What is asked for; `below`: also what lies in the folders of the folder. */
    scope: (below: boolean) => (folder() === undefined ? {} : { path: folder(), below }),
  }
}

export type FolderView = ReturnType<typeof createFolderView>
