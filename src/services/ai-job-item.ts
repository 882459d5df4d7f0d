/** An item as AI jobs need it: what a prompt tells of it, and where its pictures are. */

import { z } from 'zod'
import type { PromptItem } from '../ai/prompts.ts'
import type { Deps } from '../deps.ts'
import { aiPictures } from '../domain/ai-picture.ts'
import { ITEM_TYPES, MEDIA_KINDS } from '../domain/item-type.ts'
import { artworkSchema } from './artwork-schema.ts'
import { findFallback } from './browse-entries.ts'
import { storedJson } from './stored-json.ts'

export const aiItemRow = z.object({
  id: z.number(),
  itemKey: z.string(),
  libraryId: z.number(),
  root: z.string().nullable(),
  itemType: z.enum(ITEM_TYPES),
  path: z.string(),
  title: z.string(),
  parentTitle: z.string().nullable(),
  mediaKind: z.enum(MEDIA_KINDS).nullable(),
  year: z.number().nullable(),
  genres: storedJson(z.array(z.string())).nullable(),
  plot: z.string().nullable(),
  description: z.string().nullable(),
  extractedText: z.string().nullable(),
  artwork: storedJson(artworkSchema).nullable(),
  thumbnailKind: z.enum(['image', 'video', 'pages']).nullable(),
  thumbnailPath: z.string().nullable(),
  tags: storedJson(z.array(z.string())).nullable(),
})

/** A series stands above its season, which says little: its title goes before. */
const PARENT = `(SELECT CASE WHEN above.title IS NULL THEN parent.title ELSE above.title || ', ' || parent.title END
  FROM media_items parent LEFT JOIN media_items above ON above.id = parent.parent_id WHERE parent.id = m.parent_id)`

const TAGS = `(SELECT json_group_array(t.name) FROM item_tags a JOIN tags t ON t.id = a.tag_id WHERE a.item_id = m.id AND a.source <> 'ai')`

/** An item `m` of a library `l` as the text of `aiItemRow`: it is columns that cost. `text`: what of its text is told. */
export const aiItem = (text = 'm.extracted_text'): string => `json_object('id', m.id, 'itemKey', m.item_key, 'libraryId', m.library_id,
    'root', iif(m.missing_since IS NULL, coalesce(l.real_path, l.path), NULL), 'itemType', m.item_type, 'path', m.path, 'title', m.title,
    'parentTitle', ${PARENT}, 'mediaKind', m.media_kind, 'year', m.year, 'genres', m.genres, 'plot', m.plot, 'description', m.description,
    'extractedText', ${text}, 'artwork', m.artwork, 'thumbnailKind', m.thumbnail_kind, 'thumbnailPath', m.thumbnail_path, 'tags', ${TAGS} || '')`

export type AiItemRow = z.infer<typeof aiItemRow>

/** A series of games without a cover of its own, which shows that of its first game (`withCover`). */
export const hasNoCover = (row: AiItemRow): boolean => row.itemType === 'game_series' && aiPictures(row, 'description').length === 0

export const withCover = async (deps: Pick<Deps, 'db'>, row: AiItemRow): Promise<AiItemRow> => {
  const first = await findFallback(deps.db, row.id)
  return first ? { ...row, artwork: [...first.artwork] } : row
}

/** Undefined for an item that is gone. */
export const readAiItem = async (deps: Pick<Deps, 'db'>, id: number): Promise<AiItemRow | undefined> => {
  const { rows } = await deps.db.$client.execute({
    sql: `SELECT ${aiItem()} AS item FROM media_items m JOIN libraries l ON l.id = m.library_id WHERE m.id = ?`,
    args: [id],
  })
  const text = rows[0]?.item
  if (typeof text !== 'string') return undefined
  const row = aiItemRow.parse(JSON.parse(text))
  return hasNoCover(row) ? withCover(deps, row) : row
}

export const toPromptItem = (row: AiItemRow): PromptItem => ({
  title: row.title,
  itemType: row.itemType,
  mediaKind: row.mediaKind,
  parentTitle: row.parentTitle,
  year: row.year,
  genres: row.genres ?? [],
  plot: row.plot,
  tags: row.tags ?? [],
  file: row.path,
  description: row.description,
  extractedText: row.extractedText,
})
