/**
 * The least that Hono and libSQL can be on Bun: `PORT=n bun minimal-server.ts DATABASE [FOLDER]`. A health check, a
 * page of the first 100 entries of library 1 that SQLite puts together itself, and the files of a folder, with nothing
 * asked or checked: as Bun sends them, and as text that is kept in memory.
 */

import { join } from 'node:path'
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

const [, , database = '', folder = ''] = process.argv
const client = createClient({ url: pathToFileURL(database).href })
await client.execute('PRAGMA journal_mode=WAL')

const kept = new Map<string, string>()
const keep = async (name: string): Promise<string> => {
  const text = kept.get(name) ?? (await Bun.file(join(folder, name)).text())
  kept.set(name, text)
  return text
}

const app = new Hono()
  .get('/api/health', async (c) => {
    await client.execute('SELECT 1 FROM settings LIMIT 1')
    return c.json({ status: 'ok' })
  })
  .get('/page', async (c) => {
    const { rows } = await client.execute(PAGE)
    return c.body(String(rows[0]?.json), 200, { 'Content-Type': 'application/json' })
  })
  .get('/kept/:name', async (c) => c.body(await keep(c.req.param('name')), 200, { 'Content-Type': 'application/json' }))
  .get('/files/:name', (c) => new Response(Bun.file(join(folder, c.req.param('name')))))

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: app.fetch })
