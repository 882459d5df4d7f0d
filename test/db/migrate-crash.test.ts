import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@libsql/client'
import { migrate } from '../../src/db/migrate.ts'
import { createLegacyDatabase, type LegacyRows, legacyItem } from '../support/legacy-database.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { openTestFile, silentLog } from '../support/test-database.ts'
import { startServer } from '../support/test-server.ts'

/** Five thousand rows through every migration, beside whatever else the machine does. */
setDefaultTimeout(30_000)

const SERIES = 50
const EPISODES = 98

const REPOSITORY = join(import.meta.dir, '../..')

/** Sends SIGTERM to a server as it writes this; answers what it died of. */
const terminateAt = async (dataDir: string, written: RegExp): Promise<{ exitCode: number | null; isStarted: boolean }> => {
  const child = Bun.spawn([process.execPath, 'src/main.ts', '--port', '0', '--host', '127.0.0.1', '--data', dataDir], {
    cwd: REPOSITORY,
    env: { PATH: process.env.PATH, HOME: '/tmp', LOG_LEVEL: 'info' },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let output = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    if (written.test(output)) child.kill('SIGTERM')
  }
  return { exitCode: await child.exited, isStarted: output.includes('"started"') }
}

/** 5,000 items with 20,000 assignments, of which those of the colliding episode names cannot be told apart. */
const manyRows = (): LegacyRows => {
  const series = Array.from({ length: SERIES }, (_, index) => `Série ${index}`)
  const episodes = series.flatMap((name, index) =>
    Array.from({ length: EPISODES }, (_unused, episode) => `${name}/Season 1/${episode < 2 ? '' : `s${index} `}E${episode}.mkv`),
  )
  const names = [...series, ...episodes.map((path) => path.split('/').at(-1) ?? '')]
  return {
    libraries: [[1, 'TV', 'tv', '/tv']],
    media_items: [
      ...series.map((path) => legacyItem('tv_series', 1, path)),
      ...series.map((path) => legacyItem('tv_season', 1, `${path}/Season 1`, 'Season 1')),
      ...episodes.map((path) => legacyItem('tv_episode', 1, path, `Épisode ${path}`)),
    ],
    tag_categories: [[1, 'Genre']],
    tags: Array.from({ length: 40 }, (_, index) => [index + 1, 1, `Tag ${index}`]),
    tag_assignments: [...new Set(names)].flatMap((name, index) =>
      Array.from({ length: 4 }, (_, number): [string, number] => [`1:${name}`, 1 + ((index + number * 7) % 40)]),
    ),
    ai_jobs: [],
  }
}

/** The same for the old tables and the new ones where no row was lost or changed. */
const hashOf = async (client: Client, query: string): Promise<string> => {
  const { rows } = await client.execute(query)
  return Bun.hash(JSON.stringify(rows.map((row) => Array.from(row)))).toString()
}

const CONTENT = `SELECT id, item_key, parent_id, library_id, item_type, title, sort_title, path, unit FROM media_items ORDER BY id`
const ASSIGNMENTS = 'SELECT item_key, tag_id FROM tag_assignments ORDER BY 1, 2'
const APPLIED = 'SELECT hash FROM __drizzle_migrations ORDER BY created_at'
const hashesOf = async (client: Client): Promise<Record<string, string>> => {
  const hashes: Record<string, string> = {}
  for (const query of [CONTENT, ASSIGNMENTS, APPLIED]) hashes[query] = await hashOf(client, query)
  return hashes
}

describe('a database of 5,000 old items', () => {
  const rows = manyRows()
  let made: TemporaryFolder
  /** As the old version has left it: each test works on a copy. */
  let old: string
  /** What a start that nobody disturbs makes of it. */
  let expected: Record<string, string>
  beforeAll(async () => {
    made = await temporaryFolder('made')
    old = join(made.path, 'old.db')
    await createLegacyDatabase(old, rows)
    const reference = join(made.path, 'reference.db')
    await copyFile(old, reference)
    const handle = await openTestFile(reference)
    await migrate(handle, silentLog)
    expected = await hashesOf(handle.client)
    await handle.close()
  })
  afterAll(() => made.remove())

  test('keeps every item and every assignment that fits one item', async () => {
    await using folder = await temporaryFolder('many')
    const file = join(folder.path, 'vitrine.db')
    await copyFile(old, file)
    const handle = await openTestFile(file)
    const itemsBefore = await hashOf(
      handle.client,
      'SELECT media_key, library_id, item_type, title, path, data FROM media_items ORDER BY 1',
    )
    await migrate(handle, silentLog)
    const itemsAfter = await hashOf(handle.client, 'SELECT item_key, library_id, item_type, title, path, data FROM media_items ORDER BY 1')
    expect(itemsAfter).toBe(itemsBefore)

    const fullKeys = new Map<string, string[]>()
    for (const [key, library, , , path] of rows.media_items) {
      const short = `${library}:${path.split('/').at(-1)}`
      fullKeys.set(short, [...(fullKeys.get(short) ?? []), String(key)])
    }
    const fitting = rows.tag_assignments.flatMap(([short, tag]): [string, number][] => {
      const [key, another] = fullKeys.get(short) ?? []
      return key === undefined || another !== undefined ? [] : [[key, tag]]
    })
    const { rows: kept } = await handle.client.execute(ASSIGNMENTS)
    const asText = (pairs: unknown[][]): string[] => pairs.map((pair) => pair.join(' ')).toSorted()
    expect(asText(kept.map((row) => Array.from(row)))).toEqual(asText(fitting))
    const { rows: rejected } = await handle.client.execute('SELECT count(*) FROM migration_rejects')
    expect(rejected[0]?.[0]).toBe(rows.tag_assignments.length - fitting.length)
    await handle.close()
  })

  test.each([10, 40, 75, 100, 125])(
    'survives kill -9 in front of statement %d of a start, in the middle of its transaction',
    async (deadly) => {
      await using folder = await temporaryFolder('killed')
      const file = join(folder.path, 'vitrine.db')
      await copyFile(old, file)
      const child = Bun.spawn([process.execPath, join(import.meta.dir, 'migrate-process.ts'), file, String(deadly)])
      await child.exited
      expect(child.signalCode).toBe('SIGKILL')

      const handle = await openTestFile(file)
      await migrate(handle, silentLog)
      expect(await hashesOf(handle.client)).toEqual(expected)
      expect((await handle.client.execute('PRAGMA integrity_check')).rows[0]?.[0]).toBe('ok')
      await handle.close()
    },
    30_000,
  )

  /** What a service manager does that has waited for too long: each of these goes on with another step meanwhile. */
  test.each([/database_backup/, /0000_first_schema/, /0001_users/, /0002_full_item_keys/, /0005_name_search/])(
    'is migrated by the next start where SIGTERM came after %p, and that writes no second copy of the old one',
    async (written) => {
      await using folder = await temporaryFolder('terminated')
      const data = join(folder.path, 'data')
      const file = join(data, 'vitrine.db')
      await mkdir(data)
      await copyFile(old, file)
      expect(await terminateAt(data, written)).toEqual({ exitCode: 0, isStarted: false })
      await (await startServer({ dataDir: data, env: { SCAN_ON_START: '0' } })).stop()

      const handle = await openTestFile(file)
      expect(await hashesOf(handle.client)).toEqual(expected)
      expect((await handle.client.execute('PRAGMA integrity_check')).rows[0]?.[0]).toBe('ok')
      const copies = (await readdir(data)).filter((name) => name.includes('.bak-'))
      expect(copies).toContain('vitrine.db.bak-0')
      expect(copies.filter((name) => /\.bak-(?:new|\d+-)/.test(name))).toEqual([])
      await handle.close()
    },
  )
})
