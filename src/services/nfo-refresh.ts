/**
 * Metadata from NFO files, on demand alone. A refresh replaces every field that an NFO owns; a broken file changes
 * nothing; the file is never written (API.md, 7). Scans leave these fields alone from then on, but for a title that the
 * file does not give (scan-rows.ts).
 */

import { and, eq, isNull, sql } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import { nfoJobs } from '../db/schema/nfo-jobs.ts'
import type { WritePriority } from '../db/writer.ts'
import type { Deps, NfoOutcome } from '../deps.ts'
import { episodeTitle } from '../domain/dvd-name.ts'
import { filmFilesOf } from '../domain/movie-file.ts'
import { searchKey } from '../domain/name-key.ts'
import { sortTitle } from '../domain/natural-sort.ts'
import { hasNfo, NFO_ROOTS, type NfoFields, type NfoItemType } from '../domain/nfo.ts'
import { episodeNfoPaths, movieNfoPaths, SERIES_NFO_PATHS } from '../domain/nfo-name.ts'
import type { Viewer } from '../domain/permissions.ts'
import { baseNameOf, folderOf } from '../domain/relative-path.ts'
import { AppError } from '../errors.ts'
import { MediaError } from '../media/inside.ts'
import { NfoError } from '../media/nfo-error.ts'
import { isRootAway, RootAway } from '../media/root-away.ts'
import { getItem } from './items.ts'
import type { LibraryRow } from './library-cache.ts'
import { rootPathOf } from './library-root.ts'
import { readUnitAgain } from './scan-units.ts'
import { getVisibleItem, getVisibleLibrary, type MediaItemRow } from './visible.ts'

type NfoItem = MediaItemRow & { itemType: NfoItemType }

/** The folder that the item's NFO file would lie in, and the paths that are tried below it. */
const placesOf = (item: NfoItem): { folder: string; paths: readonly string[] } => {
  const { itemType, path } = item
  switch (itemType) {
    case 'movie':
      return { folder: path, paths: movieNfoPaths({ folderName: baseNameOf(path), videos: filmFilesOf(item) }) }
    case 'tv_series':
      return { folder: path, paths: SERIES_NFO_PATHS }
    case 'tv_episode':
      return { folder: folderOf(path), paths: episodeNfoPaths(baseNameOf(path)) }
    default:
      return itemType satisfies never
  }
}

/** The title that a scan would give (API.md, 5). */
const scanTitleOf = ({ itemType, path }: NfoItem): string => (itemType === 'tv_episode' ? episodeTitle(path) : baseNameOf(path))

interface FoundNfo {
  path: string
  /** Milliseconds since the epoch. */
  modifiedAt: number
  fields: NfoFields
}

/** For the caller: a file that is away or leads elsewhere is none, where the library itself is there. */
const toAppError = (error: unknown): unknown => {
  if (error instanceof RootAway) return new AppError('unavailable', error.message, { cause: error })
  if (error instanceof NfoError) return new AppError('nfo_invalid', error.message, { cause: error })
  if (!(error instanceof MediaError)) return error
  return error.code === 'unreadable'
    ? new AppError('unavailable', 'The NFO file, or its folder, cannot be read.', { cause: error })
    : new AppError('nfo_not_found', undefined, { cause: error })
}

const readNfoOf = async (root: string, item: NfoItem): Promise<FoundNfo> => {
  // Only now: a start needs no parser.
  const { findNfo, parseNfo, readNfo } = await import('../media/nfo.ts')
  const { folder, paths } = placesOf(item)
  try {
    const path = await findNfo(root, folder, paths)
    if (path === undefined) throw new AppError('nfo_not_found')
    const { bytes, modifiedAt } = await readNfo(root, path)
    return { path, modifiedAt, fields: parseNfo(bytes, item.itemType, item) }
  } catch (error) {
    throw toAppError(!(error instanceof NfoError) && (await isRootAway(root, folder)) ? new RootAway(error) : error)
  }
}

/** The columns of a row after a refresh: all that an NFO owns. */
const columnsOf = (item: NfoItem, { path, modifiedAt, fields }: FoundNfo, refreshedAt: number) => {
  const title = fields.title ?? scanTitleOf(item)
  return {
    title,
    sortTitle: sortTitle(fields.sortTitle ?? title),
    searchTitle: searchKey(title),
    titleGiven: fields.title !== null,
    sortTitleGiven: (fields.sortTitle ?? fields.title) !== null,
    plot: fields.plot,
    year: fields.year,
    rating: fields.rating,
    genres: fields.genres.length > 0 ? fields.genres : null,
    runtimeMinutes: fields.runtimeMinutes,
    airedAt: fields.airedAt,
    nfoPath: path,
    nfoModifiedAt: modifiedAt,
    nfoRefreshedAt: refreshedAt,
  }
}

/** Whether a refresh failed since the folder of the library is away. */
export const isOfLibraryAway = ({ cause }: AppError): boolean => cause instanceof RootAway

export interface RefreshTarget {
  item: MediaItemRow
  library: LibraryRow
}

/**
 * Reads the item's NFO file and replaces the fields of its row. Throws `nfo_not_supported`, `nfo_not_found`,
 * `nfo_invalid`, `unavailable`, or `conflict` where a scan has moved the item meanwhile, and has changed nothing then.
 */
export const refreshItem = async (
  deps: Pick<Deps, 'write'>,
  { item, library }: RefreshTarget,
  priority: WritePriority = 'interactive',
): Promise<void> => {
  const { itemType } = item
  if (!hasNfo(itemType)) throw new AppError('nfo_not_supported')
  if (item.missingSince !== null) throw new AppError('nfo_not_found')
  // Taken before the file is read: what is changed in it from now on is newer than the refresh.
  const refreshedAt = Date.now()
  const typed = { ...item, itemType }
  const columns = columnsOf(typed, await readNfoOf(rootPathOf(library), typed), refreshedAt)
  await deps.write.transaction(async (tx) => {
    // What lies in its old place by now may be another's.
    const isInPlace = and(eq(mediaItems.id, item.id), eq(mediaItems.path, item.path))
    const { rowsAffected } = await tx.update(mediaItems).set(columns).where(isInPlace)
    if (rowsAffected === 0) throw new AppError('conflict', 'The item was moved meanwhile.')
    if (columns.nfoPath !== item.nfoPath) await readUnitAgain(tx, item)
  }, priority)
}

/** The refreshed item as JSON text: `{item}`. */
export const refreshFromNfo = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<{ json: string }> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  const library = await getVisibleLibrary(deps, viewer, item.libraryId)
  await refreshItem(deps, { item, library })
  deps.events.emit({ type: 'library', libraryId: library.id })
  return getItem(deps, viewer, itemKey)
}

const getNfoLibrary = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<LibraryRow> => {
  const library = await getVisibleLibrary(deps, viewer, libraryId)
  if (library.type !== 'movies' && library.type !== 'tv')
    throw new AppError('nfo_not_supported', 'Only movies and tv libraries have NFO metadata.')
  return library
}

/**
 * Queues one job for each present item of the library that may have an NFO file, also for those that no scan has seen
 * one of. An item that waits already keeps its one job. Answers how many were queued.
 */
export const queueLibraryRefresh = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<{ queued: number }> => {
  const library = await getNfoLibrary(deps, viewer, libraryId)
  deps.nfoJobs.begin(library.id)
  const [result] = await deps.write.batch([
    {
      sql: `INSERT INTO nfo_jobs (item_id, requested_at) SELECT id, ?1 FROM media_items
        WHERE library_id = ?2 AND missing_since IS NULL AND item_type IN (SELECT value FROM json_each(?3))
        ON CONFLICT (item_id) DO UPDATE SET requested_at = excluded.requested_at`,
      args: [Date.now(), library.id, JSON.stringify(Object.keys(NFO_ROOTS))],
    },
  ])
  deps.nfoJobs.wake()
  return { queued: result?.rowsAffected ?? 0 }
}

interface LibraryRefresh extends NfoOutcome {
  /** Jobs of the library that are not done yet. */
  queued: number
  /** Films or series with an NFO file that nobody has had read, once no jobs are left. */
  unread: number
}

/** At the top level alone, which an index leads to: of the episodes of a large library it would take too long. */
const countUnread = async (deps: Deps, libraryId: number): Promise<number> => {
  const isUnread = sql`nfo_path IS NOT NULL AND nfo_refreshed_at IS NULL`
  const [row] = await deps.db
    .select({ unread: sql<number>`count(*)` })
    .from(mediaItems)
    .where(and(eq(mediaItems.libraryId, libraryId), isNull(mediaItems.parentId), isNull(mediaItems.missingSince), isUnread))
  return row?.unread ?? 0
}

/** How far the refresh of a library has come, and what has come of it. */
export const getLibraryRefresh = async (deps: Deps, viewer: Viewer, libraryId: number): Promise<LibraryRefresh> => {
  const library = await getNfoLibrary(deps, viewer, libraryId)
  const [row] = await deps.db
    .select({ queued: sql<number>`count(*)` })
    .from(nfoJobs)
    .innerJoin(mediaItems, eq(mediaItems.id, nfoJobs.itemId))
    .where(eq(mediaItems.libraryId, library.id))
  const queued = row?.queued ?? 0
  const unread = queued > 0 ? 0 : await countUnread(deps, library.id)
  // Read last: what has been counted is no longer waiting, or is told of twice for a moment, but never not at all.
  return { queued, unread, ...deps.nfoJobs.outcome(library.id) }
}
