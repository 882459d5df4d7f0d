import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import { beforeTheMinute } from '../support/before-the-minute.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type IndexDatabase, openIndexOf } from '../support/index-database.ts'
import { makeTree, type Tree } from '../support/library-tree.ts'
import { AS_ORDINARY_USER, giveToOrdinaryUser, letOrdinaryUserPass } from '../support/ordinary-user.ts'
import { type PrivateDisk, privateDisk } from '../support/private-mounts.ts'
import { runProgram } from '../support/program.ts'
import { listEntries } from '../support/scan-scene.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/**
 * Whatever happens to a root, and whoever asks for the scan: rows, tags, texts and progress are the same before and
 * after, and once the root is well again, so is everything in it.
 */

/** Half of sixty are more than 25 and more than 20 %. */
const MANY = 60
const FEW = 8

/** Things at the top level, so that a root can lose some without a change to any of their folders. */
const TREES: Record<LibraryType, (i: number) => Tree> = {
  mixed: (i) => ({ [`photo ${i}.jpg`]: 100 + i }),
  movies: (i) => ({ [`Film ${i} (2000)/film.mkv`]: 1000 + i }),
  games: (i) => ({ [`Game ${i}/game.zip`]: 2000 + i }),
  tv: (i) => ({ [`Show ${i}/Season 1/S01E01.mkv`]: 3000 + i }),
  manga: (i) => ({ [`Manga ${i}/v01.cbz`]: 4000 + i }),
}

interface Fault {
  name: string
  type: LibraryType
  items?: number
  /** Not given for the disk, which is mounted and unmounted by its namespace. */
  break?: (root: string) => unknown
  repair?: (root: string) => unknown
  outcome: Json
}

const away = (root: string): string => `${root}-away`
const moveSome = (from: string, to: string, names: readonly string[]): void => {
  mkdirSync(to, { recursive: true })
  for (const name of names) renameSync(join(from, name), join(to, name))
}
const moveBack = (root: string): void => {
  moveSome(away(root), root, readdirSync(away(root)))
  rmSync(away(root), { recursive: true })
}
const UNAVAILABLE = { status: 'failed', error: 'root_unavailable' }

const FAULTS: Fault[] = [
  { name: 'unmounted', type: 'mixed', outcome: UNAVAILABLE },
  {
    name: 'empty',
    type: 'movies',
    break: (root) => moveSome(root, away(root), readdirSync(root)),
    repair: moveBack,
    outcome: UNAVAILABLE,
  },
  {
    name: 'missing',
    type: 'tv',
    break: (root) => renameSync(root, away(root)),
    repair: (root) => renameSync(away(root), root),
    outcome: UNAVAILABLE,
  },
  {
    name: 'unreadable',
    type: 'games',
    break: (root) => chmodSync(root, 0o000),
    repair: (root) => chmodSync(root, 0o755),
    outcome: UNAVAILABLE,
  },
  {
    name: 'half gone',
    type: 'manga',
    items: MANY,
    break: (root) => moveSome(root, away(root), readdirSync(root).slice(MANY / 2)),
    repair: moveBack,
    outcome: { status: 'held', error: expect.any(String) },
  },
  {
    name: 'replaced by a link',
    type: 'mixed',
    break: (root) => {
      renameSync(root, away(root))
      makeTree(`${root}-other`, { 'other.jpg': 5 })
      symlinkSync(`${root}-other`, root)
    },
    repair: (root) => {
      rmSync(root)
      renameSync(away(root), root)
      rmSync(`${root}-other`, { recursive: true })
    },
    outcome: UNAVAILABLE,
  },
  {
    name: 'read-only',
    type: 'movies',
    break: (root) => runProgram(['chmod', '--recursive', 'a-w', root]),
    repair: (root) => runProgram(['chmod', '--recursive', 'u+w', root]),
    outcome: { status: 'done', error: null, warningCount: 0 },
  },
  {
    name: 'with a folder of mode 0000',
    type: 'tv',
    break: (root) => chmodSync(join(root, 'Show 7'), 0o000),
    repair: (root) => chmodSync(join(root, 'Show 7'), 0o755),
    outcome: {
      status: 'done',
      error: null,
      warningCount: 1,
      warnings: [{ path: 'Show 7', code: 'unreadable_folder', message: expect.any(String) }],
    },
  },
]

const DISK = FAULTS[0]?.name ?? ''
const SOON_MS = 3000
const SCHEDULE_LIMIT_MS = 90_000
const HOOK_LIMIT_MS = 240_000

/** What one kind of scan made of all faults. */
interface Trial {
  brokenScans: Map<string, Json>
  rows: { before: Json; broken: Json; repaired: Json }
  keys: { before: string[]; repaired: string[] }
  repairedScans: Map<string, Json>
}

let folder: TemporaryFolder
let disk: PrivateDisk
let server: TestServer
let admin: HttpClient
let index: IndexDatabase
const ids = new Map<string, number>()

const rootOf = (name: string): string => join(folder.path, 'media', name)

const start = async (isMounted: boolean, env: Record<string, string> = {}): Promise<void> => {
  server = await startServer({
    dataDir: join(folder.path, 'own', 'data'),
    prefix: [...disk.startWith(isMounted), ...AS_ORDINARY_USER],
    env,
  })
  admin = await server.as('admin')
}

const setAll = async (isBroken: boolean): Promise<void> => {
  for (const fault of FAULTS) await (isBroken ? fault.break : fault.repair)?.(rootOf(fault.name))
}

const lastScans = async (): Promise<Map<string, Json>> => {
  const { libraries } = (await admin.get('/api/libraries')).body
  return new Map(libraries.map(({ name, lastScan }: Json) => [name, lastScan]))
}

const scanAll = async (): Promise<Map<string, Json>> => {
  expect((await admin.post('/api/scans', {})).status).toBe(202)
  await server.waitForScans()
  return lastScans()
}

/** Everything that must outlive a fault, the content hashes too, by which a file is known wherever it turns up. */
const readRows = async (): Promise<Json> => ({
  ...(await index.dump()),
  marks: await index.marks(),
  hashes: await index.query('SELECT id, content_hash FROM media_items ORDER BY id'),
})

const listKeys = async (): Promise<string[]> => {
  const entries = await Promise.all([...ids.values()].map((libraryId) => listEntries(admin, { libraryId })))
  return entries.flat().map(({ itemKey }) => itemKey)
}

/** Breaks all roots, has them scanned, mends them, and has them scanned again. */
const tryFaults = async (scanBroken: () => Promise<Map<string, Json>>): Promise<Trial> => {
  const [before, keysBefore] = [await readRows(), await listKeys()]
  const brokenScans = await scanBroken()
  const broken = await readRows()
  await setAll(false)
  await disk.mount(server.pid)
  const repairedScans = await scanAll()
  return {
    brokenScans,
    repairedScans,
    rows: { before, broken, repaired: await readRows() },
    keys: { before: keysBefore, repaired: await listKeys() },
  }
}

const TRIALS: Record<'manual' | 'startup' | 'scheduled', () => Promise<Map<string, Json>>> = {
  manual: async () => {
    await setAll(true)
    await disk.unmount(server.pid)
    return scanAll()
  },
  startup: async () => {
    await server.stop()
    await setAll(true)
    await start(false)
    await server.waitForScans()
    return lastScans()
  },
  scheduled: async () => {
    await server.stop()
    // Not by the server: it would scan at once where a minute turns before it has stopped.
    await index.query("UPDATE libraries SET scan_schedule = '* * * * *'")
    await setAll(true)
    await start(false, { SCAN_ON_START: '0', ...beforeTheMinute(SOON_MS) })
    const areDone = async () => {
      const scans = await lastScans()
      const isDone = [...scans.values()].every(
        ({ trigger, status }) => trigger === 'scheduled' && status !== 'queued' && status !== 'running',
      )
      return isDone ? scans : undefined
    }
    const scans = await waitFor(areDone, SCHEDULE_LIMIT_MS, () => 'The scheduled scans never came')
    for (const id of ids.values()) await admin.patch(`/api/libraries/${id}`, { scanSchedule: null })
    return scans
  },
}

beforeAll(async () => {
  folder = await temporaryFolder('faults')
  letOrdinaryUserPass(folder.path)
  mkdirSync(join(folder.path, 'own'))
  for (const { name, type, items = FEW } of FAULTS) {
    const root = name === DISK ? join(folder.path, 'disk') : rootOf(name)
    for (let i = 0; i < items; i++) makeTree(root, TREES[type](i))
  }
  mkdirSync(rootOf(DISK))
  await giveToOrdinaryUser(folder.path)
  disk = await privateDisk(join(folder.path, 'disk'), rootOf(DISK))
  await start(true)
  index = openIndexOf(server)
  for (const { name, type } of FAULTS) {
    const { body } = await admin.post('/api/libraries', { name, type, path: rootOf(name) })
    ids.set(name, body.library.id)
  }
  await scanAll()
  const entries = (await listKeys()).map((key) => [key, `mark of ${key}`])
  await index.mark(Object.fromEntries(entries))
  await index.waitForHashes()
}, HOOK_LIMIT_MS)

afterAll(async () => {
  index.close()
  await server.stop()
  await folder.remove()
})

describe.each(Object.entries(TRIALS))('%s scan', (trigger, scanBroken) => {
  let trial: Trial
  beforeAll(async () => {
    trial = await tryFaults(scanBroken)
  }, HOOK_LIMIT_MS)

  test.each(FAULTS)('a root that is $name ends the scan as it should', ({ name, outcome }) => {
    expect(trial.brokenScans.get(name)).toMatchObject({ trigger, ...outcome, added: 0, updated: 0, moved: 0, missing: 0, restored: 0 })
  })

  test('no row, tag, text, progress or content hash differs', () => {
    expect(Object.keys(trial.rows.before.marks).length).toBe(trial.rows.before.media_items.length)
    expect(trial.rows.broken).toEqual(trial.rows.before)
  })

  test.each(FAULTS)('a root that was $name is whole after the next scan', ({ name }) => {
    expect(trial.repairedScans.get(name)).toMatchObject({
      status: 'done',
      error: null,
      added: 0,
      updated: 0,
      moved: 0,
      missing: 0,
      restored: 0,
      warningCount: 0,
    })
  })

  test('everything can be browsed again, with all that people put on it', () => {
    expect(trial.keys.repaired).toEqual(trial.keys.before)
    expect(trial.rows.repaired).toEqual(trial.rows.before)
  })
})
