/** Tells a server whether others are at work on the same data, by a lock that ends with its process, however that ends. */

import { join } from 'node:path'
import Libsql from 'libsql'
import { LOCK_NAME } from '../domain/data-names.ts'
import { errorCode } from '../domain/thrown-error.ts'

/** How long one waits for another that looks at the same moment. */
const LOOK_TIMEOUT_MS = 2000

/** By file. The connections are never closed: a collected one would let go of its lock. */
const held = new Map<string, Libsql.Database>()

const isBusy = (error: unknown): boolean => errorCode(error).startsWith('SQLITE_BUSY')

const isTaken = (file: string): boolean => {
  const connection = held.getOrInsertComputed(file, () => new Libsql(file, { timeout: LOOK_TIMEOUT_MS }))
  if (connection.inTransaction) connection.exec('COMMIT')
  let isShared = false
  try {
    connection.exec('PRAGMA busy_timeout = 0')
    connection.exec('BEGIN EXCLUSIVE')
    connection.exec('COMMIT')
  } catch (error) {
    if (!isBusy(error)) throw error
    isShared = true
  }
  connection.exec(`PRAGMA busy_timeout = ${LOOK_TIMEOUT_MS}`)
  // A transaction that has read something: everybody may have one, and nobody is exclusive beside it.
  connection.exec('BEGIN')
  connection.prepare('SELECT count(*) FROM sqlite_master').all()
  return isShared
}

/**
 * Whether no other server that runs now has looked at one of these folders; from now on this one has. The folders exist. A
 * process that is killed is forgotten at once, which neither its number nor a time in a file could tell. It may be asked again:
 * others are started later.
 */
export const isAloneIn = (folders: readonly string[]): boolean =>
  [...new Set(folders)].map((folder) => isTaken(join(folder, LOCK_NAME))).every((isShared) => !isShared)
