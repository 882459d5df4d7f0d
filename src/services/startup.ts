/** What flags and environment ask for at the start: libraries, and their scans. */

import { sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import type { Deps } from '../deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../domain/permissions.ts'
import { succeeds } from '../domain/thrown-error.ts'
import { type BegunDeletion, deleteInSteps, listBegunDeletions } from './begun-deletions.ts'
import { isAtPlace, prepareLibraries } from './flag-libraries.ts'
import { forgetLibrary } from './libraries.ts'
import { assertApart, checkLibraryFolder } from './library-paths.ts'
import { requestScans } from './scans.ts'
import { forgetTagCategory } from './tag-categories.ts'
import { forgetTag } from './tags.ts'

/** On whose behalf the service itself acts. */
const SERVICE: Viewer = { userId: 0, username: '', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

/** Libraries of the configuration that no scan has ever been asked for: the new ones, and those of a start that was cut off. */
const listUnscanned = async (deps: Deps): Promise<number[]> => {
  const unscanned = await deps.db.select().from(libraries).where(sql`NOT EXISTS (SELECT 1 FROM scans WHERE library_id = ${libraries.id})`)
  return unscanned.filter((library) => deps.config.libraries.some((wanted) => isAtPlace(wanted, library))).map(({ id }) => id)
}

const FORGET: Record<BegunDeletion['kind'], (deps: Deps, id: number) => Promise<void>> = {
  library: forgetLibrary,
  tag: forgetTag,
  tag_category: forgetTagCategory,
}

/** What a crash has cut off, before anybody finds half of it. */
const endDeletions = async (deps: Deps): Promise<void> => {
  for (const begun of await listBegunDeletions(deps)) {
    deps.log.info('deletion_goes_on', { ...begun })
    await deleteInSteps(deps, begun, () => FORGET[begun.kind](deps, begun.id)).catch((error: unknown) =>
      deps.log.error('deletion_not_ended', { ...begun, error }),
    )
  }
}

export const prepareService = async (deps: Deps): Promise<void> => {
  await endDeletions(deps)
  const followed = await prepareLibraries(deps, SERVICE)
  if (deps.config.scanOnStart) await requestScans(deps, { trigger: 'startup' })
  else
    for (const libraryId of new Set([...followed, ...(await listUnscanned(deps))]))
      await requestScans(deps, { libraryId, trigger: 'startup' })
}

/** Rows of older databases know no resolved path: it is taken as it is now, where the folder is there. */
export const resolveLibraryPaths = async (deps: Deps): Promise<void> => {
  const { rows } = await deps.db.$client.execute('SELECT id, path FROM libraries WHERE real_path IS NULL')
  for (const row of rows) {
    const id = Number(row.id)
    const folder = await checkLibraryFolder(deps, String(row.path)).catch(() => undefined)
    if (folder && (await succeeds(assertApart(deps.db, folder, id))))
      await deps.write.batch([{ sql: 'UPDATE libraries SET real_path = ? WHERE id = ?', args: [folder.realPath, id] }])
  }
}
