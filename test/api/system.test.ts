import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import packageJson from '../../package.json' with { type: 'json' }
import { startDatabaseProxy } from '../support/database-proxy.ts'
import { startHranaServer } from '../support/hrana-server.ts'
import { type HttpClient, httpClient } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { processorMsOf } from '../support/processor-time.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** API.md, 10. */

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient

beforeAll(async () => {
  folder = await temporaryFolder('system')
  const mixed = makeTree(
    join(folder.path, 'mixed'),
    Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`file ${n}.txt`, `text ${n}`])),
  )
  server = await startServer({ dataDir: join(folder.path, 'data'), libraries: [{ type: 'mixed', path: mixed, name: 'Mixed' }] })
  await server.waitForScans()
  admin = await server.as('admin')
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

describe('health', () => {
  test('is 503 while the database cannot be read, and nothing else falls over', async () => {
    await using own = await temporaryFolder('health')
    const database = await startHranaServer(join(own.path, 'remote.db'))
    await using remote = await startServer({ dataDir: join(own.path, 'data'), args: ['--database', database.url] })
    const client = await remote.as('admin')
    expect((await remote.anonymous.get('/api/health')).body).toEqual({ status: 'ok', version: packageJson.version })
    await database.stop()
    const sick = await remote.anonymous.get('/api/health')
    expect([sick.status, sick.headers.get('content-type'), sick.body.code]).toEqual([503, 'application/problem+json', 'unavailable'])
    for (const path of ['/api/health', '/api/libraries', '/api/auth/me']) {
      const { status, body } = await client.get(path)
      expect([path, status, body.code]).toEqual([path, 503, 'unavailable'])
    }
    expect((await remote.anonymous.post('/api/auth/login', { username: 'admin', password: 'password1' })).status).toBe(503)
    expect((await remote.anonymous.get('/')).status).toBe(200)
    expect((await remote.anonymous.get('/api/health')).status).toBe(503)
  })

  test('is 503 while the database gives no answer of its own', async () => {
    await using own = await temporaryFolder('health')
    await using database = await startHranaServer(join(own.path, 'remote.db'))
    await using proxy = await startDatabaseProxy(database.url)
    await using remote = await startServer({ dataDir: join(own.path, 'data'), args: ['--database', proxy.url] })
    const client = await remote.as('admin')
    const answers: [number, string][] = [
      [200, '<html>Please sign in to the network'],
      [200, '{"baton":null,"results":['],
      [200, '{"hello":"there"}'],
      [504, '{"message":"The upstream server is timing out"}'],
      [403, '{"message":"Reads are blocked","code":"BLOCKED"}'],
      [502, 'null'],
    ]
    for (const [answerStatus, answer] of answers) {
      proxy.answer(answer, answerStatus)
      for (const path of ['/api/health', '/api/libraries', '/api/auth/me']) {
        const { status, body } = await client.get(path)
        expect([answer, path, status, body.code]).toEqual([answer, path, 503, 'unavailable'])
      }
      expect([answer, (await client.post('/api/tags/categories', { name: 'Place' })).status]).toEqual([answer, 503])
      proxy.hear()
      expect([answer, (await client.get('/api/libraries')).status]).toEqual([answer, 200])
    }
  })

  test('is for anyone, and tells the version alone', async () => {
    const { status, body, headers } = await server.anonymous.get('/api/health')
    expect([status, body]).toEqual([200, { status: 'ok', version: packageJson.version }])
    expect(headers.getSetCookie()).toEqual([])
    expect((await server.anonymous.fetch('/api/health', { method: 'HEAD' })).status).toBe(200)
  })
})

test('the system page lists the daily backups, newest first, and nothing else of their folder', async () => {
  const backups = join(folder.path, 'data/backups')
  mkdirSync(backups)
  for (const name of ['vitrine-2026-01-30.db', 'vitrine-2026-02-01.db', 'vitrine-2026-02-02.db.partial', 'mine.db'])
    await Bun.write(join(backups, name), 'a copy')
  const { body } = await admin.get('/api/system')
  expect(body.dailyBackups).toEqual(
    ['vitrine-2026-02-01.db', 'vitrine-2026-01-30.db'].map((name) => ({ name, size: 6, createdAt: expect.stringMatching(/^2\d{3}-.*Z$/) })),
  )
})

test('a data folder that is away for a while is unavailable, and ends nothing', async () => {
  await using own = await temporaryFolder('away')
  const [dataDir, elsewhere] = [join(own.path, 'data'), join(own.path, 'elsewhere')]
  await using other = await startServer({ dataDir })
  const client = await other.as('admin')
  await rename(dataDir, elsewhere)
  // As where a network drive answers with an error: not that nothing is there, but that nobody can say.
  await symlink(dataDir, dataDir)
  const { status, body } = await client.get('/api/system')
  expect([status, body.code]).toEqual([503, 'unavailable'])
  await client.post('/api/tags/categories', { name: 'Mood' })
  // The log of the database is looked at a little after each write.
  await Bun.sleep(700)
  await rm(dataDir)
  await rename(elsewhere, dataDir)
  expect((await client.get('/api/system')).status).toBe(200)
  expect((await client.get('/api/tags/categories')).body.categories).toHaveLength(1)
})

test('the system page says what runs and what is there', async () => {
  const { body } = await admin.get('/api/system')
  const { database, disk, uptimeSeconds } = structuredClone(body)
  expect(body).toMatchObject({
    version: packageJson.version,
    startedAt: expect.stringMatching(/^2\d{3}-.*Z$/),
    database: { kind: 'file', bytes: expect.any(Number) },
    disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number), nearlyFull: expect.any(Boolean) },
    dailyBackups: expect.any(Array),
    ffmpeg: { available: true, probe: true },
    ocrLanguages: expect.any(Array),
  })
  expect(database.bytes).toBeGreaterThan(10_000)
  expect(disk.totalBytes).toBeGreaterThan(disk.freeBytes)
  expect(uptimeSeconds).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(body)).not.toContain(folder.path)
})

/** Downloads a backup into a file of its own and opens it. */
const download = async (client: HttpClient, name: string) => {
  const response = await client.fetch('/api/system/backup', { method: 'POST' })
  expect(response.status).toBe(200)
  const file = join(folder.path, name)
  await Bun.write(file, await response.arrayBuffer())
  return { headers: response.headers, file, database: createClient({ url: `file:${file}` }) }
}

describe('a backup', () => {
  test('is a sound database with the whole index, the tags and the people', async () => {
    const { headers, database, file } = await download(admin, 'backup.db')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="vitrine-[\dT:-]+\.db"$/)
    expect(headers.get('cache-control')).toBe('no-store')
    const read = async (sql: string) => (await database.execute(sql)).rows.map((row) => Object.values(row))
    expect(await read('PRAGMA integrity_check')).toEqual([['ok']])
    expect(await read('PRAGMA foreign_key_check')).toEqual([])
    expect(await read('SELECT count(*) FROM media_items')).toEqual([[40]])
    expect(await read('SELECT username FROM users')).toEqual([['admin']])
    database.close()
    // A server starts on it, and shows what was there.
    mkdirSync(join(folder.path, 'restored'))
    await Bun.write(join(folder.path, 'restored/vitrine.db'), Bun.file(file))
    await using restored = await startServer({ dataDir: join(folder.path, 'restored'), env: { SCAN_ON_START: '0' } })
    const client = await restored.as('admin')
    const [library] = (await client.get('/api/libraries')).body.libraries
    expect(library).toMatchObject({ name: 'Mixed', itemCount: 40 })
    const query = { libraryId: library.id, limit: 500 }
    expect((await client.get('/api/browse', query)).body).toEqual((await admin.get('/api/browse', query)).body)
  })

  test('is sound while much is written', async () => {
    let isOver = false
    const writing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const names = ['a', 'b', 'c', 'd'].map((letter) => `writer ${n} ${letter}`)
        await Promise.all(names.map((name) => admin.patch('/api/user-settings', { theme: name.endsWith('a') ? 'dark' : 'light' })))
      }
    })()
    for (const round of [1, 2, 3]) {
      const { database } = await download(admin, `busy ${round}.db`)
      expect((await database.execute('PRAGMA integrity_check')).rows.map((row) => Object.values(row))).toEqual([['ok']])
      database.close()
    }
    isOver = true
    await writing
  })

  test('leaves nothing behind, also when the download is broken off', async () => {
    const stop = new AbortController()
    const response = await admin.fetch('/api/system/backup', { method: 'POST', signal: stop.signal })
    await response.body?.getReader().read()
    stop.abort()
    expect(readdirSync(join(folder.path, 'data/tmp'))).toEqual([])
    const countOpen = async (): Promise<number> => {
      const listed = (await Bun.$`ls -l /proc/${server.pid}/fd`.quiet()).stdout.toString()
      return listed.split('\n').filter((line) => line.includes('backup-')).length
    }
    await waitFor(
      async () => ((await countOpen()) === 0 ? true : undefined),
      60_000,
      () => 'The file of a backup stays open',
    )
  })

  test('is made one at a time', async () => {
    let most = 0
    let isOver = false
    const look = async (): Promise<void> => {
      for (; !isOver; await Bun.sleep(2)) most = Math.max(most, readdirSync(join(folder.path, 'data/tmp')).length)
    }
    const looking = look()
    const answers = await Promise.all(Array.from({ length: 4 }, () => admin.fetch('/api/system/backup', { method: 'POST' })))
    isOver = true
    await Promise.all([looking, ...answers.map((answer) => answer.arrayBuffer())])
    expect([most, ...answers.map(({ status }) => status)]).toEqual([1, 200, 200, 200, 200])
  })

  test('that nobody waits for any more makes way for the next one, and leaves nothing behind', async () => {
    const stop = new AbortController()
    const first = admin.fetch('/api/system/backup', { method: 'POST', signal: stop.signal })
    const isBeingMade = () => (readdirSync(join(folder.path, 'data/tmp')).length > 0 ? true : undefined)
    await waitFor(isBeingMade, 60_000, () => 'No backup is made')
    stop.abort()
    await first.catch(() => undefined)
    const next = await download(admin, 'next.db')
    next.database.close()
    expect(readdirSync(join(folder.path, 'data/tmp'))).toEqual([])
  })
})

describe('the metrics', () => {
  const value = (text: string, name: string): number => Number(new RegExp(`^${name} ([\\d.e+-]+)$`, 'm').exec(text)?.[1] ?? Number.NaN)

  test('are Prometheus text, for an administrator with a cookie or a token', async () => {
    const { token } = (await admin.post('/api/auth/tokens', { name: 'prometheus' })).body
    const scrape = await httpClient(server.url).fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })
    expect([scrape.status, scrape.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const text = await scrape.text()
    for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
      expect(line).toMatch(/^[a-zA-Z_:][\w:]*(\{[^}]*\})? (-?[\d.]+(e[+-]?\d+)?|nan|\+Inf)$/i)
    expect(value(text, 'vitrine_libraries')).toBe(1)
    expect(value(text, 'vitrine_entries')).toBe(40)
    expect(value(text, 'vitrine_jobs_queued')).toBe(0)
    expect(value(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
    // The first scrape has measured it before it tells of it.
    for (const figure of ['min', 'mean', 'max']) expect(value(text, `nodejs_eventloop_lag_${figure}_seconds`)).toBeLessThan(60)
    const again = (await admin.get('/metrics')).body
    expect(value(again, 'vitrine_libraries')).toBe(1)
  })

  test('count processor time from the start of the server, and not from the first scrape', async () => {
    const usedSeconds = processorMsOf(server.pid) / 1000
    const text = (await admin.get('/metrics')).body
    const total = value(text, 'process_cpu_seconds_total')
    // The kernel's own count of a process goes by ticks.
    expect(total).toBeGreaterThanOrEqual(usedSeconds - 0.02)
    expect(value(text, 'process_cpu_user_seconds_total') + value(text, 'process_cpu_system_seconds_total')).toBeCloseTo(total, 3)
  })

  test('are for nobody else', async () => {
    const user = await server.as('user')
    const { token } = (await user.post('/api/auth/tokens', { name: 'mine' })).body
    const statuses = [
      (await server.anonymous.get('/metrics')).status,
      (await user.get('/metrics')).status,
      (await httpClient(server.url).fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })).status,
      (await httpClient(server.url).fetch('/metrics', { headers: { authorization: 'Bearer nonsense' } })).status,
    ]
    expect(statuses).toEqual([401, 403, 403, 401])
  })
})
