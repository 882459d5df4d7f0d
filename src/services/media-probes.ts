/** What is known of the insides of a media file: kept rows, or a fresh look. */

import { and, eq, sql } from 'drizzle-orm'
import { mediaItems } from '../db/schema/media-items.ts'
import { mediaProbes } from '../db/schema/media-probes.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import type { MediaProbe } from '../domain/media-probe.ts'
import { AppError } from '../errors.ts'
import { DecodeError } from '../media/decode-error.ts'
import { SMALLEST_MEDIA_BYTES } from '../media/ffmpeg.ts'
import { MediaError, type OpenedFile } from '../media/inside.ts'
import { probeMedia } from '../media/probe.ts'

/** A file of an item, as the index names it. */
export interface MediaPlace {
  itemId: number
  /** `media_items.modified_at`. */
  itemModifiedAt: number
  /** A name from the item's `files`; empty for the file that the item stands for. */
  file: string
}

/** Changes whenever the file does. */
export const fileVersion = ({ size, modifiedAtNs }: OpenedFile): string => `${size}-${modifiedAtNs}`

/** Null: the file cannot be probed. Undefined: nobody has looked at this version of it, or not for all that is asked for now. */
export const findProbe = async (
  deps: Pick<Deps, 'db'>,
  { itemId, file }: MediaPlace,
  version: string,
): Promise<MediaProbe | null | undefined> => {
  const [row] = await deps.db
    .select({ version: mediaProbes.version, probe: mediaProbes.probe })
    .from(mediaProbes)
    .where(and(eq(mediaProbes.itemId, itemId), eq(mediaProbes.file, file)))
  if (row?.version !== version) return undefined
  return row.probe === null || row.probe.chapters ? row.probe : undefined
}

interface KnownProbe {
  /** Of the file, when it was looked into. */
  version: string
  probe: MediaProbe | null
}

/** What is known of the files of an item as the last scan saw it, by their names in `MediaPlace`. */
export const listProbes = async (
  deps: Pick<Deps, 'db'>,
  { id, modifiedAt }: { id: number; modifiedAt: number },
): Promise<Map<string, KnownProbe>> => {
  const rows = await deps.db
    .select({ file: mediaProbes.file, version: mediaProbes.version, probe: mediaProbes.probe })
    .from(mediaProbes)
    .where(and(eq(mediaProbes.itemId, id), eq(mediaProbes.itemModifiedAt, modifiedAt)))
  return new Map(rows.map(({ file, ...known }) => [file, known]))
}

/** What the thumbnailer heard of a film is as good where it differs by less: a new value renders the entry anew. */
const SAME_LENGTH_SECONDS = 0.5

/** Names of the files that a film goes on in after its main file. */
export const LATER_PARTS = sql`(SELECT part.value ->> 'name' AS file FROM json_each(iif(${mediaItems.itemType} = 'movie', ${mediaItems.files}, NULL)) AS part
  WHERE part.value ->> 'role' = 'part')`

/**
 * Of the file that the item stands for, and of what a film goes on in; without what nobody has looked into yet. Its files are
 * gone through once, and not again for each that was looked into: a film may have thousands beside it.
 */
const KNOWN_LENGTH = sql<number>`(SELECT sum(own.probe ->> 'durationSeconds') FROM (SELECT '' AS file UNION ALL SELECT file FROM ${LATER_PARTS}) AS wanted
  CROSS JOIN media_probes AS own ON own.item_id = ${mediaItems.id} AND own.file = wanted.file AND own.item_modified_at = ${mediaItems.modifiedAt})`

/** How long the item is: a film that shows its poster, or a recording, has it from nowhere else. */
const keepLength = (tx: Transaction, { itemId, itemModifiedAt }: MediaPlace) =>
  tx
    .update(mediaItems)
    .set({ durationSeconds: KNOWN_LENGTH })
    .where(
      and(
        eq(mediaItems.id, itemId),
        eq(mediaItems.modifiedAt, itemModifiedAt),
        sql`${KNOWN_LENGTH} > 0`,
        sql`(${mediaItems.durationSeconds} IS NULL OR abs(${mediaItems.durationSeconds} - ${KNOWN_LENGTH}) > ${SAME_LENGTH_SECONDS})`,
      ),
    )

/**
 * Looks into the file; null where it cannot be probed. Undefined without ffprobe, and where it took too long, which may be
 * the fault of the disk. Throws `unavailable` where ffprobe was ended from outside.
 */
export const makeProbe = async (
  { config, log }: Pick<Deps, 'config' | 'log'>,
  { itemId, file }: MediaPlace,
  { handle, size }: OpenedFile,
): Promise<MediaProbe | null | undefined> => {
  if (config.ffprobePath === null) return undefined
  if (size < SMALLEST_MEDIA_BYTES) return null
  try {
    return await probeMedia(config.ffprobePath, handle.fd)
  } catch (error) {
    if (error instanceof MediaError) throw new AppError('unavailable', undefined, { cause: error })
    if (!(error instanceof DecodeError)) throw error
    log.info('not_probed', { itemId, file, code: error.code, reason: error.message })
    return error.code === 'timeout' ? undefined : null
  }
}

/** Null: nothing came of it. */
export const keepProbe = async (
  deps: Pick<Deps, 'write'>,
  { place, version }: { place: MediaPlace; version: string },
  probe: MediaProbe | null,
): Promise<void> => {
  const row = { ...place, version, probe }
  await deps.write.transaction(async (tx) => {
    await tx
      .insert(mediaProbes)
      .values(row)
      .onConflictDoUpdate({ target: [mediaProbes.itemId, mediaProbes.file], set: row })
    if (probe?.durationSeconds) await keepLength(tx, place)
  }, 'background')
}
