import { pathToFileURL } from 'node:url'
import { createClient, type InValue } from '@libsql/client'

/** The oldest schema, word for word as API.md, 11 has it. */
const OLDEST_SCHEMA = [
  "CREATE TABLE libraries (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL CHECK (type IN ('games','movies','tv')), path TEXT NOT NULL)",
  "CREATE TABLE media_items (media_key TEXT PRIMARY KEY, library_id INTEGER NOT NULL REFERENCES libraries(id), item_type TEXT NOT NULL CHECK (item_type IN ('game','game_series','movie','tv_series','tv_season','tv_episode')), title TEXT NOT NULL, path TEXT NOT NULL, data TEXT)",
  'CREATE TABLE tag_categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  'CREATE TABLE tags (id INTEGER PRIMARY KEY, category_id INTEGER NOT NULL REFERENCES tag_categories(id) ON DELETE CASCADE, name TEXT NOT NULL)',
  'CREATE TABLE tag_assignments (media_key TEXT NOT NULL, tag_id INTEGER NOT NULL REFERENCES tags(id) ON DELETE CASCADE, PRIMARY KEY (media_key, tag_id))',
  'CREATE TABLE ai_jobs (id INTEGER PRIMARY KEY, media_key TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, error TEXT, created_at TEXT NOT NULL)',
]

/** Rows of the oldest schema, in the order of its columns. */
export interface LegacyRows {
  libraries: [id: number, name: string, type: string, path: string][]
  media_items: [mediaKey: string | null, libraryId: number, itemType: string, title: string, path: string, data: string | null][]
  tag_categories: [id: number, name: string][]
  tags: [id: number, categoryId: number, name: string][]
  tag_assignments: [mediaKey: string, tagId: number][]
  ai_jobs: [id: number, mediaKey: string, kind: string, status: string, error: string | null, createdAt: string][]
}

export const noLegacyRows: LegacyRows = { libraries: [], media_items: [], tag_categories: [], tags: [], tag_assignments: [], ai_jobs: [] }

/** An item of the oldest schema: its key and path always say the same. */
export const legacyItem = (itemType: string, libraryId: number, path: string, title = path): LegacyRows['media_items'][number] => [
  `${itemType}:${libraryId}:${path}`,
  libraryId,
  itemType,
  title,
  path,
  null,
]

const legacyGame = (path: string, title: string, zipFiles: string[]): LegacyRows['media_items'][number] => [
  `game:1:${path}`,
  1,
  'game',
  title,
  path,
  JSON.stringify({ zipFiles }),
]

/** A household's: series with episodes of the same file name, a flat one, games with zip files, names of several scripts, orphans. */
export const typicalLegacy: LegacyRows = {
  libraries: [
    [1, 'Spiele', 'games', '/media/games'],
    [3, 'Séries', 'tv', '/media/tv'],
  ],
  media_items: [
    legacyItem('game_series', 1, 'Zelda', 'The Legend of Zelda'),
    legacyGame('Zelda/Ocarina', 'Ocarina', ['ocarina.zip', 'patch.zip']),
    legacyGame('Doom', 'Doom', ['doom.zip']),
    legacyItem('tv_series', 3, 'Élan', 'Élan'),
    legacyItem('tv_season', 3, 'Élan/Season 1', 'Season 1'),
    legacyItem('tv_episode', 3, 'Élan/Season 1/S01E01.mkv', 'Pilot'),
    legacyItem('tv_episode', 3, 'Élan/Season 1/Élan S01E02.mkv', 'Zwei'),
    legacyItem('tv_series', 3, '攻殻機動隊', '攻殻機動隊 10'),
    legacyItem('tv_episode', 3, '攻殻機動隊/S01E01.mkv', '公安9課'),
  ],
  tag_categories: [
    [1, 'Genre'],
    [4, 'GENRE'],
    [6, 'Größe'],
  ],
  tags: [
    [1, 1, 'Action'],
    [2, 1, 'action'],
    [3, 4, 'ACTION'],
    [5, 4, 'Drama'],
    [7, 6, 'ÉPIQUE'],
    [8, 6, 'épique'],
    [9, 6, 'epique'],
    [10, 77, 'of no category'],
  ],
  tag_assignments: [
    ['1:Ocarina', 1],
    ['1:Ocarina', 2],
    ['1:Ocarina', 3],
    ['1:Zelda', 3],
    ['1:Doom', 5],
    ['3:S01E01.mkv', 5],
    ['3:S01E01.mkv', 1],
    ['3:Élan S01E02.mkv', 8],
    ['3:攻殻機動隊', 7],
    ['3:攻殻機動隊', 9],
    ['3:gone.mkv', 1],
    ['1:S01E01.mkv', 1],
    ['1:Doom', 10],
    ['1:Doom', 99],
    ['game:1:Doom', 5],
    ['game:1:Doom', 9],
  ],
  ai_jobs: [
    [1, '1:Ocarina', 'tag', 'running', null, '2026-01-02 03:04:05'],
    [2, '1:Ocarina', 'tagging', 'queued', null, '2026-01-02T03:04:06.250Z'],
    [3, '1:Ocarina', 'ocr', 'done', null, '1700000000'],
    [4, '1:Ocarina', 'extract', 'done', null, '1700000000123'],
    [5, '1:Doom', 'describe', 'failed', 'no answer', 'yesterday'],
    [6, '1:Doom', 'translate', 'queued', null, '2026-01-02'],
    [7, '1:Doom', 'dance', 'queued', null, '2026-01-02'],
    [8, '1:Doom', 'tag', 'asleep', null, '2026-01-02'],
    [9, '3:S01E01.mkv', 'tag', 'queued', null, '2026-01-02'],
    [10, '3:gone.mkv', 'tag', 'queued', null, '2026-01-02'],
  ],
}

/** Writes a database as the oldest version left it: no table of migrations, no write-ahead log, references not enforced. */
export const createLegacyDatabase = async (file: string, rows: LegacyRows): Promise<void> => {
  const client = createClient({ url: pathToFileURL(file).href, concurrency: 1 })
  const inserts = Object.entries(rows).flatMap(([table, values]) =>
    values.map((row: InValue[]) => ({ sql: `INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`, args: row })),
  )
  await client.migrate([...OLDEST_SCHEMA, ...inserts])
  client.close()
}
