/** The pages of manga volumes: which volume a request stands for, and what is kept of it. Only volumes have pages. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { mangaPages } from '../db/schema/manga-pages.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps, PageBytes, PageList } from '../deps.ts'
import { orderOf } from '../domain/manga-name.ts'
import { searchTitle, sortTitle } from '../domain/natural-sort.ts'
import type { Viewer } from '../domain/permissions.ts'
import { folderOf } from '../domain/relative-path.ts'
import { AppError } from '../errors.ts'
import { ignoring, openFolderInside, openInside } from '../media/inside.ts'
import { getItem } from './items.ts'
import { toPlacedError } from './placed-file.ts'
import { getRootOf, getVisibleItem, type MediaItemRow } from './visible.ts'

/** How most manga is read, where nothing says otherwise (UI.md, 1.4). */
const DEFAULT_DIRECTION = 'rtl'

interface Volume {
  item: MediaItemRow
  itemId: number
  root: string
  path: string
  /** Changes with the bytes: of an archive as it is now, of a folder as the last scan saw its pages. */
  version: string
}

/** Counts on where other files count as pages: what was kept of a volume tells of the old ones. */
const PAGES_VERSION = 2

const hashOf = (...parts: (string | number | null)[]): string => Bun.hash(JSON.stringify([PAGES_VERSION, ...parts])).toString(36)

/** Throws `not_found` where there is no such archive or folder now, `unavailable` where its disk is away. */
const versionOf = async (item: MediaItemRow, root: string): Promise<string> => {
  try {
    const file = await openInside(root, item.path).catch(ignoring('not_a_file'))
    await file?.handle.close()
    if (file) return hashOf(file.device, file.inode, file.size, file.modifiedAtNs)
    const folder = await openFolderInside(root, item.path)
    const { mtimeMs, ino } = await folder.handle.stat().finally(() => folder.handle.close())
    return hashOf(ino, mtimeMs, item.size, item.thumbnailVersion)
  } catch (error) {
    throw await toPlacedError({ root, folder: folderOf(item.path) }, error)
  }
}

const getVolume = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<Volume> => {
  const item = await getVisibleItem(deps, viewer, itemKey)
  if (item.itemType !== 'manga_volume') throw new AppError('invalid_request', 'Only manga volumes have pages.')
  const root = await getRootOf(deps, viewer, item)
  return { item, itemId: item.id, root, path: item.path, version: await versionOf(item, root) }
}

/** Keeps what was learnt of the volume, also its direction where nobody has set one. */
const keep = async (deps: Deps, { item, version }: Volume, { sizes, readingDirection: learntDirection }: PageList): Promise<void> => {
  await deps.write.transaction(async (tx) => {
    const [present] = await tx.select({ id: mediaItems.id }).from(mediaItems).where(eq(mediaItems.id, item.id))
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

/** Throws `not_found`, `pages_unreadable` or `unavailable`. */
export const listMangaPages = async (deps: Deps, viewer: Viewer, { itemKey, signal }: VolumeQuery): Promise<MangaPages> => {
  const volume = await getVolume(deps, viewer, itemKey)
  const [kept] = await deps.db.select().from(mangaPages).where(eq(mangaPages.itemId, volume.item.id))
  const learnt = kept?.version === volume.version ? undefined : await deps.pages.list(volume, { userId: viewer.userId, signal })
  // Whoever wants to read can do so on a full disk, too.
  if (learnt) await keep(deps, volume, learnt).catch((error: unknown) => deps.log.warn('page_list_not_kept', { itemKey, error }))
  const sizes = learnt?.sizes ?? kept?.sizes ?? []
  const base = `${deps.config.basePath}/api/manga/page?itemKey=${encodeURIComponent(itemKey)}&v=${volume.version}&index=`
  if (sizes.length * base.length > MAX_ADDRESSES)
    throw new AppError('pages_unreadable', `The path of this volume is too long for a list of ${sizes.length} pages.`)
  return deps.places.inPageListOf(viewer.userId)(async () => {
    await nextTurn()
    return {
      pages: sizes.map((size, index) => ({ index, width: size?.[0] ?? null, height: size?.[1] ?? null, url: `${base}${index}` })),
      readingDirection: volume.item.readingDirection ?? learnt?.readingDirection ?? DEFAULT_DIRECTION,
    }
  }, signal)
}

/** Pages are made as wide as the next of these, so that a window that is dragged larger does not fill the cache. */
const WIDTHS = [320, 480, 640, 800, 1080, 1440, 1920, 2560, 3840]

/** One page, from 0. Throws `not_found` beyond the last, `pages_unreadable` or `unavailable`. */
export const readMangaPage = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, index, width, signal }: VolumeQuery & { index: number; width?: number | undefined },
): Promise<PageBytes & { version: string; volumeVersion: string }> => {
  const volume = await getVolume(deps, viewer, itemKey)
  const step = width === undefined ? null : (WIDTHS.find((candidate) => candidate >= width) ?? null)
  const page = await deps.pages.read(volume, { index, width: step }, { userId: viewer.userId, signal })
  return { ...page, version: `${volume.version}-${index}-${step}`, volumeVersion: volume.version }
}

/**
 * Takes title and direction from the volume's ComicInfo.xml, and numbers that its file name does not say; what it does
 * not say changes nothing. From then on no scan takes them back (scan-rows.ts).
 */
export const refreshFromComicInfo = async (deps: Deps, viewer: Viewer, { itemKey, signal }: VolumeQuery): Promise<{ json: string }> => {
  const volume = await getVolume(deps, viewer, itemKey)
  const learnt = await deps.pages.list(volume, { userId: viewer.userId, signal })
  await keep(deps, volume, learnt)
  const { title, number, volume: volumeNumber, readingDirection } = learnt
  const { item } = volume
  const now = Date.now()
  await deps.write.transaction((tx) =>
    tx
      .update(mediaItems)
      .set({
        nfoRefreshedAt: now,
        updatedAt: now,
        ...(title === null
          ? {}
          : { title, sortTitle: sortTitle(title), searchTitle: searchTitle(title), titleGiven: true, sortTitleGiven: true }),
        ...(readingDirection === null ? {} : { readingDirection }),
        chapterNumber: item.chapterNumber ?? number,
        volumeNumber: item.volumeNumber ?? volumeNumber,
        sortNumber: item.sortNumber ?? orderOf(volumeNumber, number),
      })
      .where(eq(mediaItems.id, item.id)),
  )
  deps.events.emit({ type: 'library', libraryId: item.libraryId })
  return getItem(deps, viewer, itemKey)
}
