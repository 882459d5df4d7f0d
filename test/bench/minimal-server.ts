/**
 * The least that Hono and libSQL can be on Bun: `PORT=n bun minimal-server.ts DATABASE`. A health check, and a
 * page of the first 100 entries of library 1 that SQLite puts together itself.
 */

import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client'
import { Hono } from 'hono'

const PAGE = `SELECT json_group_array(json_object('itemKey', item_key, 'itemType', item_type, 'title', title, 'parentKey', null, 'libraryId', library_id,
    'coverUrl', null, 'thumbnailUrl', '/api/thumbnails?itemKey=' || item_key || '&size=small&v=' || thumbnail_version, 'year', year,
    'rating', rating, 'childCount', null, 'gameCount', null, 'seasonNumber', season_number, 'episodeNumber', episode_number,
    'episodeNumberEnd', episode_number_end, 'mediaKind', media_kind, 'mimeType', mime_type, 'size', size, 'width', width, 'height', height,
    'durationSeconds', duration_seconds, 'hasExtractedText', extracted_text <> '', 'addedAt', strftime('%FT%TZ', added_at / 1000, 'unixepoch'),
    'tagIds', (SELECT json_group_array(tag_id) FROM item_tags WHERE item_id = page.id), 'thumbhash', thumbhash, 'progress', null)) AS json
  FROM (SELECT * FROM media_items WHERE library_id = 1 AND parent_id IS NULL AND missing_since IS NULL ORDER BY sort_title, id LIMIT 100) AS page`

const [, , database = ''] = process.argv
const client = createClient({ url: pathToFileURL(database).href })
await client.execute('PRAGMA journal_mode=WAL')

const app = new Hono()
  .get('/api/health', async (c) => {
    await client.execute('SELECT 1 FROM settings LIMIT 1')
    return c.json({ status: 'ok' })
  })
  .get('/page', async (c) => {
    const { rows } = await client.execute(PAGE)
    return c.body(String(rows[0]?.json), 200, { 'Content-Type': 'application/json' })
  })

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: app.fetch })
