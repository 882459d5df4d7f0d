import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { outcomeOf, type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

setDefaultTimeout(60_000)

/** A scan of one folder (FEATURES.md, pain point 3): what a download program has just put there, without a walk of everything. */

let scene: ScanScene

beforeEach(async () => {
  scene = await startScene({
    mixed: { 'top.txt': 1, '2020': { 'a.txt': 2, Summer: { 'b.txt': 3 } }, '2020 b': { 'c.txt': 4 }, '2021': { 'd.txt': 5 } },
    tv: { Show: { 'Season 01': { 'Show S01E01.mkv': 1 } }, Other: { 'Season 01': { 'Other S01E01.mkv': 2 } } },
  })
})
afterEach(() => scene[Symbol.asyncDispose]())

const request = (type: 'mixed' | 'tv', path?: unknown) => scene.admin.post('/api/scans', { libraryId: scene.idOf(type), path })
const ended = (id: number): Promise<Json> =>
  waitFor(
    async () => {
      const { scan } = (await scene.admin.get(`/api/scans/${id}`)).body
      return scan.status === 'queued' || scan.status === 'running' ? undefined : scan
    },
    30_000,
    () => 'The scan did not end',
  )
const scanFolder = async (type: 'mixed' | 'tv', path: string): Promise<Json> => {
  const { status, body } = await request(type, path)
  expect([status, body.scans?.length]).toEqual([202, 1])
  return ended(body.scans[0].id)
}
const names = async (type: 'mixed' | 'tv'): Promise<string[]> => (await scene.keys(type)).map((key) => key.split(':').slice(2).join(':'))

describe('is refused', () => {
  test('where no folder below the root is meant', async () => {
    const upwards = ['../2020', '2020/../2021', './2020', '2020/..']
    for (const path of ['', '/', '/2020', '2020/', '2020//Summer', 'a\0b', 'x'.repeat(5000), ...upwards, 7, null, ['2020']]) {
      const { status, body } = await request('mixed', path)
      expect([path, status, body.code]).toEqual([path, 400, 'invalid_request'])
    }
  })
  test('without its library, in one that there is not, and to whoever is no administrator', async () => {
    expect((await scene.admin.post('/api/scans', { path: '2020' })).status).toBe(400)
    expect((await scene.admin.post('/api/scans', { libraryId: 99, path: '2020' })).status).toBe(404)
    const member = await scene.server.as('member')
    expect((await member.post('/api/scans', { libraryId: scene.idOf('mixed'), path: '2020' })).status).toBe(403)
  })
})

test('it finds what is new, gone and moved below that folder, and says nothing of any other', async () => {
  const root = scene.rootOf('mixed')
  makeTree(root, { '2020': { Summer: { 'new.txt': 6 } }, '2021': { 'unseen.txt': 7 }, 'unseen.txt': 8 })
  rmSync(join(root, '2020 b/c.txt'))
  rmSync(join(root, '2020/a.txt'))
  renameSync(join(root, '2020/Summer/b.txt'), join(root, '2020/Summer/renamed.txt'))
  const [before] = await scene.index.query("SELECT id FROM media_items WHERE path = '2020/Summer/b.txt'")
  const scan = await scanFolder('mixed', '2020')
  expect(outcomeOf(scan)).toEqual({ status: 'done', found: 2, added: 1, missing: 1, moved: 1 })
  expect(scan.paths).toEqual(['2020'])
  expect(await names('mixed')).toEqual(['2020 b/c.txt', '2020/Summer/new.txt', '2020/Summer/renamed.txt', '2021/d.txt', 'top.txt'])
  expect(await scene.index.query("SELECT id FROM media_items WHERE path = '2020/Summer/renamed.txt'")).toEqual([before as Json])
  expect(await scene.scan('mixed')).toEqual({ status: 'done', found: 6, added: 2, missing: 1 })
})

test('a folder that is gone takes what it held along; one that never was changes nothing', async () => {
  rmSync(join(scene.rootOf('mixed'), '2020/Summer'), { recursive: true })
  expect(outcomeOf(await scanFolder('mixed', '2020/Summer'))).toEqual({ status: 'done', missing: 1 })
  expect(outcomeOf(await scanFolder('mixed', '2019/Winter'))).toEqual({ status: 'done' })
  expect(await names('mixed')).toEqual(['2020 b/c.txt', '2020/a.txt', '2021/d.txt', 'top.txt'])
})

test('of a series it is the whole series, wherever in it the folder lies', async () => {
  makeTree(scene.rootOf('tv'), {
    Show: { 'Season 02': { 'Show S02E01.mkv': 3 } },
    Other: { 'Season 01': { 'Other S01E02.mkv': 4 } },
    'Loose S01E01.mkv': 5,
  })
  const scan = await scanFolder('tv', 'Show/Season 02')
  expect(scan).toMatchObject({ status: 'done', paths: ['Show'], added: 2, warningCount: 0 })
  expect((await names('tv')).filter((name) => name.endsWith('.mkv'))).toEqual([
    'Other/Season 01/Other S01E01.mkv',
    'Show/Season 01/Show S01E01.mkv',
    'Show/Season 02/Show S02E01.mkv',
  ])
})

test('what is hidden from a scan above it stays hidden', async () => {
  makeTree(scene.rootOf('mixed'), { '2020': { '.ignore': 'Summer\n', Summer: { 'new.txt': 1 } } })
  expect(outcomeOf(await scanFolder('mixed', '2020/Summer'))).toEqual({ status: 'done', missing: 1 })
})

test('a root that is empty or away fails it, and nothing is called missing', async () => {
  const root = scene.rootOf('mixed')
  renameSync(root, `${root} away`)
  expect(outcomeOf(await scanFolder('mixed', '2020'))).toEqual({ status: 'failed' })
  mkdirSync(root)
  expect(outcomeOf(await scanFolder('mixed', '2020'))).toEqual({ status: 'failed' })
  expect(await names('mixed')).toHaveLength(5)
})

test('what came from outside of the folder is one with its original, once the whole library is looked through', async () => {
  const root = scene.rootOf('mixed')
  await scene.index.mark({ [`mixed_file:${scene.idOf('mixed')}:2021/d.txt`]: 'tagged' })
  renameSync(join(root, '2021/d.txt'), join(root, '2020/d.txt'))
  await scanFolder('mixed', '2020')
  await scene.scan('mixed')
  expect((await scene.index.marks()).tagged).toMatchObject({ itemKey: `mixed_file:${scene.idOf('mixed')}:2020/d.txt`, isMissing: false })
})

test('folders that are asked for while one is scanned wait together, and each is looked through', async () => {
  const root = scene.rootOf('mixed')
  makeTree(root, { '2020': { 'x.txt': 1, Summer: { 'y.txt': 1 } }, '2021': { 'z.txt': 1 } })
  const answers = await Promise.all(['2020/Summer', '2021', '2020', '2020/Summer', '2021'].map((path) => request('mixed', path)))
  const ids = [...new Set(answers.map(({ body }) => body.scans[0].id))]
  const scans = await Promise.all(ids.map(ended))
  expect(scans.every(({ status }) => status === 'done')).toBe(true)
  expect(await names('mixed')).toHaveLength(8)
  const { body } = await scene.admin.get('/api/scans', { libraryId: scene.idOf('mixed') })
  expect(body.scans.filter((scan: Json) => scan.paths !== null).length).toBeLessThanOrEqual(answers.length)
})

test('one that waits is done by the next start, and says when all was read', async () => {
  await scene.server.stop()
  await scene.index.query(
    `INSERT INTO scans (library_id, trigger, status, paths, created_at) VALUES (${scene.idOf('mixed')}, 'manual', 'queued', '["2021"]', 1)`,
  )
  makeTree(scene.rootOf('mixed'), { '2021': { 'new.txt': 1 } })
  await scene.restart()
  const { scans } = (await scene.admin.get('/api/scans', { libraryId: scene.idOf('mixed') })).body
  const scan = scans.find(({ paths }: Json) => paths !== null) ?? scans[0]
  expect(scan).toMatchObject({ status: 'done', error: null })
  const times = [scan.startedAt, scan.walkedAt, scan.finishedAt]
  expect(times.toSorted()).toEqual(times)
  expect(await names('mixed')).toContain('2021/new.txt')
})
