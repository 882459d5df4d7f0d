/** Personal tokens that were ended do not come back with a backup: somebody else may have got hold of one, and nobody would notice. */

import type { Client } from '@libsql/client/sqlite3'
import { hasNothingToTell } from './carried-trash.ts'

/** Of people who are still there: whoever begins anew after a loss, and then restores, has ended none. */
const END = `DELETE FROM main.api_tokens WHERE token_hash NOT IN (SELECT token_hash FROM since.api_tokens)
  AND user_id IN (SELECT u.id FROM main.users u JOIN since.users s ON s.id = u.id AND s.username_key = u.username_key AND s.created_at = u.created_at)`

/** Takes from the restored database, which `client` has open and nobody else, the tokens that `present` has no more. */
export const endTokens = async (client: Client, present: string): Promise<void> => {
  try {
    await client.execute({ sql: 'ATTACH ? AS since', args: [present] })
    await client.execute(END)
  } catch (error) {
    if (!hasNothingToTell(error)) throw error
  }
}
