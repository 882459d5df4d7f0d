/** Deletions that a crash or a disk that went away has cut off: brought to an end at the start, or as soon as their disk is there. */

import { and, eq, inArray } from 'drizzle-orm'
import { deletions } from '../db/schema/deletions.ts'
import { libraries } from '../db/schema/libraries.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import { trashEnd } from '../domain/trash-end.ts'
import { ignoreAppError } from '../errors.ts'
import { answerOf, inTime, isReadable, WAKING_MS } from '../media/folder-probe.ts'
import { ignoring, type OpenedFolder, openFolderInside } from '../media/inside.ts'
import { isTaken } from '../media/move-folder.ts'
import { removeFolder } from '../media/remove-folder.ts'
import {
  changeState,
  type DeletionDeps,
  type DeletionRow,
  endDeletion,
  settleExpired,
  settleMoved,
  settleRestored,
} from './deletion-journal.ts'
import { isEmptyRoot, openLibraryRoot } from './library-root.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** How long another server that is alive is trusted to be at it still: a disk that sleeps takes its time for a rename. */
const UNDER_WAY_MS = 60_000

/** Where the database is shared with servers that may be alive, what has begun only now may be theirs. */
const mayBeTheirs = ({ at }: DeletionRow, isShared: boolean): boolean => isShared && Math.abs(Date.now() - at) < UNDER_WAY_MS

/** Hands the library's root to `work`; undefined where the disk is away, so that nothing can be told. */
const inRoot = async <T>(deps: DeletionDeps, libraryId: number, work: (root: OpenedFolder) => Promise<T>): Promise<T | undefined> => {
  const [library] = await deps.db.select().from(libraries).where(eq(libraries.id, libraryId))
  const root = library && (await isReadable(library.path)) && (await openLibraryRoot(library).catch(ignoreAppError))
  if (!root) return undefined
  try {
    return (await isEmptyRoot(root)) ? undefined : await work(root)
  } finally {
    await root.handle.close()
  }
}

/** Its library lies somewhere else than where it was hidden: what is there tells nothing of it, but for that very name. */
const isElsewhere = ({ rootPath }: DeletionRow, root: OpenedFolder): boolean => rootPath !== null && rootPath !== root.path

const isInPlace = async (root: OpenedFolder, folder: string): Promise<boolean> => {
  const parent = await openFolderInside(root.path, folderOf(folder)).catch(ignoring('not_found'))
  if (!parent) return false
  try {
    return await isTaken({ parent, name: baseNameOf(folder) })
  } finally {
    await parent.handle.close()
  }
}

/**
 * What the disk says decides: the rename has happened where the folder has its hidden name. Answers whether it says anything:
 * false where it is away, or another server may be about to rename it. What can come back and has neither name waits in the
 * trash for its time to be over, as a part of the disk may be away; what becomes of its item, the next scan tells.
 */
const recoverOne = async (deps: DeletionDeps, row: DeletionRow, isShared: boolean): Promise<boolean> => {
  const seen = await inRoot(deps, row.libraryId, async (root) => ({
    // First: another server may be moving it meanwhile.
    isInPlace: !isElsewhere(row, root) && (await isInPlace(root, row.folder)),
    isHeld: await isTaken({ parent: root, name: row.holding }),
  }))
  if (!seen) return false
  const isMoving = row.state === 'moving'
  if (isMoving && seen.isInPlace && !seen.isHeld && mayBeTheirs(row, isShared)) return false
  if (isMoving && seen.isHeld) await settleMoved(deps, row)
  else if (isMoving && (seen.isInPlace || row.trashUntil === null)) await endDeletion(deps, row.id)
  else if (seen.isHeld || !seen.isInPlace) await changeState(deps, { id: row.id, from: row.state, to: 'trashed' })
  else await settleRestored(deps, row)
  deps.log.info('deletion_recovered', { itemKey: row.itemKey, state: row.state, ...seen })
  return true
}

const isCutOff = inArray(deletions.state, ['moving', 'restoring'])

/** Answers whether nothing of it is half done any more. `isShared`: another server may be at it. */
export const recoverDeletion = async (deps: DeletionDeps, id: number, { isShared }: { isShared: boolean }): Promise<boolean> => {
  const [row] = await deps.db
    .select()
    .from(deletions)
    .where(and(eq(deletions.id, id), isCutOff))
  return !row || (await recoverOne(deps, row, isShared))
}

/** Scans that find a disk awake should find its journal settled. */
const wakeDisks = async ({ db }: DeletionDeps): Promise<void> => {
  const roots = await db
    .selectDistinct({ path: libraries.path })
    .from(deletions)
    .innerJoin(libraries, eq(libraries.id, deletions.libraryId))
    .where(isCutOff)
  await Promise.all(roots.map(({ path }) => inTime(answerOf(path), WAKING_MS)))
}

/**
 * Goes through what was cut off between the journal and the index. To be called before scans start. Answers what is left to be
 * settled. `isShared`: other servers may be at work on the same data.
 */
export const recoverDeletions = async (deps: DeletionDeps, { isShared }: { isShared: boolean }): Promise<number[]> => {
  await wakeDisks(deps)
  const rows = await deps.db.select().from(deletions).where(isCutOff)
  const left: number[] = []
  for (const row of rows) {
    const isSettled = await recoverOne(deps, row, isShared).catch((error: unknown) => {
      deps.log.error('deletion_not_recovered', { itemKey: row.itemKey, error })
      return false
    })
    if (!isSettled) left.push(row.id)
  }
  return left
}

const KNOWN = 'SELECT created_at AS time FROM scans UNION ALL SELECT last_seen_at FROM sessions UNION ALL SELECT at FROM deletions'

/** When something has happened last that the database knows of, before that moment; null where nothing has. */
export const lastKnownTime = async ({ db }: Pick<DeletionDeps, 'db'>, before: number): Promise<number | null> => {
  const { rows } = await db.$client.execute({ sql: `SELECT max(time) AS time FROM (${KNOWN}) WHERE time < ?`, args: [before] })
  const time = rows[0]?.time
  return typeof time === 'number' ? time : null
}

/** When something has happened that the database knows of, the last of each day, in order. */
export const knownTimes = async (
  { db }: Pick<DeletionDeps, 'db'>,
  { after, before }: { after: number; before: number },
): Promise<number[]> => {
  const { rows } = await db.$client.execute({
    sql: `SELECT max(time) AS time FROM (${KNOWN}) WHERE time > ? AND time < ? GROUP BY time / ? ORDER BY time`,
    args: [after, before, DAY_MS],
  })
  return rows.map(({ time }) => Number(time))
}

/** Lets go of what has been in the trash for as long as its library keeps it. */
export const expireTrash = async (deps: DeletionDeps, now: number): Promise<void> => {
  const rows = await deps.db.select().from(deletions).where(eq(deletions.state, 'trashed'))
  for (const row of rows) {
    const end = trashEnd(row, now)
    if (end !== null && end <= now) await settleExpired(deps, row)
  }
}

export const listRemovals = (deps: DeletionDeps): Promise<DeletionRow[]> =>
  deps.db.select().from(deletions).where(eq(deletions.state, 'removing')).orderBy(deletions.id)

/** Removes the files of one deletion, where its disk is there, and closes its journal entry. */
export const removeDeleted = async (deps: DeletionDeps, row: DeletionRow): Promise<void> => {
  const outcome = await inRoot(deps, row.libraryId, async (root) => {
    // The library may come back to where they lie still.
    if (isElsewhere(row, root) && !(await isTaken({ parent: root, name: row.holding }))) return undefined
    return removeFolder(root, row.holding)
  })
  if (outcome === 'removed') await endDeletion(deps, row.id)
  if (outcome === 'mounted') deps.log.warn('deleted_folder_kept', { itemKey: row.itemKey, holding: row.holding })
}
