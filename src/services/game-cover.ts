/** Covers of games and series: `cover.jpg` and `widecover.jpg` in their folder (the user's specification, "Game"). */

import { eq } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { artworkUrl } from '../domain/browse-entry.ts'
import { datableMs } from '../domain/iso-time.ts'
import type { Viewer } from '../domain/permissions.ts'
import type { ScannedArtwork } from '../domain/scanned-item.ts'
import { storedPath } from '../domain/stored-path.ts'
import { AppError } from '../errors.ts'
import { writeAtomic } from '../media/atomic-write.ts'
import type { OpenedFolder } from '../media/inside.ts'
import { artworkAt, encodeUpload, getGameItem, inScanOrder } from './game-artwork.ts'
import { inItemFolder } from './item-folder.ts'
import { readUnitAgain } from './scan-units.ts'
import type { MediaItemRow } from './visible.ts'

export const COVER_KINDS = ['cover', 'widecover'] as const
type CoverKind = (typeof COVER_KINDS)[number]

/** What the scanner would find in the folder now: the scanner takes a series' time from its folder. */
const enter = async (deps: Deps, item: MediaItemRow, { picture, folderTimeMs }: { picture: ScannedArtwork; folderTimeMs: number }) => {
  const { kind, path, version } = picture
  await deps.write.transaction(async (tx) => {
    const [row] = await tx.select({ artwork: mediaItems.artwork, unit: mediaItems.unit }).from(mediaItems).where(eq(mediaItems.id, item.id))
    if (!row) throw new AppError('not_found')
    const others = (row.artwork ?? []).filter((other) => other.kind !== kind)
    await tx
      .update(mediaItems)
      .set({
        artwork: inScanOrder([...others, picture]),
        updatedAt: Date.now(),
        ...(item.itemType === 'game_series' ? { modifiedAt: Math.floor(folderTimeMs) } : {}),
        ...(kind === 'cover'
          ? {
              thumbnailKind: 'image' as const,
              storedThumbnailPath: storedPath(item.path, path),
              thumbnailVersion: version,
              inspectedVersion: null,
              inspectError: null,
            }
          : {}),
      })
      .where(eq(mediaItems.id, item.id))
    await readUnitAgain(tx, { libraryId: item.libraryId, unit: row.unit })
    // A series without a cover of its own shows that of its first game.
    if (item.parentId !== null) await tx.update(mediaItems).set({ entry: null }).where(eq(mediaItems.id, item.parentId))
  })
}

/**
 * Writes the picture in place of the present one, which stays as it is until the new one is complete, and comes back
 * where the index cannot follow. Answers its URL. Throws `invalid_request`, `insufficient_storage`, `unavailable` or `conflict`.
 */
export const setGameCover = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, kind, file }: { itemKey: string; kind: CoverKind; file: File },
): Promise<string> => {
  const item = await getGameItem(deps, viewer, { itemKey, types: ['game', 'game_series'] })
  const jpeg = await encodeUpload(deps, file, 'file')
  const name = `${kind}.jpg`
  const enterAs = async (folder: OpenedFolder, target: string): Promise<ScannedArtwork> => {
    // Another server may have replaced the file since: what lies there in the end is what has to be entered.
    for (let entered: string | undefined; ; ) {
      const picture = await artworkAt(kind, target, `${item.path}/${name}`)
      if (picture.version === entered) return picture
      // A scan that read the folder before would write down the picture of then.
      await deps.scans.leaveOut(item.libraryId, item.path)
      await enter(deps, item, { picture, folderTimeMs: datableMs((await folder.handle.stat()).mtimeMs) })
      entered = picture.version
    }
  }
  const work = (folder: OpenedFolder): Promise<ScannedArtwork> => {
    const target = `${folder.stablePath}/${name}`
    return writeAtomic(target, jpeg, () => enterAs(folder, target))
  }
  const picture = await inItemFolder(deps, viewer, { item, work })
  deps.events.emit({ type: 'library', libraryId: item.libraryId })
  return `${deps.config.basePath}${artworkUrl(item.itemKey, picture)}`
}
