/** Thumbnails and artwork: which file a request stands for. The bytes are the business of `media` and of the queue. */

import { join } from 'node:path'
import type { Deps, PageBytes } from '../deps.ts'
import { isContainer } from '../domain/item-type.ts'
import type { Viewer } from '../domain/permissions.ts'
import { baseNameOf } from '../domain/relative-path.ts'
import type { ScannedArtwork } from '../domain/scanned-item.ts'
import { THUMBNAIL_SIZES, type ThumbnailSize } from '../domain/thumbnail-size.ts'
import { AppError } from '../errors.ts'
import { hasVersion } from '../scan/entry-hash.ts'
import { findFallback } from './browse-entries.ts'
import { type NamedFile, openPlaced } from './placed-file.ts'
import { getPlacedItem, getRootOf, type PlacedItem } from './visible.ts'

/** Pictures whose content has a version, which their addresses name. */
interface Versioned {
  version: string
}

/** What stands in where a container has no picture of its own, as in its entry. */
const findStandIn = async (deps: Deps, viewer: Viewer, { id, itemType }: PlacedItem): Promise<PlacedItem | undefined> => {
  const found = isContainer(itemType) ? await findFallback(deps.db, id) : null
  return found ? getPlacedItem(deps, viewer, found.itemKey) : undefined
}

/** Absolute file of a thumbnail, made first if need be; of what is missing, those that are kept. Throws `no_thumbnail`. */
export const getThumbnail = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, size }: { itemKey: string; size: ThumbnailSize },
): Promise<Versioned & { file: string }> => {
  const own = await getPlacedItem(deps, viewer, itemKey)
  const item = own.thumbnailPath === null ? await findStandIn(deps, viewer, own) : own
  if (!item || item.thumbnailPath === null || item.thumbnailVersion === null) throw new AppError('no_thumbnail')
  return { file: await deps.thumbnails.get(item, size), version: item.thumbnailVersion }
}

interface ArtworkQuery {
  itemKey: string
  kind: ScannedArtwork['kind']
  /** Which one of several: a file name, for screenshots. */
  name?: string
}

const findArtwork = async (deps: Deps, viewer: Viewer, { itemKey, kind, name }: ArtworkQuery) => {
  const item = await getPlacedItem(deps, viewer, itemKey)
  const pictureOf = ({ artwork }: PlacedItem) =>
    artwork?.find((candidate) => candidate.kind === kind && (name === undefined || baseNameOf(candidate.path) === name))
  const isShownInEntry = kind === 'cover' || kind === 'poster'
  const standIn = async () => (isShownInEntry ? await findStandIn(deps, viewer, item) : undefined)
  const picture = pictureOf(item) ?? pictureOf((await standIn()) ?? item)
  if (!picture) throw new AppError('not_found')
  return { item, itemId: item.id, root: await getRootOf(deps, viewer, item), path: picture.path, version: picture.version }
}

/**
 * The picture file of an item; without a version where it is not the one that the last scan saw. Throws `not_found` where it has
 * none of that kind. The caller closes the file.
 */
export const openArtwork = async (deps: Deps, viewer: Viewer, query: ArtworkQuery): Promise<NamedFile & Partial<Versioned>> => {
  const { root, path, version } = await findArtwork(deps, viewer, query)
  const named = await openPlaced({ root, path })
  try {
    return (await hasVersion(named.opened.handle, version, join(root, path))) ? { ...named, version } : named
  } catch (error) {
    await named.opened.handle.close()
    throw error
  }
}

/** In the place of what cannot be read, it is not for good. */
type SmallArtwork = PageBytes & Versioned & { isForNow: boolean }

/** The thumbnail that was made of this very picture. */
const readKeptThumbnail = async (
  deps: Deps,
  { item, path, version }: Awaited<ReturnType<typeof findArtwork>>,
  size: ThumbnailSize,
): Promise<SmallArtwork | undefined> => {
  if (item.thumbnailPath !== path || item.thumbnailVersion !== version) return undefined
  const file = await deps.thumbnails.findKept(item, size)
  return file === undefined ? undefined : { bytes: await Bun.file(file).bytes(), mediaType: 'image/webp', version, isForNow: true }
}

/**
 * The picture, no wider than a thumbnail of that size, as it is kept where its file cannot be read now; undefined where it cannot
 * be decoded here, though a browser may, where another one lies there since the last scan, and where nothing is kept of a file of
 * which it says itself why it cannot be read.
 */
export const readSmallArtwork = async (
  deps: Deps,
  viewer: Viewer,
  { size, signal, ...query }: ArtworkQuery & { size: ThumbnailSize; signal: AbortSignal },
): Promise<SmallArtwork | undefined> => {
  const picture = await findArtwork(deps, viewer, query)
  try {
    const made = await deps.pages.readPicture(picture, THUMBNAIL_SIZES[size], { userId: viewer.userId, signal })
    return made ? { ...made, version: picture.version, isForNow: false } : undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'pages_unreadable' ? undefined : readKeptThumbnail(deps, picture, size)
  }
}
