/** Which folder of a mixed library is looked at, as the address says; without a word there, what was chosen last on this device. */

import { createDeviceChoice } from './device-choice.ts'
import { filterIn, isNarrow } from './tag-filter.ts'

/** Stands for the root in the address. */
export const ROOT = '/'
/** Stands for all files there, where this device has chosen folders. */
const ALL = '//'

export const createFolderView = (libraryId: number, get: (name: string) => string) => {
  const [remembered, remember] = createDeviceChoice(`files-${libraryId}`, ['all', 'folders'], 'all')
  // As it was on arrival: Back undoes what is chosen from then on.
  const hasAll = remembered() === 'all'
  /** The root is the empty path. Undefined where all files are shown, as in libraries that have no folders. */
  const folder = (): string | undefined => {
    const named = get('folder')
    if (named === ALL || (named === '' && hasAll)) return undefined
    // A link to a file alone is one to its folder; with a filter, one to all that it finds.
    if (named === '' && !isNarrow(filterIn(get))) return /:\d+:([^]+)\//.exec(get('item'))?.[1] ?? ''
    return named === ROOT ? '' : named
  }
  return {
    folder,
    remember,
    /** How the address names what `folder` answers; null where it need not. */
    named: (path: string | undefined): string | null => (path === undefined ? (hasAll ? null : ALL) : path || ROOT),
    /** What is asked for; `below`: also what lies in the folders of the folder. */
    scope: (below: boolean) => (folder() === undefined ? {} : { path: folder(), below }),
  }
}

export type FolderView = ReturnType<typeof createFolderView>
