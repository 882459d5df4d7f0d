/** Going back to a backup does not take the disk back: what was deleted and restored since is known all the same. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeTag } from '../support/ai-scene.ts'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

setDefaultTimeout(120_000)
const LIMIT_MS = 20_000
const REPOSITORY = join(import.meta.dir, '../..')

/** Each of another size: two of one size that are written in the same millisecond are one to a scan, where the first has gone and nobody has read it. */
const film = (name: string) => ({ [`${name}.mkv`]: name })
let scene: ScanScene
beforeAll(async () => {
  scene = await startScene({
    movies: Object.fromEntries(['A (1990)', 'B (1991)', 'C (1992)', 'D (1993)'].map((name) => [name, film(name)])),
    tv: { Firefly: film('S01E01'), Other: film('S01E02 Two') },
  })
  for (const type of ['movies', 'tv'] as const) await scene.admin.patch(`/api/libraries/${scene.idOf(type)}`, { trashDays: 7 })
})
afterAll(() => scene[Symbol.asyncDispose]())

const keyOf = (name: string): string => `movie:${scene.idOf('movies')}:${name}`
const trash = async (): Promise<Json[]> => (await scene.admin.get('/api/trash')).body.entries
const remove = async (itemKey: string): Promise<void> => expect((await scene.admin.delete('/api/items', { itemKey })).status).toBe(204)
const restore = async (entry: Json) => scene.admin.post(`/api/trash/${entry.id}/restore`)
const held = (type: 'movies' | 'tv'): number => readdirSync(scene.rootOf(type)).filter((name) => name.startsWith('.vitrine-trash-')).length
const entryOf = async (itemKey: string): Promise<Json> => (await trash()).find((entry) => entry.itemKey === itemKey)

const tag = async (itemKey: string, name: string): Promise<void> => {
  const { status, body } = await scene.admin.put('/api/tags/assignments', { itemKey, tagId: await makeTag(scene.admin, name) })
  if (status !== 204) throw new Error(`${itemKey} was not tagged: ${status} ${JSON.stringify(body)}`)
}
const tagsOf = async (itemKey: string): Promise<string[]> =>
  (await scene.admin.get('/api/items', { itemKey })).body.item.tags.map(({ name }: Json) => name)

const backUp = async (): Promise<string> => {
  const file = join(scene.folder, `${crypto.randomUUID()}.db`)
  const answer = await scene.admin.fetch('/api/system/backup', { method: 'POST' })
  await Bun.write(file, await answer.arrayBuffer())
  return file
}

/** Programs of their own, as nobody else may have the database open: this one lets go of it too late. */
const run = (args: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...args], { cwd: REPOSITORY })
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

const changeIndex = (sql: string): void => {
  const file = pathToFileURL(join(scene.folder, 'data/vitrine.db')).href
  run(['-e', `await (await import('@libsql/client/sqlite3')).createClient({ url: '${file}' }).execute(${JSON.stringify(sql)})`])
}

const goBackTo = (file: string, meanwhile?: () => void): Promise<void> =>
  scene.restart({
    meanwhile: () => {
      meanwhile?.()
      run(['src/backup.ts', 'restore', file, '--data', join(scene.folder, 'data')])
    },
  })
/** Out of the trash for good, with its files. */
const removeForGood = async (itemKey: string): Promise<void> => {
  const before = held('movies')
  await scene.admin.delete(`/api/trash/${(await entryOf(itemKey)).id}`)
  await waitFor(
    () => (held('movies') < before ? true : undefined),
    LIMIT_MS,
    () => 'The files were not removed',
  )
}

test('what was deleted since the backup is in the trash, and comes back with its tags', async () => {
  for (const name of ['A (1990)', 'B (1991)']) await tag(keyOf(name), name)
  await remove(keyOf('B (1991)'))
  const backup = await backUp()
  await remove(keyOf('A (1990)'))
  const series = `tv_series:${scene.idOf('tv')}:Firefly`
  await remove(series)
  // The trash that a library leaves is its own again.
  await scene.admin.delete(`/api/libraries/${scene.idOf('tv')}`)
  expect(await trash()).toHaveLength(2)

  await goBackTo(backup)
  expect((await trash()).map(({ itemKey }) => itemKey).toSorted()).toEqual([keyOf('A (1990)'), keyOf('B (1991)'), series].toSorted())
  expect(await scene.keys('movies')).toEqual([keyOf('C (1992)'), keyOf('D (1993)')])
  expect((await scene.admin.post(`/api/libraries/${scene.idOf('movies')}/purge-missing`)).body).toEqual({ purged: 0 })
  expect((await restore(await entryOf(keyOf('A (1990)')))).status).toBe(200)
  for (const entry of await trash()) expect((await restore(entry)).status).toBe(200)
  for (const name of ['A (1990)', 'B (1991)']) expect(await tagsOf(keyOf(name))).toEqual([name])
  expect([held('movies'), held('tv'), await trash()]).toEqual([0, 0, []])
  expect(await scene.keys('movies')).toHaveLength(4)
})

test('what has come back or gone since the backup is not taken for what can come back', async () => {
  const [a, b, c] = [keyOf('A (1990)'), keyOf('B (1991)'), keyOf('C (1992)')]
  for (const key of [a, b, c]) await remove(key)
  const backup = await backUp()
  await restore(await entryOf(a))
  await removeForGood(b)

  await goBackTo(backup)
  expect((await trash()).map(({ itemKey }) => itemKey).toSorted()).toEqual([b, c])
  expect(await scene.keys('movies')).toEqual([a, keyOf('D (1993)')])
  expect(await tagsOf(a)).toEqual(['A (1990)'])
  for (let times = 0; times < 2; times++) {
    const answer = await restore(await entryOf(b))
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    await waitFor(
      () => entryOf(b),
      LIMIT_MS,
      () => 'It is not in the trash any more',
    )
  }
  await scene.admin.delete(`/api/trash/${(await entryOf(b)).id}`)
  expect((await restore(await entryOf(c))).status).toBe(200)
  expect([await trash(), existsSync(join(scene.rootOf('movies'), 'C (1992)'))]).toEqual([[], true])
})

test('what is being removed for good stays so', async () => {
  const [c, d] = [keyOf('C (1992)'), keyOf('D (1993)')]
  for (const key of [c, d]) await remove(key)
  const backup = await backUp()
  // As where the disk takes its time.
  await goBackTo(backup, () => changeIndex(`UPDATE deletions SET state = 'removing' WHERE item_key = '${d}'`))
  expect((await trash()).map(({ itemKey }) => itemKey)).toEqual([c])
  await waitFor(
    () => (held('movies') === 1 ? true : undefined),
    LIMIT_MS,
    () => 'The files were not removed',
  )
  expect((await scene.admin.get('/api/items', { itemKey: d })).status).toBe(404)
})

test('what was deleted before its library came to lie elsewhere is still known to lie where it did', async () => {
  const id = scene.idOf('tv')
  const [firefly, other] = [`tv_series:${id}:Firefly`, `tv_series:${id}:Other`]
  const elsewhere = makeTree(join(scene.folder, 'elsewhere'), { Firefly: film('S01E01'), Other: film('S01E02 Two') })
  const moveTo = async (path: string): Promise<void> => {
    expect((await scene.admin.patch(`/api/libraries/${id}`, { path })).status).toBe(200)
    await scene.server.scanAndWait(id)
  }
  await remove(other)
  const backup = await backUp()
  await moveTo(elsewhere)

  await goBackTo(backup)
  expect(await entryOf(other)).toBeDefined()
  await moveTo(elsewhere)
  const forGood = async (itemKey: string) => (await scene.admin.delete(`/api/trash/${(await entryOf(itemKey)).id}`)).status
  expect(await forGood(other)).toBe(204)
  // Whoever removes this looks at that before.
  await remove(firefly)
  expect(await forGood(firefly)).toBe(204)
  await waitFor(
    () => (readdirSync(elsewhere).length === 1 ? true : undefined),
    LIMIT_MS,
    () => 'The files were not removed',
  )
  expect(held('tv')).toBe(1)
  await moveTo(scene.rootOf('tv'))
  await waitFor(
    () => (held('tv') === 0 ? true : undefined),
    LIMIT_MS,
    () => 'The files were not removed',
  )
})

test('what was deleted where its library lies now is in the trash again once a restored backup is told of that place', async () => {
  const id = scene.idOf('tv')
  const firefly = `tv_series:${id}:Firefly`
  const [first, second] = [
    scene.rootOf('tv'),
    makeTree(join(scene.folder, 'further'), { Firefly: film('S01E01'), Third: film('S01E03 Three') }),
  ]
  const moveTo = async (path: string): Promise<void> => {
    expect((await scene.admin.patch(`/api/libraries/${id}`, { path })).status).toBe(200)
    await scene.server.scanAndWait(id)
  }
  makeTree(first, { Firefly: film('S01E01'), Third: film('S01E03 Three') })
  await moveTo(first)
  await tag(firefly, 'Serenity')
  const backup = await backUp()
  await moveTo(second)
  await remove(firefly)
  await goBackTo(backup)
  expect(await entryOf(firefly)).toBeUndefined()
  await moveTo(second)
  expect((await restore(await entryOf(firefly))).status).toBe(200)
  await scene.server.waitForScans()
  expect(await tagsOf(firefly)).toEqual(['Serenity'])
  expect(readdirSync(second).toSorted()).toEqual(['Firefly', 'Third'])
})
