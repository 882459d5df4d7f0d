/**
 * Looks into media files: on demand, and in the background into those that nobody has looked into, once the scans are
 * done. Also reads subtitles out of videos, which takes as long as reading the whole file does, and small pictures of places in them.
 */

import { eq } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps, MediaReader } from '../deps.ts'
import { createGate } from '../domain/gate.ts'
import type { MediaProbe } from '../domain/media-probe.ts'
import { AppError, ignoreAppError } from '../errors.ts'
import { createCopiedPieces } from '../services/copied-pieces.ts'
import { placeFile } from '../services/files.ts'
import { readableRootOf } from '../services/library-root.ts'
import { fileVersion, findProbe, keepProbe, listProbes, type MediaPlace, makeProbe } from '../services/media-probes.ts'
import { settleNewItems } from '../services/new-items.ts'
import { type NamedFile, openPlaced } from '../services/placed-file.ts'
import { extractSubtitles } from '../services/subtitle-texts.ts'
import { makePreview } from '../services/video-previews.ts'
import type { MediaItemRow } from '../services/visible.ts'
import { createPreviewTurns } from './preview-turns.ts'
import { createSubtitleReadings } from './subtitle-readings.ts'
import { createWakeable, RETRY_MS } from './wakeable.ts'

const PROBES_AT_ONCE = 3
/** Whoever moves along the bar asks for one after the other, and goes on before any has begun. */
const PREVIEW_DELAY_MS = 60
/** Items that the background looks through at a time; most of them are known. */
const WINDOW = 500
const PAUSE_MS = 5

/** The main file, and versions, parts and extras of a film or a series: its page says what is in them. */
const filesOf = ({ itemType, files, path, mainFile }: MediaItemRow): (string | undefined)[] => {
  const others = itemType === 'movie' || itemType === 'tv_series' ? (files ?? []).map(({ name }) => name) : []
  return mainFile === null ? others : [undefined, ...others.filter((name) => `${path}/${name}` !== mainFile)]
}

/** An item is as old as its main file, or its folder: of the others, which come and go by themselves, each must have its row. */
const HAS_UNKNOWN_FILE = `m.item_type IN ('movie', 'tv_series') AND json_array_length(m.files) > (m.main_file IS NOT NULL) AND EXISTS (SELECT 1 FROM json_each(m.files) AS file
  WHERE m.path || '/' || (file.value ->> 'name') IS NOT m.main_file AND NOT EXISTS (SELECT 1 FROM media_probes AS own
    WHERE own.item_id = m.id AND own.file = file.value ->> 'name' AND own.item_modified_at = m.modified_at
      AND own.version GLOB (file.value ->> 'size') || '-*'))`

export const createMediaReader = (
  deps: Pick<Deps, 'config' | 'db' | 'write' | 'log' | 'subtitles'>,
  { isElsewhere }: { isElsewhere: () => boolean },
): MediaReader & { stop(): Promise<void> } => {
  const probing = createGate(PROBES_AT_ONCE)
  const readOnce = createSubtitleReadings()
  const takePreviewTurn = createPreviewTurns()

  /** What took too long since the background last started, which may be the fault of a disk that sleeps. */
  const leftAlone = new Set<string>()

  /** Tells also what could not be kept, as on a full disk. */
  const lookAt = async (place: MediaPlace, opened: NamedFile['opened'], onUnkept: (error: unknown) => void): Promise<MediaProbe | null> => {
    const version = fileVersion(opened)
    const key = `${place.itemId}/${place.file}/${version}`
    if (leftAlone.has(key)) return null
    const probe = await probing(() => makeProbe(deps, place, opened))
    if (probe === undefined) leftAlone.add(key)
    else await keepProbe(deps, { place, version }, probe).catch(onUnkept)
    return probe ?? null
  }

  const probe: MediaReader['probe'] = async (place, opened) => {
    const version = fileVersion(opened)
    const kept = await findProbe(deps, place, version)
    if (kept !== undefined) return kept
    return lookAt(place, opened, (error) => deps.log.warn('probe_not_kept', { itemId: place.itemId, error }))
  }

  const subtitles: MediaReader['subtitles'] = (opened, { key, stream, ...asker }) =>
    readOnce(key, asker, (signal) => extractSubtitles(deps, opened, { ...stream, key, userId: asker.userId, signal }))

  const preview: MediaReader['preview'] = async (opened, { userId, ...place }) => {
    await Bun.sleep(PREVIEW_DELAY_MS)
    return takePreviewTurn(userId, async () => {
      if (place.signal.aborted) throw new AppError('unavailable')
      return makePreview(deps, opened, place)
    })
  }

  const listUnknown = async (after: number): Promise<{ ids: number[]; last: number | undefined }> => {
    const { rows } = await deps.db.$client.execute({
      sql: `SELECT m.id AS id, p.item_id IS NULL OR p.item_modified_at <> m.modified_at OR (${HAS_UNKNOWN_FILE}) AS isUnknown
        FROM (SELECT id, modified_at, item_type, path, main_file, files FROM media_items
          WHERE NOT is_new AND media_kind IN ('video', 'audio') AND missing_since IS NULL AND id > ? ORDER BY id LIMIT ?) m
        LEFT JOIN media_probes p ON p.item_id = m.id AND p.file = '' ORDER BY m.id`,
      args: [after, WINDOW],
    })
    const last = rows.at(-1)
    return { ids: rows.filter((row) => row.isUnknown === 1).map((row) => Number(row.id)), last: last && Number(last.id) }
  }

  const listSeriesWithUnknown = async (): Promise<number[]> => {
    const { rows } = await deps.db.$client.execute(
      `SELECT m.id AS id FROM libraries l CROSS JOIN media_items m ON m.library_id = l.id AND m.parent_id IS NULL AND m.missing_since IS NULL
        WHERE l.type = 'tv' AND ${HAS_UNKNOWN_FILE}`,
    )
    return rows.map(({ id }) => Number(id))
  }

  const lookInto = async (id: number): Promise<void> => {
    const [row] = await deps.db
      .select({ item: mediaItems, library: libraries })
      .from(mediaItems)
      .innerJoin(libraries, eq(libraries.id, mediaItems.libraryId))
      .where(eq(mediaItems.id, id))
    if (!row) return
    const { item, library } = row
    const root = await readableRootOf(library).catch(ignoreAppError)
    if (root === undefined) return
    const known = await listProbes(deps, item)
    const lookIntoFile = async (name: string | undefined): Promise<void> => {
      const place: MediaPlace = { itemId: item.id, itemModifiedAt: item.modifiedAt, file: name ?? '' }
      const { opened } = await openPlaced({ root, path: placeFile(item, name) })
      try {
        const version = fileVersion(opened)
        if (known.get(place.file)?.version === version) return
        // The folder of a series changes with whatever is put there; its extras do not.
        const kept = await findProbe(deps, place, version)
        if (kept !== undefined) await keepProbe(deps, { place, version }, kept)
        else await lookAt(place, opened, (error) => deps.log.debug('probe_not_kept', { itemId: id, error }))
      } finally {
        await opened.handle.close()
      }
    }
    // A file that is not there now is looked into when somebody plays it, or after the next scan.
    for (const name of filesOf(item))
      await lookIntoFile(name).catch((error: unknown) => deps.log.debug('not_probed', { itemId: id, file: name, error }))
  }

  const look = async (isStopped: () => boolean): Promise<void> => {
    leftAlone.clear()
    const waitForQuiet = async (): Promise<void> => {
      while (!isStopped() && isElsewhere()) await Bun.sleep(100)
    }
    const lookIntoAll = async (ids: readonly number[]): Promise<void> => {
      for (const id of ids) {
        await waitForQuiet()
        if (isStopped()) return
        await lookInto(id)
        await Bun.sleep(PAUSE_MS)
      }
    }
    for (let isSettled = false; !isSettled; ) {
      await waitForQuiet()
      if (isStopped()) return
      isSettled = !(await settleNewItems(deps))
    }
    for (let last: number | undefined = 0; last !== undefined; ) {
      await waitForQuiet()
      if (isStopped()) return
      const unknown = await listUnknown(last)
      await lookIntoAll(unknown.ids)
      // Most windows hold nothing unknown, and a database of our own answers without ever leaving the thread.
      await Bun.sleep(PAUSE_MS)
      last = unknown.last
    }
    await waitForQuiet()
    if (!isStopped()) await lookIntoAll(await listSeriesWithUnknown())
  }

  const background = createWakeable({
    work: look,
    onError: (error) => deps.log.error('media_background_failed', { error }),
    retryMs: RETRY_MS,
  })

  return {
    probe,
    subtitles,
    preview,
    copiedPieces: createCopiedPieces(),
    wake: () => {
      if (deps.config.ffprobePath !== null) background.wake()
    },
    stop: background.stop,
  }
}
