/**
 * Browse entries from the index. The text of an entry is kept in its row (`media_items.entry`), because building a
 * page of a hundred from columns costs five times as much (PERFORMANCE.md, B1); triggers clear it when the row changes.
 */

import { and, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { type PictureSource, renderEntry } from '../domain/browse-entry.ts'
import { isContainer } from '../domain/item-type.ts'

type Reader = Deps['db'] | Transaction

const parent = alias(mediaItems, 'parent')
const child = alias(mediaItems, 'child')

/** Not of a file that is known to have no picture in it: whoever asked for it would get an error at each visit. */
const shownVersion = (row: { inspectError: SQLWrapper; thumbnailVersion: SQLWrapper }) =>
  sql<string | null>`CASE WHEN ${row.inspectError} IS NULL THEN ${row.thumbnailVersion} END`

const SOURCE_COLUMNS = (() => {
  const m = getTableColumns(mediaItems)
  return {
    id: m.id,
    itemKey: m.itemKey,
    itemType: m.itemType,
    title: m.title,
    parentKey: parent.itemKey,
    libraryId: m.libraryId,
    year: m.year,
    rating: m.rating,
    childCount: m.childCount,
    seasonNumber: m.seasonNumber,
    episodeNumber: m.episodeNumber,
    episodeNumberEnd: m.episodeNumberEnd,
    mediaKind: m.mediaKind,
    mimeType: m.mimeType,
    size: m.size,
    width: m.width,
    height: m.height,
    durationSeconds: m.durationSeconds,
    artwork: m.artwork,
    thumbnailVersion: shownVersion(mediaItems),
    thumbhash: m.thumbhash,
    plot: m.plot,
    addedAt: m.addedAt,
    hasExtractedText: sql<number>`coalesce(${mediaItems.extractedText}, '') <> ''`,
    tagIds: sql<string>`(SELECT json_group_array(tag_id) FROM item_tags WHERE item_id = ${mediaItems.id})`,
  }
})()

/** Screenshots and backdrops do not stand for anything in a grid. */
const HAS_COVER = sql`EXISTS (SELECT 1 FROM json_each(${child.artwork}) AS picture WHERE picture.value ->> 'kind' IN ('cover', 'poster'))`

/** The first descendant with a picture, in the order in which its level is shown. */
const findFallback = async (reader: Reader, itemId: number): Promise<PictureSource | null> => {
  const [found] = await reader
    .select({ itemKey: child.itemKey, artwork: child.artwork, thumbnailVersion: shownVersion(child) })
    .from(child)
    .leftJoin(parent, eq(parent.id, child.parentId))
    .where(
      and(
        or(
          eq(child.parentId, itemId),
          inArray(child.parentId, reader.select({ id: mediaItems.id }).from(mediaItems).where(eq(mediaItems.parentId, itemId))),
        ),
        isNull(child.missingSince),
        or(isNotNull(shownVersion(child)), HAS_COVER),
      ),
    )
    .orderBy(
      sql`${child.parentId} <> ${itemId}`,
      sql`${parent.sortNumber} IS NULL`,
      parent.sortNumber,
      sql`${child.sortNumber} IS NULL`,
      child.sortNumber,
      child.sortTitle,
      child.id,
    )
    .limit(1)
  return found ? { ...found, artwork: found.artwork ?? [] } : null
}

const numbersIn = (json: string): number[] => json.slice(1, -1).split(',').filter(Boolean).map(Number)

/** Renders the entries of these items from their columns, by id. */
export const renderEntries = async (reader: Reader, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .select(SOURCE_COLUMNS)
    .from(mediaItems)
    .leftJoin(parent, eq(parent.id, mediaItems.parentId))
    .where(inArray(mediaItems.id, [...ids]))
  const rendered = new Map<number, string>()
  for (const { id, artwork, tagIds, hasExtractedText, ...row } of rows) {
    const needsFallback = row.thumbnailVersion === null && isContainer(row.itemType)
    const entry = renderEntry({
      ...row,
      artwork: artwork ?? [],
      tagIds: numbersIn(tagIds),
      hasExtractedText: hasExtractedText === 1,
      fallback: needsFallback ? await findFallback(reader, id) : null,
    })
    rendered.set(id, entry)
  }
  return rendered
}

/**
 * Keeps the entries of up to `limit` rows that have none. Reading and writing are one transaction: a change in between
 * would be overwritten by an older text. Answers how many it kept.
 */
export const keepEntries = (deps: Pick<Deps, 'write'>, limit: number): Promise<number> =>
  deps.write.transaction(async (tx) => {
    const rows = await tx.select({ id: mediaItems.id }).from(mediaItems).where(isNull(mediaItems.entry)).limit(limit)
    const rendered = await renderEntries(
      tx,
      rows.map((row) => row.id),
    )
    await tx.run(
      sql`UPDATE media_items SET entry = row.value ->> 1 FROM json_each(${JSON.stringify([...rendered])}) AS row WHERE media_items.id = row.value ->> 0`,
    )
    return rendered.size
  }, 'background')
