import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { folderContents } from '../support/folder-contents.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** The index refuses a step in the middle of a deletion, as where its disk is full: what is refused has changed nothing. */

setDefaultTimeout(60_000)
const LIMIT_MS = 20_000
const FILM = 'Solaris (1972)'

let scene: ScanScene
let admin: HttpClient
let root: string
let itemKey: string
let contents: ReturnType<typeof folderContents>
beforeAll(async () => {
  scene = await startScene({ movies: { [FILM]: { 'solaris.mkv': 'film' }, 'Other (2000)': { 'o.mkv': 'other' } } })
  admin = scene.admin
  root = scene.rootOf('movies')
  itemKey = `movie:${scene.idOf('movies')}:${FILM}`
  contents = folderContents(root)
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const name of ['no_room', 'no_room_either']) await scene.index.query(`DROP TRIGGER IF EXISTS ${name}`)
})

const keepFor = (trashDays: number) => admin.patch(`/api/libraries/${scene.idOf('movies')}`, { trashDays })
const refuse = (step: string, name = 'no_room') =>
  scene.index.query(`CREATE TRIGGER ${name} BEFORE ${step} BEGIN SELECT RAISE(ABORT, 'no room'); END`)
const allow = (name = 'no_room') => scene.index.query(`DROP TRIGGER ${name}`)
const trash = async (): Promise<Json[]> => (await admin.get('/api/trash')).body.entries
const journal = () => scene.index.query('SELECT state FROM deletions')
const isListed = async (): Promise<boolean> => (await scene.keys('movies')).includes(itemKey)
const remove = async (): Promise<number> => (await admin.delete('/api/items', { itemKey })).status
const restore = async (): Promise<number> => (await admin.post(`/api/trash/${(await trash())[0]?.id}/restore`)).status

const expectUntouched = async (): Promise<void> => {
  expect(folderContents(root)).toEqual(contents)
  expect([await isListed(), await trash()]).toEqual([true, []])
}

for (const trashDays of [0, 7])
  test(`a deletion that the index cannot follow leaves the film in its place, with ${trashDays} days in the trash`, async () => {
    await keepFor(trashDays)
    await refuse(`UPDATE OF state ON deletions`)
    expect(await remove()).toBe(500)
    await expectUntouched()
    expect(await journal()).toEqual([])
  })

test('what had left the folder is found there again where it is put back after a deletion that came to nothing', async () => {
  await keepFor(0)
  await scene.index.mark({ [itemKey]: 'film' })
  await refuse('UPDATE OF state ON deletions')
  const [inside, outside] = [join(root, FILM, 'solaris.mkv'), join(scene.folder, 'solaris.mkv')]
  renameSync(inside, outside)
  expect(await remove()).toBe(500)
  renameSync(outside, inside)
  await scene.scan('movies')
  await expectUntouched()
  expect(await scene.index.marks()).toMatchObject({ film: { itemKey, isMissing: false } })
})

test('one whose journal cannot be closed either is no obstacle to the next', async () => {
  await keepFor(7)
  await refuse('UPDATE OF state ON deletions')
  await refuse('DELETE ON deletions', 'no_room_either')
  expect(await remove()).toBe(500)
  await expectUntouched()
  await allow('no_room')
  await allow('no_room_either')
  const again = async (): Promise<true | undefined> => ((await remove()) === 204 ? true : undefined)
  await waitFor(again, LIMIT_MS, () => 'The film could not be deleted any more')
  expect(await restore()).toBe(200)
  await expectUntouched()
})

test('what cannot be restored stays in the trash, and comes back later', async () => {
  await keepFor(7)
  expect(await remove()).toBe(204)
  const [entry] = await trash()
  const held = folderContents(root)
  await refuse('UPDATE OF missing_since ON media_items')
  expect(await restore()).toBe(500)
  expect([folderContents(root), await trash(), await isListed()]).toEqual([held, [entry], false])
  await allow()
  expect(await restore()).toBe(200)
  await expectUntouched()
  expect(existsSync(join(root, FILM, 'solaris.mkv'))).toBe(true)
})

test('whoever comes while the folder leaves its place is told so, not that the disk is away', async () => {
  await keepFor(0)
  const row = { library_id: scene.idOf('movies'), item_key: itemKey, item_type: 'movie', title: FILM, unit: FILM, folder: FILM }
  const more = { ...row, holding: '.held', state: 'moving', files: 1, bytes: 1, created_by: 'somebody', at: 1 }
  const values = Object.values(more).map((value) => (typeof value === 'number' ? value : `'${value}'`))
  await scene.index.query(`INSERT INTO deletions (${Object.keys(more).join(', ')}) VALUES (${values.join(', ')})`)
  renameSync(join(root, FILM), join(root, '.held'))
  const { status, body } = await admin.delete('/api/items', { itemKey })
  renameSync(join(root, '.held'), join(root, FILM))
  await scene.index.query('DELETE FROM deletions')
  expect([status, body.code]).toEqual([409, 'conflict'])
  await expectUntouched()
})
