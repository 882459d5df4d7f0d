/** The journal of deletions tells of the disk, which does not go back with the database: a restored one takes over what the present one knows. */

import { type Client, LibsqlError } from '@libsql/client/sqlite3'
import { MIN_TRASH_MS, TRASH_COLUMNS } from './trash-rows.ts'

const FIELDS = TRASH_COLUMNS.join(', ')
/** Where the library `l` lies. */
const REAL_ROOT = 'coalesce(l.real_path, l.path)'

/** What lies hidden on the disks, by where its library lies: the two databases may count their libraries differently. */
const HELD = `CREATE TEMP TABLE held AS
  SELECT *, row_number() OVER (PARTITION BY real_path, library_type, folder ORDER BY at DESC, holding) = 1 AS is_latest FROM (
    SELECT ${REAL_ROOT} AS real_path, l.type AS library_type, state, trash_until, ${FIELDS}
    FROM present.deletions d JOIN (SELECT id, real_path, path, type FROM present.libraries) l ON l.id = d.library_id
    UNION ALL SELECT real_path, library_type, state, trash_until, ${FIELDS} FROM present.left_trash)`

const IS_OF_LIBRARY = `${REAL_ROOT} = held.real_path AND l.type = held.library_type`

/** A deletion that is final has no time to wait for. */
const UNTIL = `CASE WHEN state = 'removing' THEN NULL ELSE max(trash_until, ?) END`

/**
 * As if the last deletion of each folder had been cut off: the next start, which knows the index of this version, looks at
 * the disk and has the index follow.
 */
const TO_JOURNAL = `INSERT OR REPLACE INTO deletions (library_id, item_id, item_key, state, trash_until, ${FIELDS})
  SELECT l.id, (SELECT id FROM media_items WHERE item_key = held.item_type || ':' || l.id || ':' || held.folder),
    held.item_type || ':' || l.id || ':' || held.folder,
    CASE WHEN is_latest THEN 'moving' WHEN state = 'removing' THEN 'removing' ELSE 'trashed' END, ${UNTIL}, ${FIELDS}
  FROM held JOIN (SELECT id, real_path, path, type FROM libraries) l ON ${IS_OF_LIBRARY} ORDER BY at, is_latest`

/** As `leaveTrash` does it (services/left-trash.ts). */
const TO_LEFT = `INSERT INTO left_trash (real_path, library_type, state, trash_until, ${FIELDS})
  SELECT real_path, library_type,
    CASE WHEN state = 'removing' OR trash_until IS NULL THEN 'removing' ELSE 'trashed' END, ${UNTIL}, ${FIELDS} FROM held
  WHERE NOT EXISTS (SELECT 1 FROM libraries l WHERE ${IS_OF_LIBRARY}) ORDER BY at`

/** What the backup alone knows of has been restored or removed since, or is still there: the next start looks at the disk. */
const TO_LOOK_AT = `UPDATE OR IGNORE deletions SET state = 'restoring' WHERE state = 'trashed' AND holding NOT IN (SELECT holding FROM held)
  AND id IN (SELECT max(id) FROM deletions GROUP BY library_id, folder)`

/** A damaged database, or one of a version that knew no trash. Anything else that SQLite says is a fault of ours. */
const hasNothingToTell = (error: unknown): boolean =>
  error instanceof LibsqlError &&
  (/^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code) || /no such (?:table|column)|has no column/.test(error.message))

/** Gives the restored database, which `client` has open and nobody else, the trash that `present` knows of. One of the two may have nothing to tell. */
export const carryTrash = async (client: Client, present: string): Promise<void> => {
  const least = Date.now() + MIN_TRASH_MS
  try {
    await client.execute({ sql: 'ATTACH ? AS present', args: [present] })
    await client.batch(
      [
        HELD,
        'DELETE FROM deletions WHERE holding IN (SELECT holding FROM held)',
        'DELETE FROM left_trash WHERE holding IN (SELECT holding FROM held)',
        { sql: TO_JOURNAL, args: [least] },
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
