import type { Writer } from './writer.ts'

/**
 * Adds up to `limit` items to the full-text table of names, oldest ids first, and answers how many it added: 0 once
 * everything is in. Triggers (migration 0005) keep what is in it up to date; names of later ids have to be looked for
 * by other means.
 */
export const indexSearchTitles = async (write: Writer, limit: number): Promise<number> => {
  const [added] = await write.batch(
    [
      {
        sql: `INSERT INTO media_items_fts (rowid, search_title)
          SELECT id, search_title FROM media_items WHERE id > (SELECT indexed_up_to FROM search_state) ORDER BY id LIMIT ?`,
        args: [limit],
      },
      {
        sql: `UPDATE search_state SET indexed_up_to = coalesce(
          (SELECT max(id) FROM (SELECT id FROM media_items WHERE id > indexed_up_to ORDER BY id LIMIT ?)), indexed_up_to)`,
        args: [limit],
      },
    ],
    'background',
  )
  return added?.rowsAffected ?? 0
}
