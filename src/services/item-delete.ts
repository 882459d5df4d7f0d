/**
 * Deleting a film or a series: its whole folder, and nothing else (API.md, 7). The journal is written first, then one
 * rename takes the folder out of sight, then the index follows; the files are removed afterwards, in the background, or
 * stay in the trash. After a crash the folder is in its place with its item, or gone with it.
 */

import { access, constants } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import { errorCode, succeeds } from '../domain/thrown-error.ts'
import { AppError } from '../errors.ts'
import { FolderExchanged, isTaken, moveBack, moveFolder } from '../media/move-folder.ts'
import { type DeleteTarget, withDeleteTarget } from './delete-target.ts'
import { beginDeletion, type DeletionRow, deletionTime, endDeletion, leaveMoved, StepUnknown, settleMoved } from './deletion-journal.ts'
import { knownTimes } from './deletion-recovery.ts'
import { toFolderError } from './item-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** What is known to have happened later than this from now is the mark of a clock that was ahead, not of one that is behind. */
const MOST_BEHIND_MS = 10 * 365 * DAY_MS

interface DeletePlan {
  files: number
  /** Bytes. */
  bytes: number
  /** Relative to the library's root. */
  folder: string
  /** Days that it can be brought back for; 0 where deletion is final. */
  trashDays: number
}

/** Folders that a rename changes: those of both names, and the one that gets another folder above it. */
const assertWritable = async ({ item, root, parent, folder }: DeleteTarget): Promise<void> => {
  const changed = folderOf(item.path) === '' ? [root] : [root, parent, folder]
  for (const { stablePath } of changed)
    await access(stablePath, constants.W_OK).catch((error: unknown) => {
      throw toFolderError(error)
    })
}

/** What a deletion would take. Throws as the deletion would. */
export const planDelete = (deps: Deps, viewer: Viewer, itemKey: string): Promise<DeletePlan> =>
  withDeleteTarget(deps, viewer, {
    itemKey,
    work: async (target) => {
      await assertWritable(target)
      const { item, library, survey } = target
      return { files: survey.files, bytes: survey.bytes, folder: item.path, trashDays: library.trashDays }
    },
  })

const OTHER_REASONS: Record<string, () => AppError> = {
  EXDEV: () => new AppError('unsafe_delete', 'The folder lies on another disk than the library.'),
  EBUSY: () => new AppError('conflict', 'The folder is in use: something is mounted there.'),
}

const toAppError = (error: unknown): unknown => {
  if (error instanceof FolderExchanged) return new AppError('conflict', 'The folder was exchanged for another one meanwhile.')
  const code = errorCode(error)
  return (Object.hasOwn(OTHER_REASONS, code) ? OTHER_REASONS[code]?.() : undefined) ?? toFolderError(error)
}

const enter = async (deps: Deps, row: DeletionRow): Promise<void> => {
  await deps.scans.leaveOut(row.libraryId, row.folder)
  await settleMoved(deps, row)
}

/** Counted by a clock that is behind, all the days would be over as soon as it is set right: until when it is in the trash, and why. */
const inTrash = async (deps: Deps, days: number, at: number): Promise<{ trashUntil: number; laterTimes: number[] | null } | null> => {
  if (days === 0) return null
  const laterTimes = await knownTimes(deps, { after: at, before: at + MOST_BEHIND_MS })
  return { trashUntil: (laterTimes.at(-1) ?? at) + days * DAY_MS, laterTimes: laterTimes.length > 0 ? laterTimes : null }
}

const takeAway = async (
  deps: Deps,
  viewer: Viewer,
  { item, library, root, parent, folder, survey, files: present }: DeleteTarget,
): Promise<void> => {
  const at = deletionTime()
  const row = await beginDeletion(deps, {
    libraryId: library.id,
    itemId: item.id,
    itemKey: item.itemKey,
    itemType: item.itemType,
    title: item.title,
    unit: item.unit,
    folder: item.path,
    rootPath: root.path,
    files: survey.files,
    bytes: survey.bytes,
    ...(await inTrash(deps, library.trashDays, at)),
    createdBy: viewer.username,
    at,
  })
  const move = { from: { parent, name: baseNameOf(item.path) }, to: { parent: root, name: row.holding } }
  try {
    await leaveMoved(deps, row, present)
    await moveFolder(folder, move)
    await enter(deps, row).catch(async (error: unknown) => {
      if (!(error instanceof StepUnknown)) await moveBack(move)
      throw error
    })
  } catch (error) {
    // Renamed by somebody else in that moment, it never came into the trash, as the disk alone could not tell after a crash.
    const isElsewhere = errorCode(error) === 'ENOENT' && !(await isTaken(move.to).catch(() => true))
    if (!isElsewhere || !(await succeeds(endDeletion(deps, row.id)))) await deps.removals.settle(row.id)
    throw toAppError(error)
  }
  const { files, bytes } = survey
  deps.log.info('item_deleted', { itemKey: item.itemKey, files, bytes, isFinal: row.trashUntil === null, by: viewer.username })
}

/** Throws `delete_not_supported`, `unsafe_delete`, `conflict` or `unavailable`; nothing has changed then. */
export const deleteItem = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<void> => {
  await withDeleteTarget(deps, viewer, { itemKey, work: (target) => takeAway(deps, viewer, target) })
  await deps.removals.removed()
}
