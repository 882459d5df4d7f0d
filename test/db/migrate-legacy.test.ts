import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sortTitle } from '../../src/domain/natural-sort.ts'
import { createLog } from '../../src/log.ts'
import { createLegacyDatabase, legacyItem, noLegacyRows, typicalLegacy } from '../support/legacy-database.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile } from '../support/test-database.ts'

describe('a database of the oldest schema', () => {
  let folder: TemporaryFolder
  let handle: DatabaseHandle
  let startedAt: number
  const logged: Record<string, unknown>[] = []

  beforeAll(async () => {
    folder = await temporaryFolder('legacy')
    await createLegacyDatabase(join(folder.path, 'vitrine.db'), typicalLegacy)
    startedAt = Date.now()
    handle = await openTestFile(join(folder.path, 'vitrine.db'))
    await migrate(
      handle,
      createLog('info', (line) => logged.push(JSON.parse(line))),
    )
  })

  afterAll(async () => {
    await handle.close()
    await folder.remove()
  })

  const rows = async (sql: string): Promise<unknown[][]> => {
    const result = await handle.client.execute(sql)
    return result.rows.map((row) => Array.from(row))
  }

  const tagsOf = (itemKey: string): Promise<unknown[][]> =>
    rows(`SELECT tags.name FROM tag_assignments JOIN tags ON tags.id = tag_id WHERE item_key = '${itemKey}' ORDER BY tags.id`)

  const rejects = (table: string, reason: string): Promise<unknown[][]> =>
    rows(`SELECT row FROM migration_rejects WHERE source_table = '${table}' AND reason = '${reason}' ORDER BY row`)

  describe('tag assignments', () => {
    test('a short key that fits several items is dropped, and kept among the rejects', async () => {
      expect(await tagsOf('tv_episode:3:Élan/Season 1/S01E01.mkv')).toEqual([])
      expect(await tagsOf('tv_episode:3:攻殻機動隊/S01E01.mkv')).toEqual([])
      expect(await rejects('tag_assignments', 'ambiguous')).toEqual([
        ['{"media_key":"3:S01E01.mkv","tag_id":1}'],
        ['{"media_key":"3:S01E01.mkv","tag_id":5}'],
      ])
    })

    test('a short key that fits no item of its library, and a tag that is gone, are dropped and kept among the rejects', async () => {
      expect(await rejects('tag_assignments', 'orphaned')).toEqual([
        ['{"media_key":"1:Doom","tag_id":10}'],
        ['{"media_key":"1:Doom","tag_id":99}'],
        ['{"media_key":"1:S01E01.mkv","tag_id":1}'],
        ['{"media_key":"3:gone.mkv","tag_id":1}'],
      ])
    })

    test('a short key that fits exactly one item becomes its full key', async () => {
      expect(await tagsOf('game_series:1:Zelda')).toEqual([['Action']])
      expect(await tagsOf('tv_episode:3:Élan/Season 1/Élan S01E02.mkv')).toEqual([['ÉPIQUE']])
      expect(await tagsOf('tv_series:3:攻殻機動隊')).toEqual([['ÉPIQUE'], ['epique']])
    })

    test('a key that is full already stays, and the same assignment under both keys is one', async () => {
      expect(await tagsOf('game:1:Doom')).toEqual([['Drama'], ['epique']])
    })

    test('of tags that became one, an item carries the one that stayed, once', async () => {
      expect(await tagsOf('game:1:Zelda/Ocarina')).toEqual([['Action']])
      expect(await rows('SELECT DISTINCT source FROM item_tags')).toEqual([['user']])
    })
  })

  describe('tags and categories', () => {
    test('a tag without its category is dropped, and kept among the rejects', async () => {
      expect(await rejects('tags', 'orphaned')).toEqual([['{"id":10,"category_id":77,"name":"of no category"}']])
    })

    test('names that differ by case alone become one: the oldest row stays, accents make another name', async () => {
      expect(await rows('SELECT id, name, name_key FROM tag_categories ORDER BY id')).toEqual([
        [1, 'Genre', 'genre'],
        [6, 'Größe', 'grösse'],
      ])
      expect(await rows('SELECT id, category_id, name, name_key FROM tags ORDER BY id')).toEqual([
        [1, 1, 'Action', 'action'],
        [5, 1, 'Drama', 'drama'],
        [7, 6, 'ÉPIQUE', 'épique'],
        [9, 6, 'epique', 'epique'],
      ])
    })

    test('the rows that were merged are among the rejects, as they were', async () => {
      expect(await rejects('tag_categories', 'merged')).toEqual([['{"id":4,"name":"GENRE","merged_into":1}']])
      expect(await rejects('tags', 'merged')).toEqual([
        ['{"id":2,"category_id":1,"name":"action","merged_into":1}'],
        ['{"id":3,"category_id":4,"name":"ACTION","merged_into":1}'],
        ['{"id":8,"category_id":6,"name":"épique","merged_into":7}'],
      ])
    })
  })

  describe('items', () => {
    test('every item is kept under its key, with its title, path and data', async () => {
      expect(await rows('SELECT item_key, library_id, item_type, title, path, data FROM media_items ORDER BY id')).toEqual(
        typicalLegacy.media_items.map(([key, libraryId, type, title, path, data]) => [key, libraryId, type, title, path, data]),
      )
    })

    test('an item stands below the nearest row of its path that can hold it', async () => {
      expect(
        await rows(`SELECT child.item_key, parent.item_key FROM media_items child
          JOIN media_items parent ON parent.id = child.parent_id ORDER BY child.id`),
      ).toEqual([
        ['game:1:Zelda/Ocarina', 'game_series:1:Zelda'],
        ['tv_season:3:Élan/Season 1', 'tv_series:3:Élan'],
        ['tv_episode:3:Élan/Season 1/S01E01.mkv', 'tv_season:3:Élan/Season 1'],
        ['tv_episode:3:Élan/Season 1/Élan S01E02.mkv', 'tv_season:3:Élan/Season 1'],
        ['tv_episode:3:攻殻機動隊/S01E01.mkv', 'tv_series:3:攻殻機動隊'],
      ])
    })

    test('children and the top level of a library are counted', async () => {
      expect(await rows('SELECT item_key, child_count FROM media_items WHERE child_count > 0 ORDER BY id')).toEqual([
        ['game_series:1:Zelda', 1],
        ['tv_series:3:Élan', 1],
        ['tv_season:3:Élan/Season 1', 2],
        ['tv_series:3:攻殻機動隊', 1],
      ])
      expect(await rows('SELECT id, name, type, path, item_count FROM libraries ORDER BY id')).toEqual([
        [1, 'Spiele', 'games', '/media/games', 2],
        [3, 'Séries', 'tv', '/media/tv', 2],
      ])
    })

    test('titles get the keys that lists are ordered and searched by', async () => {
      expect(
        await rows("SELECT sort_title, search_title, unit FROM media_items WHERE path IN ('Zelda', 'Élan', '攻殻機動隊') ORDER BY id"),
      ).toEqual([
        ['legend of zelda', 'the legend of zelda', 'Zelda'],
        ['elan', 'elan', 'Élan'],
        ['攻殻機動隊 0210', '攻殻機動隊 10', '攻殻機動隊'],
      ])
    })

    test('they count as added now', async () => {
      for (const [addedAt] of await rows('SELECT added_at FROM media_items')) {
        expect(addedAt).toBeGreaterThanOrEqual(startedAt)
        expect(addedAt).toBeLessThanOrEqual(Date.now())
      }
    })
  })

  describe('AI jobs', () => {
    test('jobs of no or several items, of unknown kinds and states, and second open ones are among the rejects', async () => {
      expect(
        await rows("SELECT json_extract(row, '$.id'), reason FROM migration_rejects WHERE source_table = 'ai_jobs' ORDER BY 1"),
      ).toEqual([
        [2, 'duplicate'],
        [7, 'unknown_kind'],
        [8, 'unknown_status'],
        [9, 'ambiguous'],
        [10, 'orphaned'],
      ])
    })

    test('the others go on, and what was running when the old server stopped is queued again', async () => {
      const jobs = await rows(`SELECT ai_jobs.id, item_key, activity, status, error, payload, ai_jobs.created_at
        FROM ai_jobs JOIN media_items ON media_items.id = item_id WHERE ai_jobs.id <> 5 ORDER BY ai_jobs.id`)
      expect(jobs).toEqual([
        [1, 'game:1:Zelda/Ocarina', 'tagging', 'queued', null, '{}', Date.UTC(2026, 0, 2, 3, 4, 5)],
        [3, 'game:1:Zelda/Ocarina', 'extraction', 'done', null, '{}', 1_700_000_000_000],
        [4, 'game:1:Zelda/Ocarina', 'extraction', 'done', null, '{}', 1_700_000_000_123],
        [6, 'game:1:Doom', 'translation', 'queued', null, '{}', Date.UTC(2026, 0, 2)],
      ])
    })

    test('a time that cannot be read is now', async () => {
      const [job = []] = await rows('SELECT status, error, created_at FROM ai_jobs WHERE id = 5')
      expect(job.slice(0, 2)).toEqual(['failed', 'no answer'])
      expect(job[2]).toBeGreaterThanOrEqual(startedAt)
    })
  })

  test('the log counts what was rejected', () => {
    const counts = logged
      .filter(({ event }) => event === 'migration_rejects')
      .map(({ table, reason, rows: count }) => [table, reason, count])
    expect(counts).toContainEqual(['tag_assignments', 'ambiguous', 2])
    expect(counts).toContainEqual(['tag_assignments', 'orphaned', 4])
    expect(counts).toContainEqual(['tag_assignments', 'duplicate', 3])
    expect(counts).toContainEqual(['ai_jobs', 'unknown_kind', 1])
  })

  test('the database from before is beside it, complete and named by its version', async () => {
    expect(await readdir(folder.path)).toContain('vitrine.db.bak-0')
    const backup = await openTestFile(join(folder.path, 'vitrine.db.bak-0'))
    const kept = await backup.client.execute('SELECT * FROM tag_assignments ORDER BY media_key, tag_id')
    expect(kept.rows.map((row) => Array.from(row)).toSorted()).toEqual(typicalLegacy.tag_assignments.toSorted())
    await backup.close()
  })

  test('no reference is broken', async () => {
    expect(await rows('PRAGMA foreign_key_check')).toEqual([])
    expect(await rows('PRAGMA integrity_check')).toEqual([['ok']])
  })
})

test('items that bear short keys themselves, and whole paths, get full keys and lose nothing', async () => {
  await using folder = await temporaryFolder('legacy-short')
  const file = join(folder.path, 'vitrine.db')
  await createLegacyDatabase(file, {
    ...noLegacyRows,
    libraries: [
      [1, 'Games', 'games', '/media/games/'],
      [2, 'Series', 'tv', '/media/tv'],
    ],
    media_items: [
      ['1:Zelda', 1, 'game_series', 'Zelda', '/media/games/Zelda', null],
      ['1:Ocarina', 1, 'game', 'The Ocarina', '/media/games/Zelda/Ocarina', null],
      ['1:Doom', 1, 'game', 'Doom', 'Doom', null],
      ['tv_episode:2:A/S01E01.mkv', 2, 'tv_episode', 'Pilot', '/media/tv/A/S01E01.mkv', null],
      ['2:S01E01.mkv', 2, 'tv_episode', 'Other pilot', '/media/tv/B/S01E01.mkv', null],
      ['2:away.mkv', 2, 'tv_episode', 'Elsewhere', '/media/tv series/away.mkv', null],
    ],
    tag_categories: [[1, 'Genre']],
    tags: [[1, 1, 'Action']],
    tag_assignments: [
      ['1:Ocarina', 1],
      ['1:Doom', 1],
      ['2:S01E01.mkv', 1],
    ],
    ai_jobs: [[1, '1:Doom', 'tagging', 'queued', null, '2024-01-01T00:00:00Z']],
  })
  const handle = await openTestFile(file)
  try {
    await migrate(handle, createLog('silent'))
    const rows = async (sql: string) => (await handle.client.execute(sql)).rows.map((row) => Array.from(row))
    expect(await rows('SELECT item_key, path, unit, sort_title, parent_id FROM media_items ORDER BY id')).toEqual([
      ['game_series:1:Zelda', 'Zelda', 'Zelda', sortTitle('Zelda'), null],
      ['game:1:Zelda/Ocarina', 'Zelda/Ocarina', 'Zelda', sortTitle('The Ocarina'), 1],
      ['game:1:Doom', 'Doom', 'Doom', sortTitle('Doom'), null],
      ['tv_episode:2:A/S01E01.mkv', 'A/S01E01.mkv', 'A', sortTitle('Pilot'), null],
      ['tv_episode:2:B/S01E01.mkv', 'B/S01E01.mkv', 'B', sortTitle('Other pilot'), null],
      ['tv_episode:2:/media/tv series/away.mkv', '/media/tv series/away.mkv', '', sortTitle('Elsewhere'), null],
    ])
    // Of two files of one name nobody can say whose the short key was.
    expect(await rows('SELECT item_key FROM tag_assignments ORDER BY item_key')).toEqual([['game:1:Doom'], ['game:1:Zelda/Ocarina']])
    expect(await rows('SELECT item_id, status FROM ai_jobs')).toEqual([[3, 'queued']])
  } finally {
    await handle.close()
  }
})

test('views and triggers that somebody made for themselves stop nothing and stay as they are, also where they lead nowhere', async () => {
  await using folder = await temporaryFolder('legacy-views')
  const file = join(folder.path, 'vitrine.db')
  await createLegacyDatabase(file, {
    ...noLegacyRows,
    libraries: [[1, 'Games', 'games', '/media/games']],
    media_items: [legacyItem('game', 1, 'Doom')],
    tag_categories: [[1, 'Genre']],
    tags: [[1, 1, 'Action']],
    tag_assignments: [['1:Doom', 1]],
  })
  const handle = await openTestFile(file)
  const rows = async (sql: string) => (await handle.client.execute(sql)).rows.map((row) => Array.from(row))
  const own = () => rows("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name LIKE 'own%' ORDER BY name")
  try {
    await handle.client.batch([
      'CREATE TABLE own_notes (note TEXT, media_key TEXT)',
      "INSERT INTO own_notes VALUES ('played', NULL)",
      'CREATE VIEW own_broken AS SELECT title FROM a_table_that_is_gone',
      'CREATE VIEW own_keys AS SELECT media_key, name FROM tag_assignments JOIN tags ON tags.id = tag_id',
      'CREATE VIEW own_titles AS SELECT id, title FROM media_items JOIN libraries ON libraries.id = library_id',
      'CREATE TRIGGER own_trigger AFTER INSERT ON own_notes BEGIN INSERT INTO a_table_that_is_gone VALUES (new.note); END',
    ])
    const before = await own()
    await migrate(handle, createLog('silent'))
    expect([await own(), before.length]).toEqual([before, 5])
    expect(await rows('SELECT * FROM own_notes')).toEqual([['played', null]])
    expect(await rows('SELECT item_key FROM tag_assignments')).toEqual([['game:1:Doom']])
    expect(await rows('PRAGMA foreign_key_list(item_tags)')).toEqual(
      expect.arrayContaining([
        expect.arrayContaining(['media_items']),
        expect.arrayContaining(['tags']),
        expect.arrayContaining(['users']),
      ]),
    )
    expect(await rows('PRAGMA legacy_alter_table')).toEqual([[0]])
  } finally {
    await handle.close()
  }
})

test('names of tags that could not be given now are tidied, and become one with those that they are then', async () => {
  await using folder = await temporaryFolder('legacy-names')
  const file = join(folder.path, 'vitrine.db')
  const long = 'x'.repeat(300)
  await createLegacyDatabase(file, {
    ...noLegacyRows,
    libraries: [[1, 'Games', 'games', '/media/games']],
    media_items: [legacyItem('game', 1, 'Doom')],
    tag_categories: [
      [1, 'Genre'],
      [2, ' Genre '],
      [3, ''],
      [4, ' \t'],
      [5, 'Two\nlines'],
      [6, long],
    ],
    tags: [
      [1, 1, 'Action'],
      [2, 2, ' action\n'],
      [3, 3, '\u200b'],
      [4, 4, ' Of blanks'],
      [5, 5, '文字'],
      [6, 6, 'Long'],
    ],
    tag_assignments: [
      ['1:Doom', 2],
      ['1:Doom', 3],
    ],
  })
  const handle = await openTestFile(file)
  try {
    await migrate(handle, createLog('silent'))
    const rows = async (sql: string) => (await handle.client.execute(sql)).rows.map((row) => Array.from(row))
    expect(await rows('SELECT id, name, name_key FROM tag_categories ORDER BY id')).toEqual([
      [1, 'Genre', 'genre'],
      [3, 'Unnamed', 'unnamed'],
      [5, 'Two lines', 'two lines'],
      [6, long, long],
    ])
    expect(await rows('SELECT id, category_id, name, name_key FROM tags ORDER BY id')).toEqual([
      [1, 1, 'Action', 'action'],
      [3, 3, 'Unnamed', 'unnamed'],
      [4, 3, 'Of blanks', 'of blanks'],
      [5, 5, '文字', '文字'],
      [6, 6, 'Long', 'long'],
    ])
    expect(await rows('SELECT tag_id FROM item_tags ORDER BY tag_id')).toEqual([[1], [3]])
    // As they were.
    expect(await rows(`SELECT row ->> 'name' FROM migration_rejects WHERE source_table = 'tag_categories' ORDER BY row ->> 'id'`)).toEqual([
      [' Genre '],
      [' \t'],
    ])
  } finally {
    await handle.close()
  }
})
