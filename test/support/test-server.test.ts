import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from './library-tree.ts'
import { makePicture } from './real-media.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startServer } from './test-server.ts'

test('a server that cannot start says why', async () => {
  await expect(startServer({ env: { SESSION_DAYS: 'many' } })).rejects.toThrow(/ended with 2[\s\S]*SESSION_DAYS/)
})

test('a wrong password is no session', async () => {
  await using server = await startServer()
  await expect(server.login('admin', 'wrong password')).rejects.toThrow(/401/)
  expect((await server.anonymous.get('/api/libraries')).status).toBe(401)
})

test('people are who they say, and a library that is scanned has its files', async () => {
  await using folder = await temporaryFolder('server')
  makeTree(folder.path, { '2020': {}, 'notes.txt': 'milk\n' })
  await makePicture(join(folder.path, '2020/beach.jpg'))
  await using server = await startServer({ libraries: [{ type: 'mixed', path: folder.path, name: 'Album' }] })
  const admin = await server.as('admin')
  const [library] = (await admin.get('/api/libraries')).body.libraries
  expect(library).toMatchObject({ name: 'Album', type: 'mixed' })
  await server.waitForScans()
  expect(await server.scanAndWait(library.id)).toMatchObject({ status: 'done', found: 2, added: 0, missing: 0 })
  const user = await server.as('guest', { libraryIds: [] })
  expect((await user.get('/api/auth/me')).body.user).toMatchObject({ username: 'guest', role: 'user' })
  expect((await user.get('/api/libraries')).body.libraries).toEqual([])
})

test('a killed server leaves its data to the next, and a stopped one ends with 0', async () => {
  await using folder = await temporaryFolder('server')
  const dataDir = join(folder.path, 'data')
  const first = await startServer({ dataDir })
  await first.kill()
  expect(await first.exited).not.toBe(0)
  const second = await startServer({ dataDir, admin: null })
  expect((await second.anonymous.get('/api/auth/status')).body).toMatchObject({ setupRequired: false })
  await second.stop()
  expect(await second.exited).toBe(0)
  expect(existsSync(dataDir)).toBe(true)
})
