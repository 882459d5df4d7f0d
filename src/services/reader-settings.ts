/** How each person reads each series: kept for the series, whichever of its volumes is open. */

import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { readerSettings } from '../db/schema/reader-settings.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import {
  MAX_SIDE_PADDING,
  READER_BACKGROUNDS,
  READER_FITS,
  READER_MODES,
  READER_TAP_ZONES,
  type ReaderSettings,
} from '../domain/reader-settings.ts'
import { AppError } from '../errors.ts'
import { storedSettings } from './stored-settings.ts'
import { getKnownItem, getVisibleItem, type MediaItemRow } from './visible.ts'

export const readerFields = {
  mode: z.enum(READER_MODES),
  fit: z.enum(READER_FITS),
  background: z.enum(READER_BACKGROUNDS),
  tapZones: z.enum(READER_TAP_ZONES),
  invertTaps: z.boolean(),
  doublePage: z.boolean(),
  coverAlone: z.boolean(),
  sidePadding: z.int().min(0).max(MAX_SIDE_PADDING),
} satisfies { [Name in keyof ReaderSettings]: z.ZodType<ReaderSettings[Name]> }

/** What was chosen for a series; the rest is as the person reads everything. */
export const readerSettingsSchema = z.strictObject(readerFields).partial()

const parseStored = storedSettings(readerFields)

/** The series that is meant, by itself or by one of its volumes; a volume without one stands for itself. */
const seriesOf = ({ id, itemType, parentId }: MediaItemRow): number => {
  if (itemType === 'manga_series') return id
  if (itemType === 'manga_volume') return parentId ?? id
  throw new AppError('invalid_request', 'Only manga is read.')
}

const isRow = (viewer: Viewer, itemId: number) => and(eq(readerSettings.userId, viewer.userId), eq(readerSettings.itemId, itemId))

export const getReaderSettings = async (deps: Deps, viewer: Viewer, itemKey: string): Promise<Partial<ReaderSettings>> => {
  const itemId = seriesOf(await getKnownItem(deps, viewer, itemKey))
  const [row] = await deps.db.select({ settings: readerSettings.settings }).from(readerSettings).where(isRow(viewer, itemId))
  return row ? parseStored(row.settings) : {}
}

/** Replaces all that was chosen for the series; nothing chosen forgets it. */
export const putReaderSettings = async (
  deps: Deps,
  viewer: Viewer,
  { itemKey, settings }: { itemKey: string; settings: Partial<ReaderSettings> },
): Promise<Partial<ReaderSettings>> => {
  const itemId = seriesOf(await getVisibleItem(deps, viewer, itemKey))
  const kept = JSON.stringify(settings)
  await deps.write.transaction(async (tx) => {
    if (kept === '{}') await tx.delete(readerSettings).where(isRow(viewer, itemId))
    else
      await tx
        .insert(readerSettings)
        .values({ userId: viewer.userId, itemId, settings: kept })
        .onConflictDoUpdate({ target: [readerSettings.userId, readerSettings.itemId], set: { settings: kept } })
  })
  return settings
}
