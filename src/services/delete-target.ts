/** Whether an item's folder may be deleted, and what it holds. Everything here only looks. */

import { join } from 'node:path'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { deletions } from '../db/schema/deletions.ts'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { isVideoName } from '../domain/media-file.ts'
import { filmFilesOf } from '../domain/movie-file.ts'
import { nestedSeries } from '../domain/nested-series.ts'
import { isOtherFilm, otherFilmsAmong } from '../domain/other-film.ts'
import type { Viewer } from '../domain/permissions.ts'
import { baseNameOf, folderOf, pathIn } from '../domain/relative-path.ts'
import { AppError } from '../errors.ts'
import { type FolderSurvey, surveyFolder } from '../media/folder-survey.ts'
import { MediaError, type OpenedFolder, openFolderInside } from '../media/inside.ts'
import { identityOf } from '../scan/entry-hash.ts'
import { DELETION_UNDER_WAY, type FilesInFolder } from './deletion-journal.ts'
import { toFolderError } from './item-folder.ts'
import type { LibraryRow } from './library-cache.ts'
import { isWithin } from './library-paths.ts'
import { isEmptyRoot, openLibraryRoot, rootPathOf } from './library-root.ts'
import { getVisibleItem, getVisibleLibrary, type MediaItemRow } from './visible.ts'

export interface DeleteTarget {
  item: MediaItemRow
  library: Pick<LibraryRow, 'id' | 'trashDays'>
  root: OpenedFolder
  /** The folder above the item's: where its name is. */
  parent: OpenedFolder
  folder: OpenedFolder
  survey: FolderSurvey
  files: FilesInFolder
}

const unsafe = (detail: string, cause?: unknown): AppError => new AppError('unsafe_delete', detail, { cause })

/** A link anywhere on the way would make the folder another one than its path says. */
const openWithoutLinks = async (root: OpenedFolder, path: string): Promise<OpenedFolder> => {
  const folder = await openFolderInside(root.path, path).catch((error: unknown) => {
    if (error instanceof MediaError && error.code === 'outside') throw unsafe('The folder lies outside of the library.', error)
    throw error
  })
  if (folder.path === (path === '' ? root.path : join(root.path, path))) return folder
  await folder.handle.close()
  throw unsafe('The folder is a link, or is reached through one.')
}

/** Present items other than this one and what belongs to it, at or below its folder. */
const holdsOtherItem = async ({ db }: Deps, { id, libraryId, path }: MediaItemRow): Promise<boolean> => {
  const isInFolder = sql`(${mediaItems.path} = ${path} OR substr(${mediaItems.path}, 1, length(${path}) + 1) = ${`${path}/`})`
  const own = sql`WITH RECURSIVE own(id) AS (SELECT ${id} UNION SELECT m.id FROM media_items m JOIN own ON m.parent_id = own.id) SELECT id FROM own`
  const [other] = await db
    .select({ id: mediaItems.id })
    .from(mediaItems)
    .where(
      and(
        eq(mediaItems.libraryId, libraryId),
        isNull(mediaItems.missingSince),
        ne(mediaItems.id, id),
        isInFolder,
        sql`${mediaItems.id} NOT IN (${own})`,
      ),
    )
    .limit(1)
  return other !== undefined
}

const holdsLibrary = async ({ db }: Deps, folder: OpenedFolder): Promise<boolean> => {
  const rows = await db.select({ path: libraries.path, realPath: libraries.realPath }).from(libraries)
  return rows.some((row) => isWithin(row.path, folder.path) || isWithin(rootPathOf(row), folder.path))
}

/** Finds in a film's folder another film that no scan has made an item of its own. */
const createFilmFinder = (item: MediaItemRow) => {
  const own = baseNameOf(item.path)
  /** The film may lie in a folder that it was released with, or in several. */
  const ofFilm = new Set(['', ...filmFilesOf(item).map(folderOf)])
  /** What lies in any of those: whether these are films of their own, all of them tell together, as they do to the scan. */
  const besideFilm: string[] = []
  let found: string | undefined
  return {
    look: (folder: string, names: readonly string[]): void => {
      if (ofFilm.has(folder)) besideFilm.push(...names)
      else if (isOtherFilm(baseNameOf(folder), own) && names.some(isVideoName)) found ??= folder
    },
    found: (): string | undefined => found ?? otherFilmsAmong(besideFilm, own)[0],
  }
}

/** And in a series' folder another series. */
const createSeriesFinder = ({ path }: MediaItemRow) => {
  const withVideos: string[] = []
  let found: string | undefined
  return {
    look: (folder: string, names: readonly string[]): void => {
      if (folder === '') return
      if (names.some(isVideoName)) withVideos.push(folder)
      if (names.some((name) => name.toLowerCase() === 'tvshow.nfo')) found ??= folder
    },
    found: (): string | undefined => found ?? nestedSeries(withVideos, baseNameOf(path))[0],
  }
}

const assertSafe = async (
  deps: Deps,
  { item, root, folder }: Pick<DeleteTarget, 'item' | 'root' | 'folder'>,
): Promise<Pick<DeleteTarget, 'survey' | 'files'>> => {
  const [rootInfo, info] = await Promise.all([root.handle.stat(), folder.handle.stat()])
  if (info.dev !== rootInfo.dev) throw unsafe('The folder lies on another disk than the library.')
  if (await holdsLibrary(deps, folder)) throw unsafe('The folder is, or holds, the folder of a library.')
  if (await holdsOtherItem(deps, item)) throw unsafe('The folder holds other items of the library as well.')
  const stranger = item.itemType === 'movie' ? createFilmFinder(item) : createSeriesFinder(item)
  const paths = new Set<string>()
  const identities = new Set<number | null>()
  const survey = await surveyFolder(folder, (below, names, infos) => {
    for (const name of names) paths.add(`${item.path}/${pathIn(below, name)}`)
    for (const info of infos) identities.add(identityOf(info))
    stranger.look(below, names)
  })
  if (survey.hasMount) throw unsafe('Something else is mounted in this folder.')
  const other = stranger.found()
  if (other !== undefined) throw unsafe(`The folder holds another ${item.itemType === 'movie' ? 'film' : 'series'}: "${other}".`)
  return { survey, files: { paths, identities } }
}

/** The item, where it is one that can be deleted. Throws `not_found` or `delete_not_supported`. */
const getDeletable = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<MediaItemRow> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  if (item.itemType !== 'movie' && item.itemType !== 'tv_series')
    throw new AppError('delete_not_supported', 'Only whole films and whole series can be deleted.')
  if (item.missingSince !== null) throw new AppError('not_found')
  return item
}

/** Throws where the folder is gone because somebody else is deleting it: `conflict` while that goes on, then `not_found`. */
const assertNotTaken = async (deps: Deps, viewer: Viewer, { itemKey, libraryId, path }: MediaItemRow): Promise<void> => {
  const [taken] = await deps.db
    .select({ id: deletions.id })
    .from(deletions)
    .where(and(eq(deletions.libraryId, libraryId), eq(deletions.folder, path), eq(deletions.state, 'moving')))
  if (taken) throw new AppError('conflict', DELETION_UNDER_WAY)
  await getDeletable(deps, viewer, itemKey)
}

const GONE = 'The folder is not in its place any more. A scan of the library tells whether it is gone or somewhere else.'

/** Of what cannot be opened, what is missing from a disk that is there can be told: trying again would not help. */
const toDeleteError = async (root: OpenedFolder, error: unknown): Promise<unknown> => {
  const isMissing = error instanceof MediaError && error.code === 'not_found' && !(await isEmptyRoot(root).catch(() => true))
  return isMissing ? new AppError('conflict', GONE, { cause: error }) : toFolderError(error)
}

/**
 * Opens the folder that stands for the item, checks that deleting it takes nothing else along, and hands it to `work`.
 * Throws `not_found`, `delete_not_supported`, `unsafe_delete`, `conflict`, or `unavailable` where the disk is away.
 */
export const withDeleteTarget = async <T>(
  deps: Deps,
  viewer: Viewer,
  { itemKey, work }: { itemKey: string; work: (target: DeleteTarget) => Promise<T> },
): Promise<T> => {
  const item = await getDeletable(deps, viewer, itemKey)
  const library = await getVisibleLibrary(deps, viewer, item.libraryId)
  const root = await openLibraryRoot(library)
  const opened: OpenedFolder[] = [root]
  try {
    const parent = await openWithoutLinks(root, folderOf(item.path))
    opened.push(parent)
    const folder = await openWithoutLinks(root, item.path)
    opened.push(folder)
    const target = { item, library, root, parent, folder }
    return await work({ ...target, ...(await assertSafe(deps, target)) })
  } catch (error) {
    const reason = await toDeleteError(root, error)
    if (reason instanceof AppError && (reason.code === 'unavailable' || reason.code === 'conflict'))
      await assertNotTaken(deps, viewer, item)
    throw reason
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()))
  }
}
