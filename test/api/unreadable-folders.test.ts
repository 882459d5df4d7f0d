import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { AS_ORDINARY_USER, giveToOrdinaryUser, letOrdinaryUserPass } from '../support/ordinary-user.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'

setDefaultTimeout(60_000)

test('a folder that the server may not read is no library, and the folder picker says why', async () => {
  await using folder = await temporaryFolder('unreadable-folders')
  const root = makeTree(join(folder.path, 'media'), { open: { 'a.txt': 'a' }, closed: { 'b.txt': 'b' } })
  const closed = join(root, 'closed')
  letOrdinaryUserPass(folder.path)
  await giveToOrdinaryUser(folder.path)
  await using server = await startServer({ dataDir: join(folder.path, 'data'), prefix: [...AS_ORDINARY_USER] })
  const admin = await server.as('admin')
  chmodSync(closed, 0o000)

  const refused = { status: 400, body: { code: 'path_not_found', detail: `${closed} cannot be read by the server.` } }
  expect(await admin.post('/api/libraries', { name: 'Closed', type: 'mixed', path: closed })).toMatchObject(refused)
  expect(await admin.get('/api/filesystem', { path: closed })).toMatchObject(refused)
  const { status, body } = await admin.post('/api/libraries', { name: 'Open', type: 'mixed', path: join(root, 'open') })
  expect(status).toBe(201)
  expect(await admin.patch(`/api/libraries/${body.library.id}`, { path: closed })).toMatchObject(refused)
  chmodSync(closed, 0o755)
  expect((await admin.patch(`/api/libraries/${body.library.id}`, { path: closed })).status).toBe(200)
})
