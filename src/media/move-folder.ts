/** Takes a folder out of its place, or puts it back, by one rename: whole, or not at all, also after a power cut. */

import { lstat, rename } from 'node:fs/promises'
import { errorCode } from '../domain/thrown-error.ts'
import { syncFolder } from './atomic-write.ts'
import type { OpenedFolder } from './inside.ts'

/** A name in an opened folder. */
interface PlaceInFolder {
  parent: OpenedFolder
  name: string
}

/** Another folder lies there than the one that was looked at. */
export class FolderExchanged extends Error {
  override readonly name = 'FolderExchanged'
}

const pathOf = ({ parent, name }: PlaceInFolder): string => `${parent.stablePath}/${name}`

/** Whether anything at all has this name, also a link that leads nowhere. */
export const isTaken = async (place: PlaceInFolder): Promise<boolean> => {
  try {
    await lstat(pathOf(place))
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}

/** Takes a move back. What the disk could not make last need not last: the journal knows of the move until it is done. */
export const moveBack = ({ from, to }: { from: PlaceInFolder; to: PlaceInFolder }): Promise<void> => rename(pathOf(to), pathOf(from))

/**
 * Moves `folder`, which is open, from where it was found to a name that nothing has. Throws `FolderExchanged`, and what
 * the system says; the folder is back in its place then.
 */
export const moveFolder = async (folder: OpenedFolder, { from, to }: { from: PlaceInFolder; to: PlaceInFolder }): Promise<void> => {
  await rename(pathOf(from), pathOf(to))
  try {
    const [opened, moved] = await Promise.all([folder.handle.stat({ bigint: true }), lstat(pathOf(to), { bigint: true })])
    if (opened.ino !== moved.ino || opened.dev !== moved.dev) throw new FolderExchanged()
    // Nobody may write into the index what a power cut could take back.
    await syncFolder(from.parent.stablePath)
    await syncFolder(to.parent.stablePath)
  } catch (error) {
    await moveBack({ from, to })
    throw error
  }
}
