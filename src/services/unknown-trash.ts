/** Folders that a deletion has hidden on a disk and that no journal here knows: of a database that is lost, or of another server. */

import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import type { ScanWarning } from '../domain/scanned-item.ts'
import { succeeds } from '../domain/thrown-error.ts'

/** Whatever a deletion hides has its row before, and is gone from the disk before that ends: by then it is known, or not there. */
const isUnknown = async ({ db }: Pick<Deps, 'db'>, name: string): Promise<boolean> => {
  const { rows } = await db.$client.execute({
    sql: 'SELECT 1 FROM deletions WHERE holding = ?1 UNION ALL SELECT 1 FROM left_trash WHERE holding = ?1',
    args: [name],
  })
  return rows.length === 0
}

/** The warnings without those of hidden folders that are known. `root`: absolute. */
export const withoutKnownTrash = async (deps: Pick<Deps, 'db'>, root: string, warnings: readonly ScanWarning[]): Promise<ScanWarning[]> => {
  const kept: ScanWarning[] = []
  for (const warning of warnings) {
    const isKnown =
      warning.code === 'unknown_trash' && !((await isUnknown(deps, warning.path)) && (await succeeds(lstat(join(root, warning.path)))))
    if (!isKnown) kept.push(warning)
  }
  return kept
}
