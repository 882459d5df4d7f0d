/**
 * Browse entries from the index. The text of an entry is kept in its row (`media_items.entry`), because building a
 * page of a hundred from columns costs five times as much (PERFORMANCE.md, B1); triggers clear it when the row changes.
 */

import { and, eq, inArray, isNotNull, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { type PictureSource, renderEntry } from '../domain/browse-entry.ts'
import { GAME_PLATFORMS } from '../domain/game-file.ts'
import { platformsOf } from '../domain/game-item.ts'
import { ITEM_TYPES, isContainer, MEDIA_KINDS } from '../domain/item-type.ts'
import { FILE_ROLES } from '../domain/scanned-item.ts'
import { artworkSchema } from './artwork-schema.ts'
import { IS_SETTLED } from './new-items.ts'

type Reader = Deps['db'] | Transaction

const parent = alias(mediaItems, 'parent')
const child = alias(mediaItems, 'child')

/** Not of a file that is known to have no picture in it: whoever asked for it would get an error at each visit. */
const shownVersion = (row: { inspectError: SQLWrapper; thumbnailVersion: SQLWrapper }) =>
  sql<string | null>`CASE WHEN ${row.inspectError} IS NULL THEN ${row.thumbnailVersion} END`

/** One text for all of them: rows and columns cost more than what is in them. */
const sourcesOf = (
  ids: readonly number[],
) => sql`SELECT json_group_array(json_object('id', m.id, 'itemKey', m.item_key, 'itemType', m.item_type,
    'title', m.title, 'parentKey', parent.item_key, 'libraryId', m.library_id, 'year', m.year, 'rating', m.rating, 'childCount', m.child_count,
    'seasonNumber', m.season_number, 'episodeNumber', m.episode_number, 'episodeNumberEnd', m.episode_number_end, 'mediaKind', m.media_kind,
    'mimeType', m.mime_type, 'size', m.size, 'width', m.width, 'height', m.height, 'durationSeconds', m.duration_seconds,
    'artwork', json(coalesce(m.artwork, '[]')), 'thumbnailVersion', iif(m.inspect_error IS NULL, m.thumbnail_version, NULL), 'thumbhash', m.thumbhash,
    'files', iif(m.item_type = 'game', json(m.files), NULL), 'data', iif(m.item_type = 'game' AND m.files IS NULL, m.data, NULL),
    'pageCount', m.page_count, 'plot', iif(m.item_type = 'tv_episode', m.plot, NULL), 'addedAt', m.added_at, 'hasExtractedText', coalesce(m.extracted_text, '') <> '',
    'tagIds', (SELECT json_group_array(tag_id) FROM item_tags WHERE item_id = m.id))) AS sources
  FROM json_each(${JSON.stringify(ids)}) AS wanted CROSS JOIN media_items m ON m.id = wanted.value LEFT JOIN media_items parent ON parent.id = m.parent_id`

const sourcesSchema = z.array(
  z.object({
    id: z.number(),
    itemKey: z.string(),
    itemType: z.enum(ITEM_TYPES),
    title: z.string(),
    parentKey: z.string().nullable(),
    libraryId: z.number(),
    year: z.number().nullable(),
    rating: z.number().nullable(),
    childCount: z.number(),
    seasonNumber: z.number().nullable(),
    episodeNumber: z.number().nullable(),
    episodeNumberEnd: z.number().nullable(),
    mediaKind: z.enum(MEDIA_KINDS).nullable(),
    mimeType: z.string().nullable(),
    size: z.number().nullable(),
    width: z.number().nullable(),
    height: z.number().nullable(),
    durationSeconds: z.number().nullable(),
    artwork: artworkSchema,
    thumbnailVersion: z.string().nullable(),
    thumbhash: z.string().nullable(),
    files: z.array(z.object({ platform: z.enum(GAME_PLATFORMS).optional(), role: z.enum(FILE_ROLES).optional() })).nullable(),
    data: z.string().nullable(),
    pageCount: z.number().nullable(),
    plot: z.string().nullable(),
    addedAt: z.number(),
    hasExtractedText: z.number(),
    tagIds: z.array(z.number()),
  }),
)

/** Screenshots and backdrops do not stand for anything in a grid. */
const HAS_COVER = sql`EXISTS (SELECT 1 FROM json_each(${child.artwork}) AS picture WHERE picture.value ->> 'kind' IN ('cover', 'poster'))`

/** The first descendant with a picture, in the order in which its level is shown. */
export const findFallback = async (reader: Reader, itemId: number): Promise<PictureSource | null> => {
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

/** Renders the entries of these items from their columns, by id. */
export const renderEntries = async (reader: Reader, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map()
  const [row] = await reader.all<{ sources: string }>(sourcesOf(ids))
  const rendered = new Map<number, string>()
  for (const { id, hasExtractedText, files, data, ...source } of sourcesSchema.parse(JSON.parse(row?.sources ?? '[]'))) {
    const needsFallback = source.thumbnailVersion === null && isContainer(source.itemType)
    const fallback = needsFallback ? await findFallback(reader, id) : null
    const platforms = source.itemType === 'game' ? platformsOf({ files, data }) : null
    rendered.set(id, renderEntry({ ...source, hasExtractedText: hasExtractedText === 1, platforms, fallback }))
  }
  return rendered
}

/**
 * Keeps the entries of up to `limit` rows that have none and are in the indexes. Reading and writing are one transaction: a
 * change in between would be overwritten by an older text. Answers how many it kept.
 */
export const keepEntries = (deps: Pick<Deps, 'write'>, limit: number): Promise<number> =>
  deps.write.transaction(async (tx) => {
    const rows = await tx
      .select({ id: mediaItems.id })
      .from(mediaItems)
      .where(and(IS_SETTLED, isNull(mediaItems.entry)))
      .limit(limit)
    const rendered = await renderEntries(
      tx,
      rows.map((row) => row.id),
    )
    await tx.run(
      sql`UPDATE media_items SET entry = row.value ->> 1 FROM json_each(${JSON.stringify([...rendered])}) AS row WHERE media_items.id = row.value ->> 0`,
    )
    return rendered.size
  }, 'background')
