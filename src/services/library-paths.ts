/** Which folders may be libraries: below a media root, apart from every other library, and never the service's own data. */

import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { databaseFile } from '../db/client.ts'
import { libraries } from '../db/schema/libraries.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { answerOf, createFolderProbe, inTime, isReadable, WAKING_MS } from '../media/folder-probe.ts'
import { rootPathOf } from './library-root.ts'

/** Both absolute and normal. Compared with a trailing separator, so that /media/movies-private is not below /media/movies. */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

export const overlap = (path: string, other: string): boolean => isWithin(path, other) || isWithin(other, path)

/** Kernel file systems: nothing in them is anybody's media. */
const NEVER_MEDIA = ['/proc', '/sys', '/dev']

/** An `AppError` has a code too, but none of the system's. */
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && !(error instanceof AppError)

/** Why there is no way to this folder. */
const pathNotFound = (path: string, error: unknown): AppError => {
  const code = isSystemError(error) ? error.code : undefined
  if (code === 'ENOENT') return new AppError('path_not_found', `There is no folder ${path}.`)
  if (code === 'EACCES' || code === 'EPERM') return new AppError('path_not_found', `${path} may not be read by the server.`)
  return new AppError('path_not_found', `${path} cannot be opened (${code}).`)
}

const realFolder = async (path: string): Promise<string> => {
  await answerOf(path)
  try {
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) throw new AppError('path_not_a_directory', `${path} is not a folder.`)
    return real
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOTDIR') throw new AppError('path_not_a_directory', `${path} is not a folder.`)
    if (isSystemError(error)) throw pathNotFound(path, error)
    throw error
  }
}

const realOrAsGiven = (path: string): Promise<string> => realpath(path).catch(() => resolve(path))

const { ask: realInTime } = createFolderProbe(realOrAsGiven)

/** Where the service keeps what is nobody's to read, with the flag that says so: a database holds everybody's password hash. */
const ownPlaces = async ({ config }: Pick<Deps, 'config'>): Promise<{ flag: string; path: string }[]> => {
  const database = databaseFile(config.databaseUrl)
  const places = [
    { flag: '--data, DATA_DIR', path: config.dataDir },
    ...(database === null ? [] : [{ flag: '--database, DATABASE_URL', path: dirname(database) }]),
  ]
  return Promise.all(places.map(async ({ flag, path }) => ({ flag, path: await realOrAsGiven(path) })))
}

/** Throws `path_not_allowed` for a real path outside the media roots, or in a place that is never media. */
const assertAllowed = async ({ config }: Pick<Deps, 'config'>, real: string): Promise<void> => {
  if (NEVER_MEDIA.some((place) => isWithin(real, place))) throw new AppError('path_not_allowed', `${real} belongs to the system.`)
  if (isWithin(real, await realOrAsGiven(config.dataDir)))
    throw new AppError('path_not_allowed', `${real} belongs to the data of this service.`)
  const roots = await Promise.all(config.mediaRoots.map(realOrAsGiven))
  if (!roots.some((root) => isWithin(real, root))) throw new AppError('path_not_allowed', `${real} lies outside the allowed media roots.`)
}

interface LibraryFolder {
  path: string
  realPath: string
}

/**
 * Throws `path_overlaps_library` where another library has the folder, a part of it, or it as a part. In the transaction
 * that is to write it: two requests at once may name the same folder. `exceptId`: the library that is being changed.
 */
export const assertApart = async (tx: Pick<Transaction, 'select'>, { realPath }: LibraryFolder, exceptId?: number): Promise<void> => {
  const overlapping = (await tx.select().from(libraries)).find((other) => other.id !== exceptId && overlap(realPath, rootPathOf(other)))
  if (overlapping) throw new AppError('path_overlaps_library', `The folder overlaps that of the library "${overlapping.name}".`)
}

/** A folder that somebody names. Throws `path_not_found`, `path_not_a_directory` or `path_not_allowed`. */
export const checkFolder = async (deps: Pick<Deps, 'config'>, path: string): Promise<LibraryFolder> => {
  if (!isAbsolute(path) || path.includes('\0')) throw new AppError('path_not_found', 'The path must be absolute.')
  const normal = resolve(path)
  const real = await inTime(realFolder(normal), WAKING_MS)
  if (real === undefined) throw new AppError('path_not_found', `${normal} does not answer.`)
  await assertAllowed(deps, real)
  if (!(await isReadable(real))) throw new AppError('path_not_found', `${normal} cannot be read by the server.`)
  return { path: normal, realPath: real }
}

/** One that an administrator names for a library. Throws the same. */
export const checkLibraryFolder = async (deps: Pick<Deps, 'config'>, path: string): Promise<LibraryFolder> => {
  const folder = await checkFolder(deps, path)
  if ((await ownPlaces(deps)).some(({ path: own }) => isWithin(own, folder.realPath)))
    throw new AppError('path_not_allowed', 'The folder holds the data of this service.')
  return folder
}

/**
 * A library whose folder holds the data or the database: it was made before either came there. Undefined where there is none;
 * what a disk does not say in time is taken as it was when the library was made.
 */
export const findLibraryAroundData = async (
  deps: Pick<Deps, 'config' | 'db'>,
): Promise<{ flag: string; path: string; library: string } | undefined> => {
  const [own, rows] = await Promise.all([ownPlaces(deps), deps.db.select().from(libraries)])
  const around = await Promise.all(
    rows.map(async (row) => {
      const known = rootPathOf(row)
      const real = (await realInTime(known)) ?? known
      const place = own.find((each) => isWithin(each.path, real))
      return place && { ...place, library: row.name }
    }),
  )
  return around.find((each) => each !== undefined)
}
