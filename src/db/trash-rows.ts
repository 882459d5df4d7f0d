/** What is written down of a folder in the trash, wherever that is: in the journal, or left by a library that is gone. */

/** Columns that `deletions` and `left_trash` have alike; `state` and the times may have to change on the way. */
export const TRASH_COLUMNS = ['item_type', 'title', 'unit', 'folder', 'holding', 'files', 'bytes', 'created_by', 'at']

/** What comes back can be looked at for so long, however long ago its time was over. */
export const MIN_TRASH_MS = 24 * 60 * 60 * 1000
