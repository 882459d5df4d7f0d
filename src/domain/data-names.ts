/** Names in the folders that a server keeps its data in, by which they are known again. */

/** In each folder that a server has its data or its database in. */
export const LOCK_NAME = 'server.lock'
/** The file of the database, where no other is asked for. */
export const DATABASE_NAME = 'vitrine.db'

/** A database of any name has its log beside it, also once its server has stopped. */
const LOG_ENDING = '-wal'

/**
 * Whether these are the names in such a folder. A game may have a file with the name of the lock. Nothing is opened: to close
 * a database lets go of all locks that this very process has on it (https://sqlite.org/howtocorrupt.html, 2.2).
 */
export const isDataFolder = (names: readonly string[]): boolean =>
  names.includes(LOCK_NAME) && names.some((name) => name === DATABASE_NAME || name === 'thumbnails' || name.endsWith(LOG_ENDING))
