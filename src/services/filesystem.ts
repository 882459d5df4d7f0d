/** Folders of the disk, for whoever chooses one of them. */

import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Deps } from '../deps.ts'
import { compareNatural } from '../domain/natural-sort.ts'
import { checkFolder, isWithin } from './library-paths.ts'

interface FolderListing {
  path: string | null
  parent: string | null
  folders: { name: string; path: string }[]
}

/** Folders below the media roots only; without a path, the media roots themselves. */
export const listFolders = async (deps: Deps, given: string | undefined): Promise<FolderListing> => {
  const roots = deps.config.mediaRoots
  if (given === undefined || given === '') {
    const [only, ...others] = roots
    if (only !== undefined && others.length === 0) return listFolders(deps, only)
    return { path: null, parent: null, folders: roots.map((root) => ({ name: root, path: root })) }
  }
  const { path, realPath } = await checkFolder(deps, given)
  const entries = await readdir(realPath, { withFileTypes: true })
  const folders = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.includes('\ufffd'))
    .map((entry) => ({ name: entry.name, path: join(path, entry.name) }))
    .sort((a, b) => compareNatural(a.name, b.name))
  const parent = dirname(path)
  const isInside = parent !== path && roots.some((root) => isWithin(parent, resolve(root)))
  return { path, parent: isInside ? parent : null, folders }
}
