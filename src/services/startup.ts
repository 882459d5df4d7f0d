/** What flags and environment ask for at the start: libraries, and their scans. */

import { sql } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import type { Deps } from '../deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { type BegunDeletion, deleteInSteps, listBegunDeletions } from './begun-deletions.ts'
import { createLibrary, forgetLibrary } from './libraries.ts'
import type { LibraryRow } from './library-cache.ts'
import { assertApart, checkLibraryFolder, overlap } from './library-paths.ts'
import { requestScans } from './scans.ts'
import { forgetTagCategory } from './tag-categories.ts'
import { forgetTag } from './tags.ts'

/** On whose behalf the service itself acts. */
const SERVICE: Viewer = { userId: 0, username: '', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

type Wanted = Deps['config']['libraries'][number]

const isSame = (wanted: Wanted, library: Pick<LibraryRow, 'type' | 'path'>): boolean =>
  library.path === wanted.path && library.type === wanted.type

/** One that is away may come back. Throws `path_not_a_directory` or `path_not_allowed`. */
const realPathOfNew = async (deps: Pick<Deps, 'config'>, path: string): Promise<string> => {
  try {
    return (await checkLibraryFolder(deps, path)).realPath
  } catch (error) {
    if (error instanceof AppError && error.code === 'path_not_found') return path
    throw error
  }
}

/**
 * Looks at the folders of the libraries that are to be made; one of a library that is there already is a matter of its scan.
 * Only what the configuration says itself can be at odds: a library may have got its place from an administrator since.
 * Throws `path_not_a_directory`, `path_not_allowed` or `path_overlaps_library`.
 */
export const checkNewLibraries = async (deps: Pick<Deps, 'config' | 'db'>): Promise<void> => {
  const present = await deps.db.select().from(libraries)
  const checked: { path: string; realPath: string; isNew: boolean }[] = []
  for (const wanted of deps.config.libraries) {
    const { path } = wanted
    const known = present.find((library) => isSame(wanted, library))
    const isNew = known === undefined
    const realPath = isNew ? await realPathOfNew(deps, path) : (known.realPath ?? path)
    const other = checked.find((each) => (isNew || each.isNew) && overlap(each.realPath, realPath))
    if (other) throw new AppError('path_overlaps_library', `${other.path} and ${path} overlap: they cannot be two libraries.`)
    checked.push({ path, realPath, isNew })
  }
}

/** Creates the libraries of the configuration that are not there yet. A folder that is away now is only logged. */
const createMissingLibraries = async (deps: Deps): Promise<void> => {
  const present = await deps.db.select().from(libraries)
  for (const wanted of deps.config.libraries) {
    if (present.some((library) => isSame(wanted, library))) continue
    try {
      const library = await createLibrary(deps, SERVICE, wanted)
      deps.log.info('library_created', { libraryId: library.id, name: library.name, type: library.type })
    } catch (error) {
      deps.log.error('library_not_created', { ...wanted, error })
    }
  }
}

/** Libraries of the configuration that no scan has ever been asked for: the new ones, and those of a start that was cut off. */
const listUnscanned = async (deps: Deps): Promise<number[]> => {
  const unscanned = await deps.db.select().from(libraries).where(sql`NOT EXISTS (SELECT 1 FROM scans WHERE library_id = ${libraries.id})`)
  return unscanned.filter((library) => deps.config.libraries.some((wanted) => isSame(wanted, library))).map(({ id }) => id)
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
  await createMissingLibraries(deps)
  if (deps.config.scanOnStart) await requestScans(deps, { trigger: 'startup' })
  else for (const libraryId of await listUnscanned(deps)) await requestScans(deps, { libraryId, trigger: 'startup' })
}

/** Rows of older databases know no resolved path: it is taken as it is now, where the folder is there. */
export const resolveLibraryPaths = async (deps: Deps): Promise<void> => {
  const { rows } = await deps.db.$client.execute('SELECT id, path FROM libraries WHERE real_path IS NULL')
  for (const row of rows) {
    const id = Number(row.id)
    const folder = await checkLibraryFolder(deps, String(row.path)).catch(() => undefined)
    const isApart =
      folder !== undefined &&
      (await assertApart(deps.db, folder, id).then(
        () => true,
        () => false,
      ))
    if (isApart) await deps.write.batch([{ sql: 'UPDATE libraries SET real_path = ? WHERE id = ?', args: [folder.realPath, id] }])
  }
}
