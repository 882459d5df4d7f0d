/** The libraries that flags and environment name: each is made once, and follows its flag to another place. */

import { z } from 'zod'
import { libraries } from '../db/schema/libraries.ts'
import type { Deps } from '../deps.ts'
import { nameKey } from '../domain/name-key.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { createLibrary, isAvailable, updateLibrary } from './libraries.ts'
import type { LibraryRow } from './library-cache.ts'
import { checkLibraryFolder, overlap } from './library-paths.ts'
import { rootPathOf } from './library-root.ts'

type Wanted = Deps['config']['libraries'][number]

export const isAtPlace = (wanted: Wanted, library: Pick<LibraryRow, 'type' | 'path'>): boolean =>
  library.path === wanted.path && library.type === wanted.type

const PLACES = 'flag_places'
const places = z.record(z.string(), z.object({ name: z.string(), path: z.string() }))

/** By library, the flag that had last put it in its place: an administrator may have given it another name or folder since. */
type Places = z.infer<typeof places>

const loadPlaces = async (deps: Pick<Deps, 'db'>): Promise<Places> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT value FROM settings WHERE key = ?', args: [PLACES] })
  return places.catch({}).parse(JSON.parse(String(rows[0]?.value ?? '{}')))
}

const keepPlaces = async (deps: Deps, before: Places): Promise<void> => {
  const present = await deps.db.select().from(libraries)
  const inPlace = present.flatMap((library) => {
    const flag = deps.config.libraries.find((wanted) => isAtPlace(wanted, library))
    return flag ? [[library.id, { name: flag.name, path: flag.path }] as const] : []
  })
  const after = JSON.stringify({ ...before, ...Object.fromEntries(inPlace) })
  if (after === JSON.stringify(before)) return
  const sql = 'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'
  await deps.write.batch([{ sql, args: [PLACES, after] }])
}

interface Known {
  flags: readonly Wanted[]
  present: readonly LibraryRow[]
  before: Places
}

const loadKnown = async (deps: Pick<Deps, 'config' | 'db'>): Promise<Known> => ({
  flags: deps.config.libraries,
  present: await deps.db.select().from(libraries),
  before: await loadPlaces(deps),
})

/** The library at the place of a flag, or else those that have, or had by a flag, the name that it gives, and of which no flag has the place. */
const findMeant = (wanted: Wanted, { flags, present, before }: Known): LibraryRow[] => {
  const inPlace = present.find((library) => isAtPlace(wanted, library))
  if (inPlace) return [inPlace]
  // Another keyboard or file may write it in other capitals, or its accents apart.
  const isSameName = (name: string): boolean => nameKey(name) === nameKey(wanted.name)
  const isCalled = ({ id, name, type }: LibraryRow): boolean =>
    wanted.isNamed && type === wanted.type && (isSameName(name) || isSameName(before[id]?.name ?? ''))
  return present.filter((library) => isCalled(library) && !flags.some((flag) => isAtPlace(flag, library)))
}

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
  const known = await loadKnown(deps)
  const checked: { path: string; realPath: string; isNew: boolean }[] = []
  for (const wanted of known.flags) {
    const { path } = wanted
    const [library] = findMeant(wanted, known)
    // Where it is by now, no flag says.
    if (library && !isAtPlace(wanted, library)) continue
    const isNew = library === undefined
    const realPath = isNew ? await realPathOfNew(deps, path) : rootPathOf(library)
    const other = checked.find((each) => (isNew || each.isNew) && overlap(each.realPath, realPath))
    if (other) throw new AppError('path_overlaps_library', `${other.path} and ${path} overlap: they cannot be two libraries.`)
    checked.push({ path, realPath, isNew })
  }
}

const create = async (deps: Deps, service: Viewer, { name, type, path }: Wanted): Promise<void> => {
  try {
    const library = await createLibrary(deps, service, { name, type, path })
    deps.log.info('library_created', { libraryId: library.id, name, type })
  } catch (error) {
    // What is refused has its reason, and no fault of ours to look for.
    const advice = 'Put that right and start again, or make the library in Manage.'
    const why = error instanceof AppError ? { reason: error.message, advice } : { error }
    deps.log.error('library_not_created', { name, type, path, ...why })
  }
}

/** None that is missing either. */
const hasNoItems = async (deps: Deps, { id }: LibraryRow): Promise<boolean> => {
  const { rows } = await deps.db.$client.execute({ sql: 'SELECT 1 FROM media_items WHERE library_id = ? LIMIT 1', args: [id] })
  return rows.length === 0
}

const ADVICE =
  'Nothing was made. Give the library the folder of the flag (Manage), or the flag that of the library; another library needs another name.'

/**
 * Makes the libraries of the configuration that are not there yet. A folder that is away now is only logged. Answers which libraries
 * have followed their flag.
 */
export const prepareLibraries = async (deps: Deps, service: Viewer): Promise<number[]> => {
  const followed: number[] = []
  const known = await loadKnown(deps)
  const { flags, before } = known

  /**
   * Whether the library is where a flag had put it, is away there or has never held anything, as in a folder of the wrong name, and is
   * at the new place of no other flag than this.
   */
  const hasMoved = async (wanted: Wanted, library: LibraryRow): Promise<boolean> =>
    before[library.id]?.path === library.path &&
    flags.filter((flag) => findMeant(flag, known).includes(library)).length === 1 &&
    ((await hasNoItems(deps, library)) || !(await isAvailable(library))) &&
    (await isAvailable({ ...library, path: wanted.path, realPath: null }))

  const follow = async (wanted: Wanted, [library, ...others]: LibraryRow[]): Promise<void> => {
    if (library === undefined) return
    const { id, name, path } = library
    const told = { libraryId: id, name, path, wanted: wanted.path }
    try {
      if (others.length > 0 || !(await hasMoved(wanted, library))) return deps.log.warn('library_elsewhere', { ...told, advice: ADVICE })
      await updateLibrary(deps, service, { id, patch: { path: wanted.path } })
      deps.log.info('library_followed', told)
      followed.push(id)
    } catch (error) {
      deps.log.warn('library_elsewhere', { ...told, advice: ADVICE, error })
    }
  }

  for (const wanted of flags) {
    const meant = findMeant(wanted, known)
    if (meant.length === 0) await create(deps, service, wanted)
    else if (!meant.some((library) => isAtPlace(wanted, library))) await follow(wanted, meant)
  }
  await keepPlaces(deps, before)
  return followed
}
