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
const heldBy = ({
  rootPath,
  laterTimes,
  leftTimes,
}: Record<'rootPath' | 'laterTimes' | 'leftTimes', string>): string => `CREATE TEMP TABLE held AS
  SELECT *, coalesce(there, (SELECT d.library_id FROM main.deletions d WHERE d.holding = known.holding)) AS library_id,
    there IS NOT NULL AND row_number() OVER (PARTITION BY there, folder ORDER BY at DESC, holding) = 1 AS is_latest
  FROM (SELECT *, (SELECT l.id FROM main.libraries l WHERE ${REAL_ROOT} = disk.real_path AND l.type = disk.library_type) AS there FROM (
    SELECT coalesce(${rootPath}, ${REAL_ROOT}) AS real_path, l.type AS library_type, state, trash_until, ${laterTimes} AS later_times, ${FIELDS}
    FROM present.deletions d JOIN (SELECT id, real_path, path, type FROM present.libraries) l ON l.id = d.library_id
    UNION ALL SELECT real_path, library_type, state, trash_until, ${leftTimes}, ${FIELDS} FROM present.left_trash) disk) known`

/**
 * Of a row that comes back at that moment, as SQL: its `trash_until` and `later_times`, and when it is over where there is no place
 * for the latter (domain/trash-end.ts).
 */
const trashTimes = (now: number): { until: string; laterTimes: string; end: string } => {
  const known = `(SELECT max(time.value) FROM json_each(later_times) AS time WHERE time.value <= ${now})`
  const end = `(trash_until - coalesce(later_times ->> '$[#-1]' - coalesce(${known}, at), 0))`
  const least = now + MIN_TRASH_MS
  return {
    until: `iif(${end} < ${least}, ${least}, trash_until)`,
    laterTimes: `iif(${end} < ${least}, NULL, later_times)`,
    end: `max(${end}, ${least})`,
  }
}

/** As `leaveTrash` does it (services/left-trash.ts). */
const STATE = `CASE WHEN state = 'removing' OR trash_until IS NULL THEN 'removing' ELSE 'trashed' END`

/** Columns that the restored database may not have, by what they get. */
type Given = Readonly<Record<string, string>>
const namesOf = (given: Given): string => [FIELDS, ...Object.keys(given)].join(', ')
const valuesOf = (given: Given): string => [FIELDS, ...Object.values(given)].join(', ')

/** When its time is over: a deletion that is final has none to wait for. */
const untilOf = (given: Given, now: number): string => {
  const { until, end } = trashTimes(now)
  return `CASE WHEN state = 'removing' THEN NULL ELSE ${'later_times' in given ? until : end} END`
}

/**
 * As if the last deletion of each folder had been cut off: the next start, which knows the index of this version, looks at
 * the disk and has the index follow.
 */
const toJournal = (given: Given, now: number): string => `INSERT OR REPLACE INTO deletions
    (library_id, item_id, item_key, state, trash_until, ${namesOf(given)})
  SELECT library_id, (SELECT id FROM media_items WHERE item_key = held.item_type || ':' || held.library_id || ':' || held.folder),
    item_type || ':' || library_id || ':' || folder,
    CASE WHEN is_latest THEN 'moving' ELSE ${STATE} END, ${untilOf(given, now)}, ${valuesOf(given)}
  FROM held WHERE library_id IS NOT NULL ORDER BY at, is_latest`

const toLeft = (
  given: Given,
  now: number,
): string => `INSERT INTO left_trash (real_path, library_type, state, trash_until, ${namesOf(given)})
  SELECT real_path, library_type, ${STATE}, ${untilOf(given, now)}, ${valuesOf(given)} FROM held WHERE library_id IS NULL ORDER BY at`

/** What the backup alone knows of has been restored or removed since, or is still there: the next start looks at the disk. */
const TO_LOOK_AT = `UPDATE OR IGNORE deletions SET state = 'restoring' WHERE state = 'trashed' AND holding NOT IN (SELECT holding FROM held)
  AND id IN (SELECT max(id) FROM deletions GROUP BY library_id, folder)`

/** A damaged database, or one of a version that knew nothing of it. Anything else that SQLite says is a fault of ours. */
export const hasNothingToTell = (error: unknown): boolean =>
  error instanceof LibsqlError &&
  (/^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code) || /no such (?:table|column)|has no column/.test(error.message))

/** Databases of older versions do not know where things lie, or what was known of the clock. */
const columnsOf = async (client: Client, database: 'main' | 'present', table: 'deletions' | 'left_trash'): Promise<Set<unknown>> => {
  const { rows } = await client.execute({ sql: 'SELECT name FROM pragma_table_info(?, ?)', args: [table, database] })
  return new Set(rows.map(({ name }) => name))
}

/** Gives the restored database, which `client` has open and nobody else, the trash that `present` knows of. One of the two may have nothing to tell. */
export const carryTrash = async (client: Client, present: string): Promise<void> => {
  const now = Date.now()
  const { laterTimes } = trashTimes(now)
  try {
    await client.execute({ sql: 'ATTACH ? AS present', args: [present] })
    const [known, left] = [await columnsOf(client, 'present', 'deletions'), await columnsOf(client, 'present', 'left_trash')]
    const givenTo = async (table: 'deletions' | 'left_trash', given: Given): Promise<Given> => {
      const columns = await columnsOf(client, 'main', table)
      return Object.fromEntries(Object.entries(given).filter(([name]) => columns.has(name)))
    }
    const held = {
      rootPath: known.has('root_path') ? 'd.root_path' : 'NULL',
      laterTimes: known.has('later_times') ? 'later_times' : 'NULL',
      leftTimes: left.has('later_times') ? 'later_times' : 'NULL',
    }
    await client.batch(
      [
        heldBy(held),
        'DELETE FROM deletions WHERE holding IN (SELECT holding FROM held)',
        'DELETE FROM left_trash WHERE holding IN (SELECT holding FROM held)',
        toJournal(await givenTo('deletions', { root_path: 'real_path', later_times: laterTimes }), now),
        toLeft(await givenTo('left_trash', { later_times: laterTimes }), now),
        TO_LOOK_AT,
      ],
      // A write would have a lock on the present one too.
      'deferred',
    )
  } catch (error) {
    if (!hasNothingToTell(error)) throw error
  }
}
