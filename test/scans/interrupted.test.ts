import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/http-client.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { outcomeOf, type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** A server that is killed in the middle of a scan: the next one says so, finishes the work, and nothing is doubled or lost. */

const FILES = 8000
const FOLDERS = 40
const LIMIT_MS = 120_000
const MARKED = 200

let scene: ScanScene
/** The folders as they are called now. */
let folders = Array.from({ length: FOLDERS }, (_, i) => `folder ${i}`)
/** The row of each file, once it is known; no two files have the same name. */
let rows = new Map<string, number>()

const nameOf = (i: number): string => `file ${i}.txt`
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

beforeAll(async () => {
  scene = await startScene({ mixed: {} })
  const tree: Tree = {}
  for (let i = 0; i < FILES; i++) tree[`${folders[i % FOLDERS]}/${nameOf(i)}`] = 1 + i
  makeTree(scene.rootOf('mixed'), tree)
}, LIMIT_MS)
afterAll(() => scene[Symbol.asyncDispose](), LIMIT_MS)

const getScan = async (id: number): Promise<Json> => (await scene.admin.get(`/api/scans/${id}`)).body.scan

/** Starts a scan, and waits until it has come so far; answers its id. */
const scanUntil = async (isSoFar: (scan: Json) => boolean): Promise<number> => {
  const [{ id }] = (await scene.admin.post('/api/scans', { libraryId: scene.idOf('mixed') })).body.scans
  const isTime = async (): Promise<true | undefined> => {
    const scan = await getScan(id)
    return isSoFar(scan) || scan.finishedAt !== null ? true : undefined
  }
  await waitFor(isTime, LIMIT_MS, () => `Scan ${id} never came so far`)
  return id
}

/** Starts a scan, kills the server once the scan has come so far, and answers the scan's id. */
const killDuringScan = async (isSoFar: (scan: Json) => boolean, delayMs: number): Promise<number> => {
  const id = await scanUntil(isSoFar)
  await Bun.sleep(delayMs)
  await scene.server.kill()
  return id
}

const readIndex = async (): Promise<{ path: string; id: number; itemKey: string }[]> =>
  scene.index.query('SELECT path, id, item_key AS itemKey FROM media_items WHERE missing_since IS NULL')

/** Every file on disk is one present item, under the right key, on the row that it always had, with its marks. */
const expectWhole = async (): Promise<void> => {
  const present = await readIndex()
  const id = scene.idOf('mixed')
  const expected = Array.from({ length: FILES }, (_, i) => `${folders[i % FOLDERS]}/${nameOf(i)}`)
  expect(present.length).toBe(FILES)
  expect(new Set(present.map(({ itemKey }) => itemKey))).toEqual(new Set(expected.map((path) => `mixed_file:${id}:${path}`)))
  const moved = present.filter((row) => (rows.get(baseName(row.path)) ?? row.id) !== row.id)
  expect(moved).toEqual([])
  const marks = await scene.index.marks()
  expect(Object.values(marks).every(({ isMissing }) => !isMissing)).toBe(true)
  for (const [name, mark] of Object.entries(marks)) expect(baseName(mark.itemKey)).toBe(name)
  await scene.index.check()
  expect(await scene.index.query('SELECT count(*) AS n FROM media_items')).toEqual([{ n: FILES }])
}

let round = 0
const renameFolders = (): void => {
  round += 1
  const renamed = folders.map((_, i) => `round ${round}, folder ${i}`)
  for (const [i, from] of folders.entries()) renameSync(join(scene.rootOf('mixed'), from), join(scene.rootOf('mixed'), renamed[i] ?? ''))
  folders = renamed
}

/** A scan may be over before it is killed; then the round is tried again, and killed sooner. */
const MAX_TRIES = 5

const interruptAndFinish = async (prepare: () => void, isSoFar: (scan: Json) => boolean, delayMs: number): Promise<void> => {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    prepare()
    const id = await killDuringScan(isSoFar, delayMs * (1 - attempt / MAX_TRIES))
    await scene.restart({ isKilled: true })
    const [newest] = (await scene.admin.get('/api/scans', { limit: 1 })).body.scans
    expect(outcomeOf(newest)).toMatchObject({ status: 'done', found: FILES })
    expect(newest.trigger).toBe('startup')
    await expectWhole()
    const old = await getScan(id)
    if (old.status === 'done') continue
    expect(old).toMatchObject({ status: 'interrupted', phase: null, finishedAt: expect.any(String), error: expect.any(String) })
    return
  }
  throw new Error(`No scan in ${MAX_TRIES} was slow enough to be killed`)
}

test(
  'killed during the first scan',
  async () => {
    await interruptAndFinish(
      () => undefined,
      ({ found }) => found > 0,
      0,
    )
    rows = new Map((await readIndex()).map(({ path, id }) => [baseName(path), id]))
    await scene.index.mark(
      Object.fromEntries(
        Array.from({ length: MARKED }, (_, i) => [`mixed_file:${scene.idOf('mixed')}:${folders[i % FOLDERS]}/${nameOf(i)}`, nameOf(i)]),
      ),
    )
  },
  LIMIT_MS,
)

const isRunning = ({ status }: Json): boolean => status === 'running'
const isMatching = ({ phase }: Json): boolean => phase === 'matching'
/** How long a scan that nobody kills walks, and how long it matches what has moved: other machines take other times. */
const lasts = { walking: 0, matching: 0 }

test(
  'a scan of moved files that nobody kills keeps every row',
  async () => {
    renameFolders()
    const begun = performance.now()
    const id = await scanUntil(isMatching)
    const matchedFrom = performance.now()
    await waitFor(
      async () => ((await getScan(id)).finishedAt === null ? undefined : true),
      LIMIT_MS,
      () => 'It never ended',
    )
    Object.assign(lasts, { walking: matchedFrom - begun, matching: performance.now() - matchedFrom })
    await expectWhole()
  },
  LIMIT_MS,
)

test.each([
  ['is in the middle of its walk', isRunning, 'walking', 0.5],
  ['begins to recognise what has moved', isMatching, 'matching', 0],
  ['gives moved files their new keys', isMatching, 'matching', 0.4],
  ['is near its end', isMatching, 'matching', 0.8],
] as const)(
  'killed when a scan of moved files %s',
  (_, isSoFar, during, share) => interruptAndFinish(renameFolders, isSoFar, lasts[during] * share),
  LIMIT_MS,
)

test(
  'a server that is stopped in the middle of a scan says so too, and the next one finishes the work',
  async () => {
    const stopDuring = async (): Promise<Json> => {
      renameFolders()
      const id = await scanUntil(isRunning)
      await scene.restart()
      await expectWhole()
      return getScan(id)
    }
    let stopped = await stopDuring()
    for (let tries = 1; stopped.status === 'done' && tries < MAX_TRIES; tries++) stopped = await stopDuring()
    expect(stopped).toMatchObject({ status: 'interrupted', finishedAt: expect.any(String) })
    rmSync(join(scene.rootOf('mixed'), folders[0] ?? ''), { recursive: true })
    expect(await scene.scan('mixed')).toMatchObject({ status: 'done', missing: FILES / FOLDERS })
  },
  LIMIT_MS,
)
