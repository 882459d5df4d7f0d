/**
 * Inodes, sizes and times of everything in a library, as a sieve: whether a scanned file may be one that the index knows from
 * another place. It may say yes wrongly (the file then waits for the end of the walk), and never no wrongly.
 *
 * A sieve in memory, read once by a scan that meets something new, because an index over inodes or sizes would cost every
 * first scan a tenth to a fifth of its time; asking the rows for each new file would read the whole library each time.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../db/client.ts'
import type { ScannedItem } from '../domain/scanned-item.ts'

/** What an item is told by wherever it goes. */
export interface Print {
  identity: number | null
  /** Bytes of its first file: extras and versions come and go. */
  size: number | null
  modifiedAt: number
}

export const printOf = ({ itemType, identity, size, modifiedAt, files }: ScannedItem): Print => ({
  identity,
  size: itemType === 'movie' || itemType === 'game' ? (files[0]?.size ?? size) : size,
  modifiedAt,
})

/** `Print.size` of a row. */
export const MAIN_SIZE = `CASE WHEN item_type IN ('movie', 'game') THEN coalesce(files ->> '$[0].size', size) ELSE size END`

/** The columns of a `Print`. An identity that was made with the number of a device says nothing: the device may have another by now. */
export const PRINT_COLUMNS = `iif(identity < 0, identity, NULL) AS identity, ${MAIN_SIZE} AS size, modified_at AS modifiedAt`

export interface KnownPrints {
  /** Whether some item had this inode before the scan. */
  mayKnowInode(print: Print): boolean
  /** Whether some item had this size and time before the scan, or this size and a content hash. */
  mayKnowBytes(print: Print): boolean
}

/** Reads partial content hashes; null for what cannot be read. */
export interface Hashing {
  /** Of files of the library, paths relative to its root, in the order asked. */
  hashFiles: (paths: string[]) => Promise<(string | null)[]>
  /** The same of another library's. */
  hashElsewhere: (libraryId: number, paths: string[]) => Promise<(string | null)[]>
}

/** Bits for each row, which has two or three entries: about one in ten strangers passes. */
const BITS_PER_ROW = 64
const BITS_PER_WORD = 32
/** Rows a query, so that requests get their turn in between. */
const BATCH_ROWS = 2000
/** Stands for the time of items that are known by their content, whatever their time. */
const ANY_TIME = -1
/** Stands for the time of inodes, whose numbers are no sizes. */
const INODE = -2

/** Mixes both numbers into 32 bits (the multipliers are those of MurmurHash3's finaliser). */
const hashOf = (size: number, modifiedAt: number): number => {
  let hash = Math.imul(size | 0, 0x85ebca6b) ^ Math.imul((size / 2 ** 32) | 0, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 13) ^ (modifiedAt | 0), 0xc2b2ae35) ^ Math.imul((modifiedAt / 2 ** 32) | 0, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

export const loadKnownPrints = async (db: Database, libraryId: number): Promise<KnownPrints> => {
  const { $client: client } = db
  const counted = await client.execute({ sql: 'SELECT count(*) AS total FROM media_items WHERE library_id = ?', args: [libraryId] })
  const words = Math.max(1, Math.ceil((Number(counted.rows[0]?.total ?? 0) * BITS_PER_ROW) / BITS_PER_WORD))
  const sieve = new Uint32Array(words)
  const placeOf = (size: number, modifiedAt: number): number => hashOf(size, modifiedAt) % (words * BITS_PER_WORD)
  const add = (place: number): void => {
    const word = place >>> 5
    sieve[word] = (sieve[word] ?? 0) | (1 << (place & 31))
  }
  const has = (place: number): boolean => ((sieve[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0

  for (let after = 0, isDone = false; !isDone; ) {
    const { rows } = await client.execute({
      sql: `SELECT id, ${PRINT_COLUMNS}, content_hash IS NOT NULL AS isHashed FROM media_items
        WHERE id > ? AND library_id = ? ORDER BY id LIMIT ?`,
      args: [after, libraryId, BATCH_ROWS],
    })
    for (const row of rows) {
      if (row.identity !== null) add(placeOf(Number(row.identity), INODE))
      const size = Number(row.size)
      if (size === 0) continue
      add(placeOf(size, Number(row.modifiedAt)))
      if (row.isHashed === 1) add(placeOf(size, ANY_TIME))
    }
    after = Number(rows.at(-1)?.id ?? after)
    isDone = rows.length < BATCH_ROWS
    // A database of our own answers without ever leaving the thread.
    await nextTurn()
  }

  return {
    mayKnowInode: ({ identity }) => identity !== null && has(placeOf(identity, INODE)),
    mayKnowBytes: ({ size, modifiedAt }) => !!size && (has(placeOf(size, modifiedAt)) || has(placeOf(size, ANY_TIME))),
  }
}
