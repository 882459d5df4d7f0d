import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/http-client.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { outcomeOf, type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** More than 25 items and more than 20 % of a library gone at once: nobody's tags are hidden before somebody has looked. */

const FILES = 130
/** An item whose bytes were asked for is remembered for so long. */
const BELIEVED_MS = 1100

let scene: ScanScene

beforeEach(async () => {
  const files: Tree = Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`${name(i)}`, 100 + i]))
  scene = await startScene({ mixed: files })
})
afterEach(() => scene[Symbol.asyncDispose]())

const name = (i: number): string => `disk ${i % 10}/file ${String(i).padStart(3, '0')}.txt`
const key = (i: number): string => `mixed_file:${scene.idOf('mixed')}:${name(i)}`
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
const away = (i: number): string => join(scene.folder, `away ${i}`)
const takeAway = (items: number[]): void => {
  for (const i of items) renameSync(join(scene.rootOf('mixed'), name(i)), away(i))
}
const bringBack = (items: number[]): void => {
  for (const i of items) renameSync(away(i), join(scene.rootOf('mixed'), name(i)))
}
const scanWhole = (): Promise<Json> => scene.server.scanAndWait(scene.idOf('mixed'))
const apply = (id: number) => scene.admin.post(`/api/scans/${id}/apply`)
const listLosses = async (id: number, limit?: number): Promise<Json[]> => {
  const entries: Json[] = []
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await scene.admin.get(`/api/scans/${id}/losses`, { limit, cursor })
    expect(status).toBe(200)
    if (limit !== undefined) expect(body.entries.length).toBeLessThanOrEqual(limit)
    entries.push(...body.entries)
    if (body.nextCursor === null) return entries
    cursor = body.nextCursor
  }
}

test.each([
  ['exactly 25 of 100', 30, 25],
  ['exactly 20 % of 130', 0, 26],
])('%s are no reason to hold a scan', async (_, goneBefore, lost) => {
  // Few at a time, so that the library is as large as the rule wants it.
  const first = range(0, goneBefore)
  for (let start = 0; start < goneBefore; start += 10) {
    takeAway(first.slice(start, start + 10))
    expect((await scanWhole()).status).toBe('done')
  }
  takeAway(range(goneBefore, goneBefore + lost))
  expect(outcomeOf(await scanWhole())).toEqual({ status: 'done', found: FILES - goneBefore - lost, missing: lost })
})

test('the data of another server goes missing at once, with all that it holds, and its files are refused', async () => {
  const data = Object.fromEntries(range(0, 60).map((i) => [`thumbnails/${i}.webp`, 200 + i]))
  makeTree(join(scene.rootOf('mixed'), 'app'), { 'vitrine.db': 500, ...data })
  await scanWhole()
  const itemKey = `mixed_file:${scene.idOf('mixed')}:app/vitrine.db`
  expect((await scene.admin.get('/api/files', { itemKey })).status).toBe(200)
  makeTree(join(scene.rootOf('mixed'), 'app'), { 'server.lock': 0 })
  expect(outcomeOf(await scanWhole())).toMatchObject({ status: 'done', found: FILES, missing: 61 })
  await Bun.sleep(BELIEVED_MS)
  expect((await scene.admin.get('/api/files', { itemKey })).status).toBe(404)
})

test('also where something else is gone that is too much, and waits', async () => {
  makeTree(join(scene.rootOf('mixed'), 'app'), { 'vitrine.db': 500 })
  await scanWhole()
  makeTree(join(scene.rootOf('mixed'), 'app'), { 'server.lock': 0 })
  takeAway(range(0, 30))
  const scan = await scanWhole()
  expect({ ...outcomeOf(scan), found: 0 }).toMatchObject({ status: 'held', missing: 1 })
  expect((await listLosses(scan.id)).map(({ itemKey }) => itemKey).sort()).toEqual(range(0, 30).map(key).sort())
  expect(await scene.keys('mixed')).not.toContain(`mixed_file:${scene.idOf('mixed')}:app/vitrine.db`)
})

test('27 of 130 hold a scan: additions are applied, losses wait, are listed by page, and go missing when somebody says so', async () => {
  const lost = range(0, 27)
  await scene.index.mark({ [key(0)]: 'lost', [key(50)]: 'stays' })
  const keys = await scene.keys('mixed')
  takeAway(lost)
  makeTree(scene.rootOf('mixed'), { 'new.txt': 5 })
  const scan = await scanWhole()
  // Whether 27 lost ones are "found" is no promise.
  expect({ ...outcomeOf(scan), found: 0 }).toEqual({ status: 'held', found: 0, added: 1 })
  expect(scan.finishedAt).not.toBeNull()
  expect((await scene.keys('mixed')).length).toBe(keys.length + 1)
  expect((await scene.index.marks()).lost).toMatchObject({ isMissing: false })
  expect((await scene.admin.get(`/api/libraries/${scene.idOf('mixed')}`)).body.library).toMatchObject({
    itemCount: FILES + 1,
    lastScan: { status: 'held' },
  })

  const losses = await listLosses(scan.id, 10)
  expect(losses.map(({ itemKey }) => itemKey).sort()).toEqual(lost.map(key).sort())
  expect(losses.find(({ itemKey }) => itemKey === key(0))).toEqual({ itemKey: key(0), title: 'file 000.txt', tagCount: 1 })
  expect(losses.find(({ itemKey }) => itemKey === key(1))).toEqual({ itemKey: key(1), title: 'file 001.txt', tagCount: 0 })
  expect((await listLosses(scan.id)).length).toBe(27)
  expect((await scene.admin.get(`/api/scans/${scan.id}/losses`, { cursor: 'nonsense' })).status).toBe(400)

  const applied = await apply(scan.id)
  expect(applied.body.scan).toMatchObject({ id: scan.id, status: 'done', missing: 27, error: null })
  expect(await scene.keys('mixed')).toEqual(
    [...keys.filter((each) => !lost.map(key).includes(each)), `mixed_file:${scene.idOf('mixed')}:new.txt`].sort(),
  )
  expect(await scene.index.marks()).toMatchObject({ lost: { isMissing: true }, stays: { isMissing: false } })
  expect((await apply(scan.id)).body).toMatchObject({ status: 409, code: 'conflict' })
  expect(outcomeOf(await scanWhole())).toEqual({ status: 'done', found: FILES - 26 })
})

test('a scan that holds nothing back cannot be applied, and an unknown one is not found', async () => {
  const { id } = await scanWhole()
  expect((await apply(id)).body).toMatchObject({ status: 409, code: 'conflict' })
  expect((await apply(9999)).status).toBe(404)
  expect((await scene.admin.get('/api/scans/9999/losses')).status).toBe(404)
  expect(await listLosses(id)).toEqual([])
})

test('additions do not make a loss look smaller', async () => {
  takeAway(range(0, 40))
  makeTree(scene.rootOf('mixed'), Object.fromEntries(range(0, 300).map((i) => [`new ${i}.txt`, 5000 + i])))
  expect(outcomeOf(await scanWhole())).toMatchObject({ status: 'held', added: 300 })
})

test('a newer scan looks again: the files that are back are simply there, and the older scan can no longer be applied', async () => {
  const lost = range(0, 60)
  await scene.index.mark({ [key(0)]: 'kept' })
  const before = await scene.index.dump()
  takeAway(lost)
  const first = await scanWhole()
  const second = await scanWhole()
  expect([first.status, second.status]).toEqual(['held', 'held'])
  expect((await apply(first.id)).body).toMatchObject({ status: 409, code: 'conflict' })
  bringBack(lost)
  expect(outcomeOf(await scanWhole())).toEqual({ status: 'done', found: FILES })
  expect((await apply(second.id)).body).toMatchObject({ status: 409, code: 'conflict' })
  // Nobody needs to know any more what the first one would have marked.
  expect([await listLosses(first.id), (await listLosses(second.id)).length]).toEqual([[], 60])
  expect(await scene.index.dump()).toEqual(before)
})

test('a newer scan that was cancelled has not looked: the held one can still be applied, unless items have been moved since', async () => {
  takeAway(range(0, 60))
  const held = await scanWhole()
  const cancelled = (moved: number) =>
    scene.index.query(`INSERT INTO scans (library_id, "trigger", status, moved, created_at) VALUES (?, 'manual', 'cancelled', ?, 0)`, [
      scene.idOf('mixed'),
      moved,
    ])
  await cancelled(1)
  expect((await apply(held.id)).body).toMatchObject({ status: 409, code: 'conflict' })
  await scene.index.query('UPDATE scans SET moved = 0')
  await cancelled(0)
  const applied = await apply(held.id)
  expect([applied.status, applied.body.scan?.missing]).toEqual([200, 60])
})

test('a newer scan of other folders, or of a library that is away, takes nobody the say about what is lost elsewhere', async () => {
  takeAway(range(0, 60))
  const held = await scanWhole()
  const back = [3, 13, 23, 33, 43, 53]
  bringBack(back)
  await scene.admin.post('/api/scans', { libraryId: scene.idOf('mixed'), path: 'disk 3' })
  await scene.server.waitForScans()
  const root = scene.rootOf('mixed')
  renameSync(root, `${root} away`)
  expect((await scanWhole()).status).toBe('failed')
  renameSync(`${root} away`, root)
  // What was looked at again is there.
  expect((await listLosses(held.id)).map(({ itemKey }) => itemKey).sort()).toEqual(
    range(0, 60)
      .filter((i) => !back.includes(i))
      .map(key)
      .sort(),
  )
  const applied = await apply(held.id)
  expect([applied.status, applied.body.scan?.missing]).toEqual([200, 54])
  expect(outcomeOf(await scanWhole())).toEqual({ status: 'done', found: FILES - 54 })
})

test('what a scan of one folder has marked missing by itself is no part of what is applied after it', async () => {
  takeAway(range(0, FILES).filter((i) => i % 10 < 4))
  const whole = await scanWhole()
  const {
    body: { scans },
  } = await scene.admin.post('/api/scans', { libraryId: scene.idOf('mixed'), path: 'disk 0' })
  await scene.server.waitForScans()
  const [{ id }] = scans
  expect((await scene.admin.get(`/api/scans/${id}`)).body.scan).toMatchObject({ status: 'done', missing: 13 })
  expect((await apply(whole.id)).body.scan).toMatchObject({ status: 'done', missing: 39 })
})

test('a held scan that is cancelled marks nothing missing, and lets no older one do so; the next scan asks again', async () => {
  const keys = await scene.keys('mixed')
  takeAway(range(0, 60))
  const [older, held] = [await scanWhole(), await scanWhole()]
  expect((await scene.admin.delete(`/api/scans/${held.id}`)).status).toBe(204)
  expect((await scene.admin.get(`/api/scans/${held.id}`)).body.scan).toEqual({ ...held, status: 'cancelled', error: null })
  for (const { id } of [held, older]) expect((await apply(id)).body).toMatchObject({ status: 409, code: 'conflict' })
  expect(await scene.keys('mixed')).toEqual(keys)

  const [outdated, again] = [await scanWhole(), await scanWhole()]
  expect([outdated.status, again.status]).toEqual(['held', 'held'])
  // An older one takes nobody the say about the newest.
  expect((await scene.admin.delete(`/api/scans/${outdated.id}`)).status).toBe(204)
  expect((await apply(again.id)).body.scan).toMatchObject({ status: 'done', missing: 60 })
})

test('what an applied scan has marked missing comes back with the next scan that finds it', async () => {
  const lost = range(0, 60)
  await scene.index.mark({ [key(0)]: 'kept' })
  const { kept } = await scene.index.marks()
  takeAway(lost)
  const scan = await scanWhole()
  bringBack(lost)
  expect((await apply(scan.id)).status).toBe(200)
  expect(outcomeOf(await scanWhole())).toEqual({ status: 'done', found: FILES, restored: 60 })
  expect((await scene.index.marks()).kept).toEqual(kept)
})

test('a rename of everything is no loss', async () => {
  const root = scene.rootOf('mixed')
  mkdirSync(join(root, 'archive'))
  for (const disk of range(0, 10)) renameSync(join(root, `disk ${disk}`), join(root, 'archive', `disk ${disk}`))
  expect(outcomeOf(await scanWhole())).toEqual({ status: 'done', found: FILES, moved: FILES })
})

test('a held loss is forgotten with its library, and by nothing else', async () => {
  takeAway(range(0, 60))
  const scan = await scanWhole()
  await scene.restart()
  // The scan at the start looks again, and holds again.
  const [newest] = (await scene.admin.get('/api/scans', { limit: 1 })).body.scans
  expect(newest).toMatchObject({ status: 'held', trigger: 'startup' })
  expect((await listLosses(newest.id)).length).toBe(60)
  expect((await listLosses(scan.id)).length).toBe(60)
  rmSync(scene.rootOf('mixed'), { recursive: true })
  expect((await scene.admin.delete(`/api/libraries/${scene.idOf('mixed')}`)).status).toBe(204)
  expect(await scene.index.query('SELECT count(*) AS n FROM scan_losses')).toEqual([{ n: 0 }])
})

test('of each library the last hundred scans are remembered, the last done of all of it, and the one that may still be applied', async () => {
  takeAway(range(0, 60))
  const held = await scanWhole()
  const scans = (status: string): Promise<unknown> =>
    scene.index.query(
      `INSERT INTO scans (library_id, "trigger", status, created_at, finished_at) SELECT ?, 'manual', ?, 0, 0 FROM json_each('[${range(0, 150)}]')`,
      [scene.idOf('mixed'), status],
    )
  const count = async (): Promise<number> => (await scene.admin.get('/api/scans', { limit: 500 })).body.scans.length
  await scans('cancelled')
  const root = scene.rootOf('mixed')
  renameSync(root, `${root}-away`)
  expect(await scanWhole()).toMatchObject({ status: 'failed' })
  renameSync(`${root}-away`, root)
  expect(await count()).toBe(102)
  expect((await scene.index.query('SELECT id FROM scans WHERE status = ? AND paths IS NULL', ['done'])).length).toBe(1)
  expect((await listLosses(held.id)).length).toBe(60)
  // However short the list is that is asked for, what waits for a decision is told beside it, for as long as that can be made.
  const latest = async () => (await scene.admin.get('/api/scans', { libraryId: scene.idOf('mixed'), limit: 2 })).body
  expect((await latest()).scans.length).toBe(2)
  expect((await latest()).held).toMatchObject({ id: held.id, status: 'held' })
  const library = async () => (await scene.admin.get(`/api/libraries/${scene.idOf('mixed')}`)).body.library
  expect(await library()).toMatchObject({ heldScanId: held.id, lastScan: { status: 'failed' } })
  bringBack(range(0, 60))
  await scanWhole()
  expect((await latest()).held).toBeNull()
  expect((await library()).heldScanId).toBeNull()
  await scans('done')
  await scene.server.scanAndWait(scene.idOf('mixed'))
  // Nobody can apply it any more.
  expect(await count()).toBe(100)
  expect(await scene.index.query('SELECT id FROM scans WHERE status = ?', ['held'])).toEqual([])
})

test('while its losses are applied a held scan runs, so that no other scan of the library does', async () => {
  takeAway(range(0, 27))
  const { id } = await scanWhole()
  await scene.index.query(`CREATE TRIGGER applied BEFORE UPDATE OF missing_since ON media_items
    WHEN (SELECT status FROM scans WHERE id = ${id}) <> 'running' BEGIN SELECT RAISE(ABORT, 'nobody applies this scan'); END`)
  expect((await apply(id)).body.scan).toMatchObject({ status: 'done', phase: null, missing: 27 })
  await scene.index.query('DROP TRIGGER applied')
})

test('what another server applies is not scanned, applied or purged meanwhile; where that server ends, it is held again', async () => {
  takeAway(range(0, 27))
  const { id } = await scanWhole()
  const libraryId = scene.idOf('mixed')
  const setLease = (until: number) =>
    scene.index.query(`UPDATE scans SET status = 'running', owner = 'another server', lease_until = ? WHERE id = ?`, [until, id])
  await setLease(Date.now() + 60_000)
  expect((await scene.admin.post('/api/scans', { libraryId })).body.scans).toMatchObject([{ id, status: 'running' }])
  expect((await apply(id)).status).toBe(409)
  expect((await scene.admin.post(`/api/libraries/${libraryId}/purge-missing`)).status).toBe(409)
  // A scan that waits for its end forgets nothing of it.
  const waiting = (await scene.admin.post('/api/scans', { libraryId, path: 'disk 0' })).body.scans[0]
  expect((await listLosses(id)).length).toBe(27)
  expect((await scene.admin.delete(`/api/scans/${waiting.id}`)).status).toBe(204)
  // It has found its losses long ago: there is nothing to cancel.
  expect((await scene.admin.delete(`/api/scans/${id}`)).status).toBe(204)
  await setLease(0)
  const isHeld = async () => ((await scene.admin.get(`/api/scans/${id}`)).body.scan.status === 'held' ? true : undefined)
  await waitFor(isHeld, 30_000, () => `Scan ${id} is not held again`)
  expect((await apply(id)).body.scan).toMatchObject({ status: 'done', missing: 27 })
})
