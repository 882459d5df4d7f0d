/** Removes a folder that was taken out of its place, with everything in it. */

import { readdir, rm } from 'node:fs/promises'
import { errorCode } from '../domain/thrown-error.ts'
import { surveyFolder } from './folder-survey.ts'
import { ignoring, type OpenedFolder, openFolderIn } from './inside.ts'

type RemovalOutcome = 'removed' | 'mounted'

/**
 * Removes the folder of this name in an opened one, off the main thread. Links in it are removed and not followed
 * (the runtime opens every folder with O_NOFOLLOW), and nothing is removed where something is mounted below it.
 * A folder that is not there is removed already. Throws what the system says; what is left then can be removed later.
 */
export const removeFolder = async (parent: OpenedFolder, name: string): Promise<RemovalOutcome> => {
  const folder = await openFolderIn(parent, name).catch(ignoring('not_found'))
  if (!folder) return 'removed'
  try {
    if ((await surveyFolder(folder)).hasMount) return 'mounted'
  } finally {
    await folder.handle.close()
  }
  const path = `${parent.stablePath}/${name}`
  const removeAll = (): Promise<void> => rm(path, { recursive: true, force: true })
  await removeAll().catch(async (error: unknown) => {
    if (!isDenied(error)) throw error
    await openToOwner(parent, name)
    await removeAll()
  })
  return 'removed'
}

const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errorCode(error))

/**
 * Folders that their owner may not write into keep their files, whoever may remove the folder itself. Each is opened first: a link
 * that has taken the place of one since it was listed would lead to folders that nobody wants changed.
 */
const openToOwner = async (parent: OpenedFolder, name: string): Promise<void> => {
  const folder = await openFolderIn(parent, name).catch(ignoring('not_found'))
  if (!folder) return
  try {
    await folder.handle.chmod(0o700)
    const entries = await readdir(folder.stablePath, { withFileTypes: true })
    for (const entry of entries) if (entry.isDirectory()) await openToOwner(folder, entry.name)
  } finally {
    await folder.handle.close()
  }
}
