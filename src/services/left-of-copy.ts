/** What a scan leaves of a copy whose original took its place (`changePlaces` in scan-statements.ts): a row that nobody misses, because its file has an item. */

import type { mediaItems } from '../db/schema/media-items.ts'

type MediaItemRow = typeof mediaItems.$inferSelect

/** As the time of its file. A row of the oldest schema that no scan has found a file for has 0, and is missed. */
export const LEFT_OF_COPY = -1

/** A real file has an identity. */
export const isLeftOfCopySql = (item: string): string =>
  `${item}.missing_since IS NOT NULL AND ${item}.identity IS NULL AND ${item}.modified_at = ${LEFT_OF_COPY}`

/** The same of a row that has been read. */
export const isLeftOfCopy = ({
  identity,
  modifiedAt,
  missingSince,
}: Pick<MediaItemRow, 'identity' | 'modifiedAt' | 'missingSince'>): boolean =>
  missingSince !== null && identity === null && modifiedAt === LEFT_OF_COPY
