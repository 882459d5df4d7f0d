/** Names in the folders that a server keeps its data in, by which they are known again. */

/** In each folder that a server has its data or its database in. */
export const LOCK_NAME = 'server.lock'
/** The file of the database, where no other is asked for. */
export const DATABASE_NAME = 'vitrine.db'

/** Whether these are the names in such a folder. A game may have a file with the name of the lock. */
export const isDataFolder = (names: readonly string[]): boolean =>
  names.includes(LOCK_NAME) && (names.includes(DATABASE_NAME) || names.includes('thumbnails'))
