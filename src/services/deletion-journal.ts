/** The journal of deletions, and what each step of one means for the index (db/schema/deletions.ts tells the states). */

import type { InStatement } from '@libsql/client'
import { and, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import { deletions } from '../db/schema/deletions.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { isVideoName } from '../domain/media-file.ts'
import type { ScannedFile } from '../domain/scanned-item.ts'
import { trashName } from '../domain/trash-name.ts'
import { AppError } from '../errors.ts'
import { listed } from './listed.ts'
import { markMissingStatements, recountChildren, recountLibrary } from './scan-statements.ts'

export type DeletionRow = typeof deletions.$inferSelect
export type DeletionDeps = Pick<Deps, 'db' | 'write' | 'log' | 'events'>

/** Whether an item lies in the trash, itself or with what it is a part of: nobody finds it before it is brought back. */
export const isInTrashSql = (item: string): string =>
  `${item}.missing_since IS NOT NULL AND EXISTS (SELECT 1 FROM deletions WHERE deletions.library_id = ${item}.library_id
    AND deletions.at = ${item}.missing_since AND deletions.state IN ('trashed', 'restoring'))`

export const DELETION_UNDER_WAY = 'This folder is being deleted or restored right now.'

/** Writes down what is about to happen. Throws `conflict` where the folder is being moved already. */
export const beginDeletion = async (
  deps: DeletionDeps,
  fields: Omit<typeof deletions.$inferInsert, 'id' | 'holding' | 'state'>,
): Promise<DeletionRow> => {
  const row = await deps.write.transaction(async (tx) => {
    const [begun] = await tx
      .insert(deletions)
      .values({ ...fields, state: 'moving', holding: '' })
      .onConflictDoNothing()
      .returning()
    if (!begun) return undefined
    const [named] = await tx
      .update(deletions)
      .set({ holding: trashName(begun.id, crypto.getRandomValues(new Uint8Array(4)).toHex()) })
      .where(eq(deletions.id, begun.id))
      .returning()
    return named
  })
  if (!row) throw new AppError('conflict', DELETION_UNDER_WAY)
  return row
}

/** Changes the state where it is still the expected one; answers whether it was. Throws `conflict` where the folder is being moved already. */
export const changeState = async (
  deps: DeletionDeps,
  { id, from, to }: { id: number; from: DeletionRow['state']; to: DeletionRow['state'] },
): Promise<boolean> => {
  // The folder of another deletion, that had the same name.
  const [changed, asked] = await deps.write.batch([
    { sql: 'UPDATE OR IGNORE deletions SET state = ? WHERE id = ? AND state = ?', args: [to, id, from] },
    { sql: 'SELECT 1 FROM deletions WHERE id = ? AND state = ?', args: [id, from] },
  ])
  if (asked && asked.rows.length > 0) throw new AppError('conflict', DELETION_UNDER_WAY)
  return (changed?.rowsAffected ?? 0) > 0
}

/** Nothing is left to do. */
export const endDeletion = async (deps: DeletionDeps, id: number): Promise<void> => {
  await deps.write.transaction((tx) => tx.delete(deletions).where(eq(deletions.id, id)))
}

/** It may be written or not: the folder stays where it is now, until the database tells (`Removals.settle`). */
export class StepUnknown extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'The database does not answer now.', { cause })
  }
}

/** Undefined where the journal knows nothing of it. Asked as a write is, so that one which is under way is over by then. */
const stateOf = async ({ write }: DeletionDeps, id: number): Promise<DeletionRow['state'] | undefined> => {
  const [row] = await write.transaction((tx) => tx.select({ state: deletions.state }).from(deletions).where(eq(deletions.id, id)))
  return row?.state
}

/**
 * Writes a step. The answer of a database on a server may be lost after the work is done, or another server may have done it,
 * so after an error its state tells: throws where it is not `done`, `conflict` where the journal knows of it no more, or
 * `StepUnknown`.
 */
const writeStep = async (
  deps: DeletionDeps,
  { id, done, statements }: { id: number; done: DeletionRow['state'] | undefined; statements: InStatement[] },
): Promise<void> => {
  try {
    await deps.write.batch(statements)
  } catch (error) {
    const state = await stateOf(deps, id).catch(() => {
      throw new StepUnknown(error)
    })
    if (state === done) return
    throw state === undefined
      ? new AppError('conflict', 'The deletion was given up meanwhile; nothing is deleted.', { cause: error })
      : error
  }
}

/** Fails where that is not so, and the batch with it: what is no JSON is all that a statement can refuse by. */
const assertState = (id: number, state: DeletionRow['state']): InStatement => ({
  sql: `SELECT json(CASE WHEN EXISTS (SELECT 1 FROM deletions WHERE id = ? AND state = ?) THEN 'true' ELSE 'not so' END)`,
  args: [id, state],
})

/** Now, as an even number of milliseconds: the moment before is that of no other deletion either. */
export const deletionTime = (): number => Math.floor(Date.now() / 2) * 2

/** When that went missing which had left the folder before its deletion: a moment that is not the deletion's. */
const beforeDeletion = ({ at }: Pick<DeletionRow, 'at'>): number => at - 1

const TREE = `WITH RECURSIVE tree(id) AS (SELECT ?1 UNION SELECT m.id FROM media_items m JOIN tree ON m.parent_id = tree.id)`

const listTree = async ({ db }: DeletionDeps, itemId: number): Promise<number[]> => {
  const { rows } = await db.$client.execute({ sql: `${TREE} SELECT id FROM tree`, args: [itemId] })
  return rows.map(({ id }) => Number(id))
}

/** The next scan looks at the place again. */
const readAgain = ({ libraryId, unit }: DeletionRow): InStatement => ({
  sql: `UPDATE scan_units SET signature = '' WHERE library_id = ? AND path = ?`,
  args: [libraryId, unit],
})

/** As `readAgain`; a unit that holds nothing any more is forgotten. */
const forgetUnit = (row: DeletionRow): InStatement[] => [
  readAgain(row),
  {
    sql: `DELETE FROM scan_units WHERE library_id = ?1 AND path = ?2
      AND NOT EXISTS (SELECT 1 FROM media_items WHERE library_id = ?1 AND unit = ?2)`,
    args: [row.libraryId, row.unit],
  },
]

/** Null where a scan has found the item somewhere else meanwhile: there it lives on. */
const findItem = async ({ db }: DeletionDeps, { itemId, itemKey }: DeletionRow): Promise<number | null> => {
  const { rows } = await db.$client.execute({ sql: 'SELECT 1 FROM media_items WHERE id = ? AND item_key = ?', args: [itemId, itemKey] })
  return rows.length > 0 ? itemId : null
}

/** A scan that came before the journal was settled has seen that they are gone, but not that it was this deletion. */
const dateBack = (ids: readonly number[], at: number): InStatement => ({
  sql: 'UPDATE media_items SET missing_since = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND missing_since > ?1',
  args: [at, JSON.stringify(ids)],
})

/** With the containers of which all children that were there are among them. */
const withEmptied = (moved: ReadonlySet<number>, items: readonly { id: number; parentId: number | null }[]): ReadonlySet<number> => {
  const left = new Set(items.flatMap(({ id, parentId }) => (moved.has(id) ? [] : (parentId ?? []))))
  const emptied = items.flatMap(({ id, parentId }) =>
    moved.has(id) && parentId !== null && !left.has(parentId) && !moved.has(parentId) ? [parentId] : [],
  )
  return emptied.length > 0 ? withEmptied(new Set([...moved, ...emptied]), items) : moved
}

/** What a folder holds. */
export interface FilesInFolder {
  /** Relative to the library's root. */
  paths: ReadonlySet<string>
  /** As scans tell files that have been renamed (`ScannedItem.identity`). */
  identities: ReadonlySet<number | null>
}

/** A film is whatever video lies in its folder: it may be there under another name, or as a better encode, that no scan has seen. */
const hasUnknownVideo = ({ path, others }: { path: string; others: readonly ScannedFile[] | null }, { paths }: FilesInFolder): boolean => {
  const known = new Set((others ?? []).map(({ name }) => `${path}/${name}`))
  return [...paths].some((file) => isVideoName(file) && !known.has(file))
}

/**
 * What the index has in the folder, and nobody finds there any more, has been moved or taken away since the last scan. It is missing,
 * as that scan would have told, and not deleted: the next one may find it with all that is on it.
 */
export const leaveMoved = async (deps: DeletionDeps, row: DeletionRow, files: FilesInFolder): Promise<void> => {
  if (row.itemId === null) return
  const inTree = and(inArray(mediaItems.id, listed(await listTree(deps, row.itemId))), isNull(mediaItems.missingSince))
  const { id, itemType, parentId, path, identity, mainFile, files: others } = getTableColumns(mediaItems)
  const items = await deps.db.select({ id, itemType, parentId, path, identity, mainFile, others }).from(mediaItems).where(inTree)
  const isThere = (item: (typeof items)[number]): boolean =>
    item.mainFile === null ||
    files.paths.has(item.mainFile) ||
    (item.identity !== null && files.identities.has(item.identity)) ||
    (item.others ?? []).some(({ name, role }) => role !== 'extra' && files.paths.has(`${item.path}/${name}`)) ||
    (item.itemType === 'movie' && hasUnknownVideo(item, files))
  const moved = withEmptied(new Set(items.filter((item) => !isThere(item)).map((item) => item.id)), items)
  if (moved.size > 0) await deps.write.batch(markMissingStatements([...moved], beforeDeletion(row)))
}

/** What goes with an item may not take along what `leaveMoved` has left: `?1` is the item, `?2` when that went missing. */
const KEEP_MOVED = `${TREE} UPDATE media_items SET parent_id = NULL WHERE id IN (SELECT id FROM tree) AND missing_since = ?2
  AND NOT EXISTS (SELECT 1 FROM media_items above WHERE above.id = media_items.parent_id AND above.missing_since = ?2)`

/** The item and everything below it go, with their tags and texts, but for what `leaveMoved` has left: the tables that name them follow by their references. */
const forgetItem = (itemId: number, row: DeletionRow): InStatement[] => [
  { sql: KEEP_MOVED, args: [itemId, beforeDeletion(row)] },
  { sql: 'DELETE FROM media_items WHERE id = ?1 AND missing_since IS NOT ?2', args: [itemId, beforeDeletion(row)] },
]

/**
 * The folder is out of its place: the index follows, in one transaction. Scans that run must know before
 * (`ScanRunner.leaveOut`), or they write down again what they have seen there. Throws `conflict` where the journal entry has
 * gone meanwhile, with its library or by another server: nobody would ever look after a folder that is hidden now.
 */
export const settleMoved = async (deps: DeletionDeps, row: DeletionRow): Promise<void> => {
  const { id, libraryId, trashUntil, at } = row
  const itemId = await findItem(deps, row)
  const ids = itemId === null ? [] : await listTree(deps, itemId)
  const statements =
    trashUntil === null
      ? [...(itemId === null ? [] : forgetItem(itemId, row)), ...forgetUnit(row), recountLibrary(libraryId)]
      : [dateBack(ids, at), ...markMissingStatements(ids, at)]
  const state = trashUntil === null ? 'removing' : 'trashed'
  const change = { sql: 'UPDATE deletions SET state = ? WHERE id = ?', args: [state, id] }
  await writeStep(deps, { id, done: state, statements: [assertState(id, 'moving'), ...statements, change] })
  deps.events.emit({ type: 'library', libraryId })
}

/** The folder is back: what the deletion marked missing is there again, and the journal forgets it. */
export const settleRestored = async (deps: DeletionDeps, row: DeletionRow): Promise<void> => {
  const { id, itemId, libraryId, at } = row
  const ids = itemId === null ? [] : await listTree(deps, itemId)
  const statements = [
    {
      sql: 'UPDATE media_items SET missing_since = NULL WHERE id IN (SELECT value FROM json_each(?)) AND missing_since = ?',
      args: [JSON.stringify(ids), at],
    },
    recountChildren(ids),
    recountLibrary(libraryId),
    // A scan in between remembers the unit without it, as it is again where the folder is gone before the next one.
    readAgain(row),
    { sql: 'DELETE FROM deletions WHERE id = ?', args: [id] },
  ]
  await writeStep(deps, { id, done: undefined, statements })
  deps.events.emit({ type: 'library', libraryId })
}

/**
 * Its time in the trash is over: the item is forgotten, unless a scan has found it again meanwhile, and its files are to
 * be removed. Answers whether that is so: somebody who restores it may be faster, and then only the next scan looks again.
 */
export const settleExpired = async (deps: DeletionDeps, row: DeletionRow): Promise<boolean> => {
  const { id, itemId, libraryId, at } = row
  const isStillGone = `missing_since = ?2 AND NOT EXISTS
    (SELECT 1 FROM media_items child WHERE child.parent_id = media_items.id AND child.missing_since IS NULL)`
  const isRemoving = `EXISTS (SELECT 1 FROM deletions WHERE id = ?3 AND state = 'removing')`
  const [changed] = await deps.write.batch([
    { sql: `UPDATE deletions SET state = 'removing' WHERE id = ? AND state = 'trashed'`, args: [id] },
    { sql: KEEP_MOVED, args: [itemId, beforeDeletion(row)] },
    { sql: `DELETE FROM media_items WHERE id = ?1 AND ${isStillGone} AND ${isRemoving}`, args: [itemId, at, id] },
    ...forgetUnit(row),
  ])
  deps.events.emit({ type: 'library', libraryId })
  return (changed?.rowsAffected ?? 0) > 0
}
