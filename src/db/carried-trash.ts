/** The journal of deletions tells of the disk, which does not go back with the database: a restored one takes over what the present one knows. */

import { type Client, LibsqlError } from '@libsql/client/sqlite3'
import { MIN_TRASH_MS, TRASH_COLUMNS } from './trash-rows.ts'

const FIELDS = TRASH_COLUMNS.join(', ')
/** Where the library `l` lies. */
const REAL_ROOT = 'coalesce(l.real_path, l.path)'

/**
 * What lies hidden on the disks, by where that is: the two databases may count their libraries differently. `there` is the restored
 * library that lies in that place; where none does, it stays with the one that the backup knows it of.
 */
const heldBy = (rootPath: string): string => `CREATE TEMP TABLE held AS
  SELECT *, coalesce(there, (SELECT d.library_id FROM main.deletions d WHERE d.holding = known.holding)) AS library_id,
    there IS NOT NULL AND row_number() OVER (PARTITION BY there, folder ORDER BY at DESC, holding) = 1 AS is_latest
  FROM (SELECT *, (SELECT l.id FROM main.libraries l WHERE ${REAL_ROOT} = disk.real_path AND l.type = disk.library_type) AS there FROM (
    SELECT coalesce(${rootPath}, ${REAL_ROOT}) AS real_path, l.type AS library_type, state, trash_until, ${FIELDS}
    FROM present.deletions d JOIN (SELECT id, real_path, path, type FROM present.libraries) l ON l.id = d.library_id
    UNION ALL SELECT real_path, library_type, state, trash_until, ${FIELDS} FROM present.left_trash) disk) known`

/** A deletion that is final has no time to wait for. */
const UNTIL = `CASE WHEN state = 'removing' THEN NULL ELSE max(trash_until, ?) END`
/** As `leaveTrash` does it (services/left-trash.ts). */
const STATE = `CASE WHEN state = 'removing' OR trash_until IS NULL THEN 'removing' ELSE 'trashed' END`

/**
 * As if the last deletion of each folder had been cut off: the next start, which knows the index of this version, looks at
 * the disk and has the index follow. `roots`: the column that tells where it lies, which the restored journal may not have.
 */
const toJournal = (roots: string): string => `INSERT OR REPLACE INTO deletions
    (library_id, item_id, item_key, state, trash_until, ${FIELDS}${roots && `, ${roots}`})
  SELECT library_id, (SELECT id FROM media_items WHERE item_key = held.item_type || ':' || held.library_id || ':' || held.folder),
    item_type || ':' || library_id || ':' || folder,
    CASE WHEN is_latest THEN 'moving' ELSE ${STATE} END, ${UNTIL}, ${FIELDS}${roots && ', real_path'}
  FROM held WHERE library_id IS NOT NULL ORDER BY at, is_latest`

const TO_LEFT = `INSERT INTO left_trash (real_path, library_type, state, trash_until, ${FIELDS})
  SELECT real_path, library_type, ${STATE}, ${UNTIL}, ${FIELDS} FROM held WHERE library_id IS NULL ORDER BY at`

/** What the backup alone knows of has been restored or removed since, or is still there: the next start looks at the disk. */
const TO_LOOK_AT = `UPDATE OR IGNORE deletions SET state = 'restoring' WHERE state = 'trashed' AND holding NOT IN (SELECT holding FROM held)
  AND id IN (SELECT max(id) FROM deletions GROUP BY library_id, folder)`

/** A damaged database, or one of a version that knew no trash. Anything else that SQLite says is a fault of ours. */
const hasNothingToTell = (error: unknown): boolean =>
  error instanceof LibsqlError &&
  (/^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code) || /no such (?:table|column)|has no column/.test(error.message))

/** Journals of older versions do not know where things lie. */
const knowsRoots = async (client: Client, database: 'main' | 'present'): Promise<boolean> => {
  const sql = "SELECT 1 FROM pragma_table_info('deletions', ?) WHERE name = 'root_path'"
  return (await client.execute({ sql, args: [database] })).rows.length > 0
}

/** Gives the restored database, which `client` has open and nobody else, the trash that `present` knows of. One of the two may have nothing to tell. */
export const carryTrash = async (client: Client, present: string): Promise<void> => {
  const least = Date.now() + MIN_TRASH_MS
  try {
    await client.execute({ sql: 'ATTACH ? AS present', args: [present] })
    await client.batch(
      [
        heldBy((await knowsRoots(client, 'present')) ? 'd.root_path' : 'NULL'),
        'DELETE FROM deletions WHERE holding IN (SELECT holding FROM held)',
        'DELETE FROM left_trash WHERE holding IN (SELECT holding FROM held)',
        { sql: toJournal((await knowsRoots(client, 'main')) ? 'root_path' : ''), args: [least] },
        { sql: TO_LEFT, args: [least] },
        TO_LOOK_AT,
      ],
      // A write would have a lock on the present one too.
      'deferred',
    )
  } catch (error) {
    if (!hasNothingToTell(error)) throw error
  }
}
