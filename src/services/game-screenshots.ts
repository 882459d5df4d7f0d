/** Screenshots of games: `screenshots/shot-<milliseconds>.jpg` in the game's folder (the user's specification, "Game"). */

import { mkdir, readdir, rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import { artworkUrl } from '../domain/browse-entry.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { Viewer } from '../domain/permissions.ts'
import { baseNameOf } from '../domain/relative-path.ts'
import type { ScannedArtwork } from '../domain/scanned-item.ts'
import { SCREENSHOTS_FOLDER, screenshotNames, screenshotTime } from '../domain/screenshot.ts'
import { errorCode } from '../domain/thrown-error.ts'
import { AppError } from '../errors.ts'
import { removeAtomic, writeUnderFreeName } from '../media/atomic-write.ts'
import { ignoring, MediaError, type OpenedFolder, openFolderIn } from '../media/inside.ts'
import { artworkAt, encodeUpload, getGameItem, inScanOrder } from './game-artwork.ts'
import { inItemFolder } from './item-folder.ts'
import { readUnitAgain } from './scan-units.ts'
import type { MediaItemRow } from './visible.ts'

interface Screenshot {
  name: string
  url: string
  /** ISO 8601, UTC; null for a picture that was not uploaded here. */
  takenAt: string | null
}

const GAMES = ['game'] as const

const NOT_A_FOLDER = `"${SCREENSHOTS_FOLDER}" in the folder of this game is a link or a file; screenshots are only written into a folder.`

/** Newest last; pictures without a time come first. */
export const screenshotsOf = (item: Pick<MediaItemRow, 'itemKey' | 'artwork'>, basePath = ''): Screenshot[] =>
  (item.artwork ?? [])
    .filter(({ kind }) => kind === 'screenshot')
    .map((picture) => ({ picture, name: baseNameOf(picture.path), time: screenshotTime(baseNameOf(picture.path)) }))
    .toSorted((a, b) => (a.time ?? 0) - (b.time ?? 0))
    .map(({ picture, name, time }) => ({
      name,
      url: `${basePath}${artworkUrl(item.itemKey, picture)}&name=${encodeURIComponent(name)}`,
      takenAt: isoTime(time),
    }))

export const listScreenshots = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<Screenshot[]> =>
  screenshotsOf(await getGameItem(deps, viewer, { itemKey, types: GAMES }), deps.config.basePath)

/** Changes the pictures in the index as they have changed on the disk, and answers the item's screenshots as they are then. */
const changeArtwork = async (
  deps: Deps,
  item: MediaItemRow,
  change: (artwork: ScannedArtwork[]) => ScannedArtwork[],
): Promise<Screenshot[]> => {
  // A scan that read the folder before would write down the pictures of then.
  await deps.scans.leaveOut(item.libraryId, item.path)
  const artwork = await deps.write.transaction(async (tx) => {
    const [row] = await tx.select({ artwork: mediaItems.artwork, unit: mediaItems.unit }).from(mediaItems).where(eq(mediaItems.id, item.id))
    if (!row) throw new AppError('not_found')
    const changed = inScanOrder(change(row.artwork ?? []))
    await tx.update(mediaItems).set({ artwork: changed, updatedAt: Date.now() }).where(eq(mediaItems.id, item.id))
    await readUnitAgain(tx, { libraryId: item.libraryId, unit: row.unit })
    return changed
  })
  deps.events.emit({ type: 'library', libraryId: item.libraryId })
  return screenshotsOf({ itemKey: item.itemKey, artwork }, deps.config.basePath)
}

/** The folder that the scanner reads screenshots from, made first if need be. Throws `conflict` where a link is in its place. */
const openScreenshots = async (game: OpenedFolder): Promise<{ shots: OpenedFolder; name: string }> => {
  const entries = await readdir(game.stablePath, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.toLowerCase() === SCREENSHOTS_FOLDER)
  const [found] = folders.map((entry) => entry.name).sort()
  const name = found ?? SCREENSHOTS_FOLDER
  if (found === undefined)
    await mkdir(`${game.stablePath}/${name}`).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  try {
    return { shots: await openFolderIn(game, name), name }
  } catch (error) {
    if (error instanceof MediaError && error.code === 'not_found') throw new AppError('conflict', NOT_A_FOLDER, { cause: error })
    throw error
  }
}

/** Writes all of the pictures and enters them, or leaves none of them. */
const writeAll = async (
  folder: string,
  jpegs: readonly Uint8Array[],
  enter: (names: string[]) => Promise<Screenshot[]>,
): Promise<Screenshot[]> => {
  const names: string[] = []
  try {
    let time = Date.now()
    for (const jpeg of jpegs) {
      const name = await writeUnderFreeName(folder, screenshotNames(time), jpeg)
      names.push(name)
      time = (screenshotTime(name) ?? time) + 1
    }
    return await enter(names)
  } catch (error) {
    await Promise.all(names.map((name) => rm(`${folder}/${name}`, { force: true })))
    throw error
  }
}

/** Adds all of the pictures or, where one is no good, none; answers all screenshots of the game. */
export const addScreenshots = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, files }: { itemKey: string; files: readonly File[] },
): Promise<Screenshot[]> => {
  const item = await getGameItem(deps, viewer, { itemKey, types: GAMES })
  const jpegs: Uint8Array[] = []
  // One after the other: another upload has the other thread, and one bad picture spares the work on those that follow.
  for (const [index, file] of files.entries()) jpegs.push(await encodeUpload(deps, file, `files.${index}`))

  const work = async (game: OpenedFolder): Promise<Screenshot[]> => {
    const { shots, name: folderName } = await openScreenshots(game)
    const enter = async (names: string[]): Promise<Screenshot[]> => {
      const added = await Promise.all(
        names.map((name) => artworkAt('screenshot', `${shots.stablePath}/${name}`, `${item.path}/${folderName}/${name}`)),
      )
      const paths = new Set(added.map(({ path }) => path))
      return changeArtwork(deps, item, (artwork) => [...artwork.filter(({ path }) => !paths.has(path)), ...added])
    }
    try {
      return await writeAll(shots.stablePath, jpegs, enter)
    } finally {
      await shots.handle.close()
    }
  }
  return inItemFolder(deps, viewer, { item, work })
}

/** Removes one listed screenshot; one that is gone from the disk already is only forgotten. Throws `not_found`. */
export const deleteScreenshot = async (deps: Deps, viewer: Viewer, { itemKey, name }: { itemKey: string; name: string }): Promise<void> => {
  const item = await getGameItem(deps, viewer, { itemKey, types: GAMES })
  const picture = item.artwork?.find(({ kind, path }) => kind === 'screenshot' && baseNameOf(path) === name)
  if (!picture) throw new AppError('not_found')
  const folderName = picture.path.slice(item.path.length + 1, -name.length - 1)
  const forget = async (): Promise<void> => {
    await changeArtwork(deps, item, (artwork) => artwork.filter(({ path }) => path !== picture.path))
  }
  const work = async (game: OpenedFolder): Promise<void> => {
    const shots = await openFolderIn(game, folderName).catch(ignoring('not_found'))
    try {
      await (shots ? removeAtomic(`${shots.stablePath}/${name}`, forget) : forget())
    } finally {
      await shots?.handle.close()
    }
  }
  await inItemFolder(deps, viewer, { item, work })
}
