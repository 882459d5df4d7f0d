/** `POST /api/system/restore`: the real server goes back to a daily backup by itself. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './bench/free-port.ts'
import { makeTag } from './support/ai-scene.ts'
import type { HttpClient } from './support/http-client.ts'
import { makeTree } from './support/library-tree.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { openTestFile, useWithNewerVersion } from './support/test-database.ts'
import { ADMIN, startServer, type TestServer, waitFor } from './support/test-server.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)

const NAME = 'vitrine-2026-11-20.db'

const backupsOf = (dataDir: string) => join(dataDir, 'backups')

/** As the daily one: what the server gives out is what it keeps. */
const backUp = async (admin: HttpClient, dataDir: string, name = NAME): Promise<void> => {
  await mkdir(backupsOf(dataDir), { recursive: true })
  const answer = await admin.fetch('/api/system/backup', { method: 'POST' })
  await writeFile(join(backupsOf(dataDir), name), new Uint8Array(await answer.arrayBuffer()))
}

const tagNames = async (client: HttpClient): Promise<string[]> =>
  (await client.get('/api/tags/items')).body.tags.map(({ name }: { name: string }) => name)

const startsOf = (server: TestServer): number => server.output().split('"event":"started"').length - 1

test('is as it was then, in the same process at the same address, and everybody has to sign in again', async () => {
  await using folder = await temporaryFolder('restore')
  const films = makeTree(join(folder.path, 'films'), { Cube: { 'Cube.mkv': 'film' } })
  const dataDir = join(folder.path, 'data')
  await using server = await startServer({ dataDir, port: freePort(), libraries: [{ type: 'movies', path: films, name: 'Films' }] })
  await server.waitForScans()
  const admin = await server.as('admin')
  const makeToken = async (name: string): Promise<{ id: string; token: string }> => (await admin.post('/api/auth/tokens', { name })).body
  const [kept, ended] = [await makeToken('kept'), await makeToken('ended')]
  const before = await makeTag(admin, 'Before')
  await backUp(admin, dataDir)
  await admin.delete(`/api/tags/items/${before}`)
  await makeTag(admin, 'After')
  await admin.delete(`/api/auth/tokens/${ended.id}`)

  const answer = await admin.post('/api/system/restore', { name: NAME })
  expect([answer.status, answer.body]).toEqual([202, { restoring: NAME }])
  await waitFor(
    () => (startsOf(server) === 2 ? true : undefined),
    LIMIT_MS,
    () => `It did not begin anew: ${server.output()}`,
  )
  expect((await admin.get('/api/tags/items')).status).toBe(401)
  const asScript = async ({ token }: { token: string }): Promise<number> =>
    (await fetch(`${server.url}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } })).status
  // One that was ended, as somebody else had it, stays so.
  expect([await asScript(kept), await asScript(ended)]).toEqual([200, 401])
  const again = await server.login(ADMIN.username, ADMIN.password)
  expect(await tagNames(again)).toEqual(['Before'])
  expect((await again.get('/api/browse', { libraryId: 1 })).body.entries).toHaveLength(1)

  const [former = ''] = (await readdir(dataDir)).filter((name) => name.includes('.bak-before-restore-'))
  const present = await openTestFile(join(dataDir, former))
  const { rows } = await present.client.execute('SELECT name FROM tags')
  await present.close()
  expect(rows.map(({ name }) => name)).toEqual(['After'])
  expect((await readdir(backupsOf(dataDir))).toSorted()).toEqual([NAME])
  // It is alone with its data again, and may do the same once more.
  expect(server.output()).not.toContain('another_server_runs')
  expect((await again.post('/api/system/restore', { name: NAME })).status).toBe(202)
  await waitFor(
    () => (startsOf(server) === 3 ? true : undefined),
    LIMIT_MS,
    () => `It did not begin anew once more: ${server.output()}`,
  )
  await server.stop()
})

test('a damaged backup, one of a newer version, one that is not there, and one beside another server are refused, and nothing changes', async () => {
  await using server = await startServer()
  const admin = await server.as('admin')
  await makeTag(admin, 'Here')
  await backUp(admin, server.dataDir)
  const file = join(backupsOf(server.dataDir), NAME)
  const bytes = await readFile(file)
  await writeFile(file, bytes.subarray(0, bytes.length / 2))
  const restore = async (name: unknown, client = admin) => {
    const { status, body } = await client.post('/api/system/restore', { name })
    return [status, body.code]
  }
  expect(await restore(NAME)).toEqual([409, 'conflict'])
  expect(await restore('vitrine-2026-11-19.db')).toEqual([404, 'not_found'])
  expect(await restore('../vitrine.db')).toEqual([404, 'not_found'])
  expect(await restore(7)).toEqual([400, 'invalid_request'])
  await writeFile(file, bytes)
  await useWithNewerVersion(file)
  expect(await restore(NAME)).toEqual([409, 'conflict'])
  await writeFile(file, bytes)
  await using second = await startServer({ dataDir: server.dataDir })
  expect(await restore(NAME, await second.login(ADMIN.username, ADMIN.password))).toEqual([409, 'conflict'])
  // Nor by the first one, which was alone when it started.
  expect(await restore(NAME)).toEqual([409, 'conflict'])
  expect(await tagNames(admin)).toEqual(['Here'])
  expect([startsOf(server), (await readdir(server.dataDir)).filter((name) => name.includes('bak-'))]).toEqual([1, []])
})

test('where the database is held by another program, the server comes back with what it had', async () => {
  await using folder = await temporaryFolder('restore')
  const dataDir = join(folder.path, 'data')
  await using server = await startServer({ dataDir, port: freePort() })
  const admin = await server.as('admin')
  await backUp(admin, dataDir)
  await makeTag(admin, 'After')
  const holder = await openTestFile(join(dataDir, 'vitrine.db'))
  await holder.client.execute('SELECT name FROM tags')
  expect((await admin.post('/api/system/restore', { name: NAME })).status).toBe(202)
  await waitFor(
    () => (startsOf(server) === 2 ? true : undefined),
    LIMIT_MS,
    () => `It did not begin anew: ${server.output()}`,
  )
  expect(server.output()).toContain('restore_failed')
  await holder.close()
  expect(await tagNames(admin)).toEqual(['After'])
})

test('a server that was started beside another one may go back once that has stopped', async () => {
  await using folder = await temporaryFolder('restore')
  const dataDir = join(folder.path, 'data')
  await using first = await startServer({ dataDir })
  await using second = await startServer({ dataDir, port: freePort() })
  const admin = await second.as('admin')
  await makeTag(admin, 'Before')
  await backUp(admin, dataDir)
  await makeTag(admin, 'After')
  expect((await admin.post('/api/system/restore', { name: NAME })).status).toBe(409)
  await first.stop()
  expect((await admin.post('/api/system/restore', { name: NAME })).status).toBe(202)
  await waitFor(
    () => (startsOf(second) === 2 ? true : undefined),
    LIMIT_MS,
    () => `It did not begin anew: ${second.output()}`,
  )
  expect(await tagNames(await second.login(ADMIN.username, ADMIN.password))).toEqual(['Before'])
})

test('a signal that comes while it ends is heard', async () => {
  await using folder = await temporaryFolder('restore')
  const dataDir = join(folder.path, 'data')
  const server = await startServer({ dataDir, port: freePort() })
  const admin = await server.as('admin')
  await backUp(admin, dataDir)
  expect((await admin.post('/api/system/restore', { name: NAME })).status).toBe(202)
  // Whether it ends in good order or, with hardly anything loaded yet, at once.
  const problem = await server.stop().then(() => '', String)
  expect(problem).not.toContain('did not stop')
})

test('of two that are asked for at once only the one that is gone back to is promised', async () => {
  await using folder = await temporaryFolder('restore')
  const dataDir = join(folder.path, 'data')
  await using server = await startServer({ dataDir, port: freePort() })
  const admin = await server.as('admin')
  const names = [NAME, 'vitrine-2026-11-21.db']
  for (const name of names) {
    await makeTag(admin, name)
    await backUp(admin, dataDir, name)
  }
  const answers = await Promise.all(names.map((name) => admin.post('/api/system/restore', { name })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
  await waitFor(
    () => (startsOf(server) === 2 ? true : undefined),
    LIMIT_MS,
    () => `It did not begin anew: ${server.output()}`,
  )
  const promised = answers.findIndex(({ status }) => status === 202)
  expect(await tagNames(await server.login(ADMIN.username, ADMIN.password))).toEqual(names.slice(0, promised + 1))
})
