import { expect, test } from 'bun:test'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import type { Deps } from '../../src/deps.ts'
import { backUpDaily } from '../../src/jobs/daily-backups.ts'
import { createLog } from '../../src/log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOW = Date.UTC(2026, 10, 24, 3)
const TODAY = 'vitrine-2026-11-24.db'
const OLDER = Array.from({ length: 7 }, (_, index) => `vitrine-2026-11-${17 + index}.db`)

const prepare = async (present: readonly string[] = []) => {
  const folder = await temporaryFolder('daily-backups')
  const database = createClient({ url: pathToFileURL(join(folder.path, 'vitrine.db')).href })
  await database.executeMultiple("PRAGMA journal_mode=WAL; CREATE TABLE tags (name); INSERT INTO tags VALUES ('holiday')")
  const backups = join(folder.path, 'backups')
  await mkdir(backups)
  for (const name of present) await Bun.write(join(backups, name), 'older')
  const config = (url: string, dailyBackups: number) => ({ dataDir: folder.path, databaseUrl: url, dailyBackups }) as Deps['config']
  const url = pathToFileURL(join(folder.path, 'vitrine.db')).href
  return {
    backups,
    database,
    list: async () => (await readdir(backups)).toSorted(),
    run: (more: { dailyBackups?: number; url?: string; reserveBytes?: number; signal?: AbortSignal } = {}) =>
      backUpDaily(
        { config: config(more.url ?? url, more.dailyBackups ?? 2), log: createLog('silent') },
        {
          now: NOW,
          signal: more.signal ?? new AbortController().signal,
          ...(more.reserveBytes ? { reserveBytes: more.reserveBytes } : {}),
        },
      ),
    [Symbol.asyncDispose]: async () => {
      database.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('the copy of the day is sound, private, and holds what is in the log; older ones go, and what a crash left', async () => {
  await using scene = await prepare([...OLDER, 'vitrine-2026-11-20.db.partial', 'mine.db'])
  await scene.run()
  expect(await scene.list()).toEqual(['mine.db', 'vitrine-2026-11-22.db', 'vitrine-2026-11-23.db', TODAY].toSorted())
  const file = join(scene.backups, TODAY)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const copy = createClient({ url: pathToFileURL(file).href })
  expect((await copy.execute('SELECT name FROM tags')).rows.map(({ name }) => name)).toEqual(['holiday'])
  copy.close()
  // Once a day: what a person took away after it, it still has.
  await scene.database.execute('DELETE FROM tags')
  const { mtimeMs } = await stat(file)
  await scene.run()
  expect((await stat(file)).mtimeMs).toBe(mtimeMs)
})

test('a copy that fails takes no older one away', async () => {
  await using scene = await prepare(OLDER)
  const damaged = join(scene.backups, '../damaged.db')
  await Bun.write(damaged, 'SQLite format 3\0 and then nothing')
  await expect(scene.run({ url: pathToFileURL(damaged).href })).rejects.toThrow('The snapshot failed')
  await expect(scene.run({ signal: AbortSignal.abort() })).rejects.toThrow()
  expect(await scene.list()).toEqual(OLDER)
})

test('none is made without room on the disk, where nobody wants any, and of a remote database', async () => {
  await using scene = await prepare(OLDER)
  await scene.run({ reserveBytes: Number.MAX_SAFE_INTEGER })
  await scene.run({ dailyBackups: 0 })
  await scene.run({ url: 'http://127.0.0.1:9' })
  expect(await scene.list()).toEqual(OLDER)
})
