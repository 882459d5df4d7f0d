import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { folderContents } from '../support/folder-contents.ts'
import type { Tree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

/** A server is started twice in each of these. */
setDefaultTimeout(120_000)
const POINT_LIMIT_MS = 20_000
const FILES = 2000
const NAME = 'Solaris (1972)'

const film = (): Tree => ({ 'solaris.mkv': 10, frames: Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`${i}.jpg`, 1 + i])) })

interface Seen {
  root: string
  rowsOf: (sql: string) => Promise<number>
  isAnswered: () => boolean
}

const holdingIn = (root: string): string | undefined => readdirSync(root).find((name) => name.startsWith('.vitrine-trash-'))

const filesIn = (root: string): string[] => {
  try {
    return readdirSync(join(root, holdingIn(root) ?? NAME, 'frames'))
  } catch {
    // Gone between two looks.
    return []
  }
}

/** The moments of a deletion, as they can be seen from outside; the server is killed as soon as one has come. */
const POINTS: [string, (seen: Seen) => Promise<boolean> | boolean][] = [
  ['the request is on its way', () => true],
  ['the journal knows', async ({ rowsOf }) => (await rowsOf('SELECT count(*) AS n FROM deletions')) > 0],
  ['the folder has left its place', ({ root }) => !existsSync(join(root, NAME))],
  [
    'the index has forgotten the film',
    async ({ rowsOf }) => (await rowsOf(`SELECT count(*) AS n FROM media_items WHERE path = '${NAME}' AND missing_since IS NULL`)) === 0,
  ],
  ['some of the files are removed', ({ root }) => filesIn(root).length < FILES && !existsSync(join(root, NAME))],
  ['the answer has come', ({ isAnswered }) => isAnswered()],
]

const killAt = async (
  scene: ScanScene,
  itemKey: string,
  isThere: (seen: Seen) => Promise<boolean> | boolean,
): Promise<number | undefined> => {
  let status: number | undefined
  const request = scene.admin.delete('/api/items', { itemKey }).then(
    (answer) => {
      status = answer.status
    },
    () => undefined,
  )
  const rowsOf = async (sql: string): Promise<number> => Number((await scene.index.query<{ n: number }>(sql))[0]?.n)
  const seen: Seen = { root: scene.rootOf('movies'), rowsOf, isAnswered: () => status !== undefined }
  const end = Date.now() + POINT_LIMIT_MS
  while (!(await isThere(seen))) {
    if (Date.now() > end) throw new Error('The deletion never came so far')
    await new Promise((resolve) => setImmediate(resolve))
  }
  process.kill(scene.server.pid, 'SIGKILL')
  await request
  return status
}

describe('a server that is killed in the middle of a deletion leaves the film whole or gone', () => {
  test.each(POINTS)('once %s', async (_, isThere) => {
    await using scene = await startScene({ movies: { [NAME]: film(), 'Other (2000)': { 'o.mkv': 'other' } } })
    const root = scene.rootOf('movies')
    const itemKey = `movie:${scene.idOf('movies')}:${NAME}`
    await scene.index.mark({ [itemKey]: 'kept' })
    const before = folderContents(root)

    const status = await killAt(scene, itemKey, isThere)
    await scene.restart({ isKilled: true })
    const isWhole = existsSync(join(root, NAME))
    if (status !== undefined) expect({ status, isWhole }).toEqual({ status: 204, isWhole: false })
    if (isWhole) {
      expect(folderContents(root)).toEqual(before)
      expect((await scene.index.marks()).kept).toMatchObject({ itemKey, isMissing: false })
    } else {
      expect((await scene.admin.get('/api/items', { itemKey })).status).toBe(404)
      await waitFor(
        () => (holdingIn(root) === undefined ? true : undefined),
        POINT_LIMIT_MS,
        () => 'What was left of the film was not removed',
      )
      expect([...folderContents(root).keys()].sort()).toEqual(['Other (2000)', 'Other (2000)/o.mkv'])
    }
    expect(await scene.keys('movies')).toEqual([...(isWhole ? [itemKey] : []), `movie:${scene.idOf('movies')}:Other (2000)`].sort())
    await waitFor(
      async () => ((await scene.index.query('SELECT 1 FROM deletions')).length === 0 ? true : undefined),
      POINT_LIMIT_MS,
      () => 'The journal was not closed',
    )
  })
})

/** What a crash can leave behind between two steps, made by hand: kills from outside seldom meet them. */
describe('what a crash left between two steps is brought to an end at the start', () => {
  const journal = (scene: ScanScene, { state, trashUntil }: { state: string; trashUntil: number | null }) =>
    scene.index.query(
      `INSERT INTO deletions (library_id, item_id, item_key, item_type, title, unit, folder, holding, state, files, bytes, trash_until, created_by, at)
        SELECT library_id, id, item_key, item_type, title, unit, path, '.vitrine-trash-1-0badcafe', ?, 1, 5, ?, 'admin', ?
        FROM media_items WHERE path = ?`,
      [state, trashUntil, AT, NAME],
    )
  const AT = 1_700_000_000_000
  const LATER = Date.now() + 3_600_000
  const HOLDING = '.vitrine-trash-1-0badcafe'
  const STATES = [
    { state: 'moving', isHeld: false, isTrash: false, outcome: 'whole' },
    { state: 'moving', isHeld: true, isTrash: false, outcome: 'gone' },
    { state: 'moving', isHeld: false, isTrash: true, outcome: 'whole' },
    { state: 'moving', isHeld: true, isTrash: true, outcome: 'trashed' },
    { state: 'restoring', isHeld: true, isTrash: true, outcome: 'trashed' },
    { state: 'restoring', isHeld: false, isTrash: true, outcome: 'whole' },
  ]
  test.each(STATES)('$state, held: $isHeld, trash: $isTrash: $outcome', async ({ state, isHeld, isTrash, outcome }) => {
    await using scene = await startScene(
      { movies: { [NAME]: { 's.mkv': 'movie' }, 'Other (2000)': { 'o.mkv': 'other' } } },
      { env: { SCAN_ON_START: '0' } },
    )
    const root = scene.rootOf('movies')
    const itemKey = `movie:${scene.idOf('movies')}:${NAME}`
    await scene.index.mark({ [itemKey]: 'kept' })
    if (state === 'restoring') await scene.index.query('UPDATE media_items SET missing_since = ? WHERE item_key = ?', [AT, itemKey])
    await journal(scene, { state, trashUntil: isTrash ? LATER : null })
    await scene.restart({
      isKilled: true,
      meanwhile: () => {
        if (isHeld) Bun.spawnSync(['mv', join(root, NAME), join(root, HOLDING)])
      },
    })
    const item = await scene.admin.get('/api/items', { itemKey })
    expect(existsSync(join(root, NAME))).toBe(outcome === 'whole')
    expect((await scene.admin.get('/api/trash')).body.entries).toHaveLength(outcome === 'trashed' ? 1 : 0)
    if (outcome === 'gone') {
      expect(item.status).toBe(404)
      await waitFor(
        () => (existsSync(join(root, HOLDING)) ? undefined : true),
        POINT_LIMIT_MS,
        () => 'The files were not removed',
      )
    } else {
      expect((await scene.index.marks()).kept).toMatchObject({ itemKey, isMissing: outcome === 'trashed' })
      expect(existsSync(join(root, HOLDING))).toBe(outcome === 'trashed')
    }
  })

  test('a disk that is away decides nothing', async () => {
    await using scene = await startScene({ movies: { [NAME]: { 's.mkv': 'movie' } } }, { env: { SCAN_ON_START: '0' } })
    const root = scene.rootOf('movies')
    const itemKey = `movie:${scene.idOf('movies')}:${NAME}`
    await journal(scene, { state: 'moving', trashUntil: null })
    const move = (from: string, to: string) => Bun.spawnSync(['sh', '-c', 'mv "$1"/* "$2"/', 'sh', from, to])
    const disk = join(scene.folder, 'disk')
    Bun.spawnSync(['mkdir', disk])
    await scene.restart({ isKilled: true, meanwhile: () => void move(root, disk) })
    expect((await scene.admin.get('/api/items', { itemKey })).status).toBe(200)
    await scene.restart({ isKilled: true, meanwhile: () => void move(disk, root) })
    expect(await scene.keys('movies')).toEqual([itemKey])
    expect(await scene.index.query('SELECT 1 FROM deletions')).toEqual([])
  })

  test('of a disk that comes back only after the start, what was cut off is settled all the same', async () => {
    await using scene = await startScene(
      { movies: { [NAME]: { 's.mkv': 'movie' }, 'Other (2000)': { 'o.mkv': 'other' } } },
      { env: { SCAN_ON_START: '0' } },
    )
    const root = scene.rootOf('movies')
    const itemKey = `movie:${scene.idOf('movies')}:${NAME}`
    await journal(scene, { state: 'moving', trashUntil: null })
    const away = join(scene.folder, 'away')
    await scene.restart({ isKilled: true, meanwhile: () => renameSync(root, away) })
    renameSync(away, root)
    // Now and then, and whenever something is deleted.
    const other = `movie:${scene.idOf('movies')}:Other (2000)`
    expect((await scene.admin.delete('/api/items', { itemKey: other })).status).toBe(204)
    await waitFor(
      async () => ((await scene.index.query('SELECT 1 FROM deletions')).length === 0 ? true : undefined),
      POINT_LIMIT_MS,
      () => 'The journal was not closed',
    )
    expect(await scene.keys('movies')).toEqual([itemKey])
  })
})
