/**
 * What has become a part of something else, as another rule for names has it, or has been divided: what people and models put
 * on it is seen there from then on, where that has none of its own.
 */

import type { InStatement } from '@libsql/client'
import { REFRESHED } from './scan-rows.ts'
import type { IndexRow } from './scan-state.ts'
import type { PartOfWhole } from './scan-wholes.ts'

/** A film that is the main file or a version of the one around its folder now. */
const FILM_IN_FILM = `media_items part
    CROSS JOIN media_items whole ON part.item_type = 'movie'
      AND whole.item_key = rtrim(rtrim(part.item_key, replace(part.item_key, '/', '')), '/')
    CROSS JOIN json_each(whole.files) AS file ON file.value ->> 'role' <> 'extra' AND part.main_file = whole.path || '/' || (file.value ->> 'name')`

/** An episode of which the file is a part of another one now. */
const EPISODE_IN_EPISODE = `media_items whole
    CROSS JOIN json_each(whole.files) AS file ON file.value ->> 'role' = 'part' AND whole.item_type = 'tv_episode'
      AND whole.parent_id IN (SELECT parent_id FROM media_items WHERE id IN (SELECT value FROM json_each(?1)) AND item_type = 'tv_episode')
    CROSS JOIN media_items part ON part.item_key = substr(whole.item_key, 1, length(whole.item_key) - length(whole.files ->> '$[0].name')) || (file.value ->> 'name')`

/** An episode, or the season of one, of which the file is an extra of the series now. */
const EXTRA_OF_SERIES = `media_items part
    CROSS JOIN media_items episode ON episode.item_type = 'tv_episode' AND (episode.id = part.id OR episode.parent_id = part.id)
    CROSS JOIN media_items season ON season.id = episode.parent_id
    CROSS JOIN media_items whole ON whole.id = season.parent_id AND whole.item_type = 'tv_series'
      AND instr(whole.files, '"name":' || json_quote(substr(episode.path, length(whole.path) + 2)))`

/** A series, and a game of it, of which the folder is a game now. */
const GAME_OF_SERIES = `media_items part
    CROSS JOIN media_items series ON series.id = coalesce(part.parent_id, part.id) AND series.item_type = 'game_series'
    CROSS JOIN media_items whole ON whole.item_key = 'game:' || series.library_id || ':' || series.path`

/** A game of which the folder is a series now, as one that has got a folder for each version. An older series has only come back. */
const SERIES_OF_GAME = `media_items part
    CROSS JOIN media_items whole ON part.item_type = 'game' AND whole.item_key = 'game_series:' || part.library_id || ':' || part.path AND whole.id > part.id`

/** Copies the tags of `part` to `whole`, but those that somebody took off it; `ofWhole` joins and tells the two. */
const copyTags = (list: string, ofWhole: string, pairs: string[] = []): InStatement => ({
  sql: `INSERT INTO item_tags (tag_id, item_id, source, created_by, created_at, is_copy)
    SELECT tag.tag_id, whole.id, tag.source, tag.created_by, tag.created_at, true
    FROM ${ofWhole} CROSS JOIN item_tags tag ON tag.item_id = part.id
    WHERE part.id IN (SELECT value FROM json_each(?1)) AND whole.missing_since IS NULL
      AND NOT EXISTS (SELECT 1 FROM item_tags WHERE item_id = whole.id AND tag_id = tag.tag_id)
      AND NOT EXISTS (SELECT 1 FROM tag_refusals WHERE item_id = whole.id AND tag_id = tag.tag_id)
    GROUP BY tag.tag_id, whole.id`,
  args: [list, ...pairs],
})

/** The pairs of `?2`. */
const PAIRED = `json_each(?2) AS pair CROSS JOIN media_items part ON part.id = pair.value ->> 0
    CROSS JOIN media_items whole ON whole.item_key = pair.value ->> 1`

const listParts = (pairs: readonly PartOfWhole[]): string => JSON.stringify(pairs.map(([id]) => id))

/** Copies the tags of items to what has become their whole, or a part of them. */
export const inheritTags = (pairs: readonly PartOfWhole[]): InStatement => copyTags(listParts(pairs), PAIRED, [JSON.stringify(pairs)])

/** Whether there is the same on the series, or on another of its games. */
const isOfSeries = (column: string): string =>
  `media_items.${column} IN (SELECT own.${column} FROM media_items own WHERE (own.id = series.id OR own.parent_id = series.id)
    AND own.missing_since IS NULL AND own.id <> media_items.id)`

/**
 * Takes off games that have left their places what they had got there from a series, which has its folder back: somebody
 * had put an archive into that by mistake. What nothing else that is there has any more stays, and so do the texts of a game that
 * is older than the series, which may have them from it.
 */
export const dropCopies = (moves: readonly { from: IndexRow }[]): InStatement[] => {
  const games = moves.filter(({ from }) => from.itemType === 'game')
  if (games.length === 0) return []
  const args = [JSON.stringify(games.map(({ from }) => [from.id, `${from.libraryId}:${from.path}`]))]
  const isBack = `series.item_key = 'game_series:' || (move.value ->> 1) AND series.missing_since IS NULL`
  return [
    {
      sql: `DELETE FROM item_tags WHERE (tag_id, item_id) IN (SELECT copy.tag_id, copy.item_id FROM json_each(?) AS move
        CROSS JOIN media_items series ON ${isBack}
        CROSS JOIN item_tags copy ON copy.item_id = move.value ->> 0 AND copy.is_copy
        CROSS JOIN item_tags own ON own.tag_id = copy.tag_id AND own.item_id IN (SELECT id FROM media_items
          WHERE (id = series.id OR parent_id = series.id) AND missing_since IS NULL AND id <> copy.item_id))`,
      args,
    },
    {
      sql: `UPDATE media_items SET ${['description', 'ai_tagged_at', 'extracted_text', 'translation']
        .map((column) => `${column} = iif(${isOfSeries(column)}, NULL, media_items.${column})`)
        .join(', ')}, text_edited = media_items.text_edited AND NOT coalesce(${isOfSeries('extracted_text')}, 0)
        FROM json_each(?) AS move CROSS JOIN media_items series ON ${isBack} AND series.id < move.value ->> 0
        WHERE media_items.id = move.value ->> 0`,
      args,
    },
  ]
}

/** What is on an item beside its tags and what people have seen of it, by what goes together: where it is there, and where it is wanted. */
const ON_ITEM: readonly { columns: readonly string[]; isThere: string; isWanted: string }[] = [
  { columns: ['description'], isThere: 'part.description IS NOT NULL', isWanted: 'media_items.description IS NULL' },
  { columns: ['ai_tagged_at'], isThere: 'part.ai_tagged_at IS NOT NULL', isWanted: 'media_items.ai_tagged_at IS NULL' },
  {
    columns: ['extracted_text', 'text_edited', 'text_version', 'translation', 'translation_stale'],
    isThere: `part.extracted_text <> ''`,
    isWanted: 'media_items.extracted_text IS NULL AND media_items.translation IS NULL',
  },
  // The titles first: what has been read of its own NFO file is all that is to be said of a film.
  { columns: ['title', 'search_title', 'title_given'], isThere: 'part.title_given', isWanted: 'media_items.nfo_refreshed_at IS NULL' },
  { columns: ['sort_title', 'sort_title_given'], isThere: 'part.sort_title_given', isWanted: 'media_items.nfo_refreshed_at IS NULL' },
  { columns: REFRESHED, isThere: 'part.nfo_refreshed_at IS NOT NULL', isWanted: 'media_items.nfo_refreshed_at IS NULL' },
]

/** What is one item now where there were several, or another one, and whose come first. */
const IN_ONE = [
  { ofWhole: FILM_IN_FILM, first: 'file.key' },
  { ofWhole: GAME_OF_SERIES, first: `part.item_type <> 'game_series', part.path` },
  { ofWhole: SERIES_OF_GAME, first: 'part.id' },
]

/** Copies to `whole` what is on `part` and wanted there, of the `first` before others. */
const describe = (list: string, ofWhole: string, { first, pairs = [] }: { first: string; pairs?: string[] }): InStatement[] =>
  ON_ITEM.map(({ columns, isThere, isWanted }) => ({
    sql: `UPDATE media_items SET ${columns.map((column) => `${column} = found.${column}`).join(', ')}
      FROM (SELECT whole.id AS target, ${columns.map((column) => `part.${column} AS ${column}`).join(', ')},
          row_number() OVER (PARTITION BY whole.id ORDER BY ${first}) AS place
        FROM ${ofWhole} WHERE part.id IN (SELECT value FROM json_each(?1)) AND whole.missing_since IS NULL AND ${isThere}) AS found
      WHERE media_items.id = found.target AND found.place = 1 AND ${isWanted}`,
    args: [list, ...pairs],
  }))

/** It has been there as long as the oldest of them. */
const date = (list: string, ofWhole: string, pairs: string[] = []): InStatement => ({
  sql: `UPDATE media_items SET added_at = found.added_at
    FROM (SELECT whole.id AS target, min(part.added_at) AS added_at FROM ${ofWhole}
      WHERE part.id IN (SELECT value FROM json_each(?1)) AND whole.missing_since IS NULL GROUP BY whole.id) AS found
    WHERE media_items.id = found.target AND media_items.added_at > found.added_at`,
  args: [list, ...pairs],
})

/** Where somebody was in any of these is where they are in the film that has it now, in its `file`; of several versions in the last one. */
const resume = (list: string, ofWhole: string, { file, pairs = [] }: { file: string; pairs?: string[] }): InStatement => ({
  sql: `INSERT OR IGNORE INTO progress (user_id, item_id, position_seconds, duration_seconds, page, completed, updated_at, left_out, file)
    SELECT seen.user_id, whole.id, seen.position_seconds, seen.duration_seconds, seen.page, seen.completed, seen.updated_at, seen.left_out, ${file}
    FROM ${ofWhole} CROSS JOIN progress seen ON seen.item_id = part.id
    WHERE part.id IN (SELECT value FROM json_each(?1)) AND whole.missing_since IS NULL
      AND (seen.file IS NULL OR instr(whole.files, '"name":' || json_quote(${file}))) ORDER BY seen.updated_at DESC`,
  args: [list, ...pairs],
})

/** Where somebody was in a part of a film is told from its folder, and that of these has become one of those in it. */
export const enterFolders = (moves: readonly { id: number; from: string; to: string }[]): InStatement => ({
  sql: `UPDATE progress SET file = substr(file, length(row.value ->> 1) + 1) FROM json_each(?) AS row
    WHERE item_id = row.value ->> 0 AND substr(file, 1, length(row.value ->> 1)) = row.value ->> 1`,
  args: [
    JSON.stringify(
      moves.filter(({ from, to }) => to.startsWith(`${from}/`)).map(({ id, from, to }) => [id, `${to.slice(from.length + 1)}/`]),
    ),
  ],
})

/**
 * The same of films that are one film by now, and of a series that most of another one has come from, which is no shelf that it
 * was put on; a film that was divided is in none of its parts as a whole.
 */
const IS_SAME = `(part.item_type = 'movie' AND instr(whole.item_key, part.item_key || '/') = 0
      OR part.item_type IN ('tv_series', 'manga_series', 'game_series') AND 2 * (pair.value ->> 2) > whole.child_count)`

/** Whoever had read all chapters of a volume has read it. `all`: of each volume all pairs. */
const keepRead = (list: string, all: string): InStatement => ({
  sql: `INSERT OR IGNORE INTO progress (user_id, item_id, completed, updated_at)
    SELECT seen.user_id, whole.id, true, max(seen.updated_at) FROM ${PAIRED} CROSS JOIN progress seen ON seen.item_id = part.id AND seen.completed
    WHERE part.item_type = 'manga_volume' AND whole.missing_since IS NULL
      AND whole.item_key IN (SELECT value ->> 1 FROM json_each(?2) WHERE value ->> 0 IN (SELECT value FROM json_each(?1)))
    GROUP BY whole.id, seen.user_id HAVING count(*) = (SELECT count(*) FROM json_each(?2) WHERE value ->> 1 = whole.item_key)`,
  args: [list, all],
})

/** To those of these pairs that are one, wherever they lie. `all`: the pairs of which these are some. */
export const inheritAll = (pairs: readonly PartOfWhole[], all = pairs): InStatement[] => {
  const list = listParts(pairs)
  const given = [JSON.stringify(pairs)]
  return [
    inheritTags(pairs),
    ...describe(list, `${PAIRED} AND ${IS_SAME}`, { first: 'part.id', pairs: given }),
    date(list, `${PAIRED} AND ${IS_SAME}`, given),
    resume(list, `${PAIRED} AND ${IS_SAME}`, { file: 'seen.file', pairs: given }),
    keepRead(list, JSON.stringify(all)),
  ]
}

/** Of these items that are missing, and may be parts by now. */
export const inherit = (ids: readonly number[]): InStatement[] => {
  const list = JSON.stringify(ids)
  return [
    ...[EPISODE_IN_EPISODE, EXTRA_OF_SERIES, FILM_IN_FILM, GAME_OF_SERIES, SERIES_OF_GAME].map((ofWhole) => copyTags(list, ofWhole)),
    ...IN_ONE.flatMap(({ ofWhole, first }) => [...describe(list, ofWhole, { first }), date(list, ofWhole)]),
    resume(list, `${FILM_IN_FILM} AND file.value ->> 'role' <> 'part'`, {
      file: `substr(part.path, length(whole.path) + 2) || '/' || seen.file`,
    }),
  ]
}
