/** The pages of manga volumes: which volume a request stands for, and what is kept of it. Only volumes have pages. */

import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { mangaPages } from '../db/schema/manga-pages.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Asker, Deps, PageBytes, PageList, VersionedVolume } from '../deps.ts'
import { orderOf } from '../domain/manga-name.ts'
import { searchKey } from '../domain/name-key.ts'
import { sortTitle } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { folderOf } from '../domain/relative-path.ts'
import { AppError } from '../errors.ts'
import { openVolume } from '../media/volume.ts'
import { identityOf } from '../scan/entry-hash.ts'
import { getItem } from './items.ts'
import { toPlacedError } from './placed-file.ts'
import { getRootOf, getVisibleItem, type MediaItemRow } from './visible.ts'

/** How most manga is read, where nothing says otherwise (UI.md, 1.4). */
const DEFAULT_DIRECTION = 'rtl'

interface Volume extends VersionedVolume {
  item: MediaItemRow
}

/** Counts on where what was kept of a volume may tell of other pages than it has. */
const PAGES_VERSION = 3

const hashOf = (...parts: (string | number | null)[]): string => Bun.hash(JSON.stringify([PAGES_VERSION, ...parts])).toString(36)

/** Throws `not_found` where there is no such archive or folder now, `unavailable` where its disk is away. */
const lookAt = async (item: MediaItemRow, root: string): Promise<Pick<Volume, 'stamp' | 'version'>> => {
  try {
    const { kind, opened, stamp } = await openVolume(root, item.path)
    await opened.handle.close()
    // Of a folder, the pages are those that the last scan saw.
    return { stamp, version: kind === 'folder' ? hashOf(stamp, item.size, item.thumbnailVersion) : hashOf(stamp) }
  } catch (error) {
    throw await toPlacedError({ root, folder: folderOf(item.path) }, error)
  }
}

const getVolume = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<Volume> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  if (item.itemType !== 'manga_volume') throw new AppError('invalid_request', 'Only manga volumes have pages.')
  const root = await getRootOf(deps, viewer, item)
  return { item, itemId: item.id, root, path: item.path, ...(await lookAt(item, root)) }
}

/** Once again where `read` found that another volume had taken the place of the one that was looked at, and answers null. */
const withVolume = async <T>(deps: Deps, viewer: Viewer, itemKey: string, read: (volume: Volume) => Promise<T | null>): Promise<T> => {
  const result = (await read(await getVolume(deps, viewer, itemKey))) ?? (await read(await getVolume(deps, viewer, itemKey)))
  if (result === null) throw new AppError('unavailable', 'Another volume has just taken the place of this one.')
  return result
}

/** Not so of one that has been renamed to what the item is called, as far as the file system tells: the next scan knows whose it is. */
const isOfItem = async ({ item, root, stamp }: Volume): Promise<boolean> => {
  if ((await lookAt(item, root)).stamp !== stamp) return false
  if (item.identity === null || item.identity > 0) return true
  const named = await lstat(join(root, item.path)).catch(() => null)
  return named !== null && identityOf(named) === item.identity
}

/** Unless a scan has moved it meanwhile: what lies in its old place by now may be another's. */
const isInPlace = ({ id, path }: MediaItemRow) => and(eq(mediaItems.id, id), eq(mediaItems.path, path))

/** Keeps what was learnt of the volume, also its direction where nobody has set one. */
const keep = async (deps: Deps, volume: Volume, { sizes, readingDirection: learntDirection }: PageList): Promise<void> => {
  const { item, version } = volume
  if (!(await isOfItem(volume))) return
  await deps.write.transaction(async (tx) => {
    const [present] = await tx.select({ id: mediaItems.id }).from(mediaItems).where(isInPlace(item))
    if (!present) return
    await tx
      .insert(mangaPages)
      .values({ itemId: item.id, version, sizes })
      .onConflictDoUpdate({ target: mangaPages.itemId, set: { version, sizes } })
    const readingDirection = item.readingDirection ?? learntDirection
    await tx.update(mediaItems).set({ pageCount: sizes.length, readingDirection }).where(eq(mediaItems.id, item.id))
  })
}

interface VolumeQuery {
  itemKey: string
  /** Says that nobody waits for the answer any more. */
  signal: AbortSignal
}

export interface MangaPages {
  pages: { index: number; width: number | null; height: number | null; url: string }[]
  readingDirection: NonNullable<MediaItemRow['readingDirection']>
}

/** Characters in the addresses of all pages: of twenty thousand, or of five hundred whose path is as long as one may be. */
const MAX_ADDRESSES = 6 * 1024 * 1024

/** What is learnt of it now, and kept; undefined where that has been done, null where it is another one by now. */
const learnPages = async (deps: Deps, volume: Volume, asker: Asker): Promise<PageList | null | undefined> => {
  const { item, version } = volume
  const [kept] = await deps.db.select({ version: mangaPages.version }).from(mangaPages).where(eq(mangaPages.itemId, item.id))
  if (kept?.version === version) return undefined
  const learnt = await deps.pages.list(volume, asker)
  // Whoever wants to read can do so on a full disk, too.
  if (learnt)
    await keep(deps, volume, learnt).catch((error: unknown) => deps.log.warn('page_list_not_kept', { itemKey: item.itemKey, error }))
  return learnt
}

const findSizes = async (deps: Deps, { itemId, version }: Volume): Promise<PageList['sizes'] | undefined> => {
  const isOfVolume = and(eq(mangaPages.itemId, itemId), eq(mangaPages.version, version))
  const [kept] = await deps.db.select({ sizes: mangaPages.sizes }).from(mangaPages).where(isOfVolume)
  return kept?.sizes
}

/** As JSON: a `MangaPages`. Throws `not_found`, `pages_unreadable`, `rate_limited` or `unavailable`. */
export const listMangaPages = (deps: Deps, viewer: Viewer, { itemKey, signal }: VolumeQuery): Promise<{ json: string }> =>
  withVolume(deps, viewer, itemKey, async (volume) => {
    const learnt = await learnPages(deps, volume, { userId: viewer.userId, signal })
    if (learnt === null) return null
    // All that is as long as the list is: of many that are asked for at once, one is in memory.
    return deps.places.inPageListOf(viewer.userId)(async () => {
      await nextTurn()
      const sizes = learnt?.sizes ?? (await findSizes(deps, volume))
      if (!sizes) return null
      const base = `${deps.config.basePath}/api/manga/page?itemKey=${encodeURIComponent(itemKey)}&v=${volume.version}&index=`
      if (sizes.length * base.length > MAX_ADDRESSES)
        throw new AppError('pages_unreadable', `The path of this volume is too long for a list of ${sizes.length} pages.`)
      const list: MangaPages = {
        pages: sizes.map((size, index) => ({ index, width: size?.[0] ?? null, height: size?.[1] ?? null, url: `${base}${index}` })),
        readingDirection: volume.item.readingDirection ?? learnt?.readingDirection ?? DEFAULT_DIRECTION,
      }
      return { json: JSON.stringify(list) }
    }, signal)
  })

/** Pages are made as wide as the next of these, so that a window that is dragged larger does not fill the cache. */
const WIDTHS = [320, 480, 640, 800, 1080, 1440, 1920, 2560, 3840]

/** One page, from 0. Throws `not_found` beyond the last, `pages_unreadable` or `unavailable`. */
export const readMangaPage = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, index, width, signal }: VolumeQuery & { index: number; width?: number | undefined },
): Promise<PageBytes & { version: string; volumeVersion: string }> => {
  const step = width === undefined ? null : (WIDTHS.find((candidate) => candidate >= width) ?? null)
  return withVolume(deps, viewer, itemKey, async (volume) => {
    const page = await deps.pages.read(volume, { index, width: step }, { userId: viewer.userId, signal })
    return page && { ...page, version: `${volume.version}-${index}-${step}`, volumeVersion: volume.version }
  })
}

/**
 * Takes title and direction from the volume's ComicInfo.xml, and numbers that its file name does not say; what it does
 * not say changes nothing. From then on no scan takes them back (scan-rows.ts).
 */
export const refreshFromComicInfo = async (deps: Deps, viewer: Viewer, { itemKey, signal }: VolumeQuery): Promise<{ json: string }> => {
  const { volume, learnt } = await withVolume(deps, viewer, itemKey, async (volume) => {
    const learnt = await deps.pages.list(volume, { userId: viewer.userId, signal })
    return learnt && { volume, learnt }
  })
  await keep(deps, volume, learnt)
  const { title, number, volume: volumeNumber, readingDirection } = learnt
  const { item } = volume
  const now = Date.now()
  await deps.write.transaction(async (tx) => {
    const { rowsAffected } = await tx
      .update(mediaItems)
      .set({
        nfoRefreshedAt: now,
        updatedAt: now,
        ...(title === null
          ? {}
          : { title, sortTitle: sortTitle(title), searchTitle: searchKey(title), titleGiven: true, sortTitleGiven: true }),
        ...(readingDirection === null ? {} : { readingDirection }),
        chapterNumber: item.chapterNumber ?? number,
        volumeNumber: item.volumeNumber ?? volumeNumber,
        sortNumber: item.sortNumber ?? orderOf(volumeNumber, number),
      })
      .where(isInPlace(item))
    if (rowsAffected === 0) throw new AppError('conflict', 'The item was moved meanwhile.')
  })
  deps.events.emit({ type: 'library', libraryId: item.libraryId })
  return getItem(deps, viewer, itemKey)
}
