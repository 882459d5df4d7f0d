import { expect, test } from 'bun:test'
import { libraries } from '../../src/db/schema/libraries.ts'
import { scans } from '../../src/db/schema/scans.ts'
import type { Writer } from '../../src/db/writer.ts'
import { AppError } from '../../src/errors.ts'
import { createScanRunner } from '../../src/jobs/scan-runner.ts'
import { requestScans } from '../../src/services/scans.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/test-server.ts'

/** Two times a schedule that comes every second; the API takes none that comes more often than every minute. */
const TWO_ROUNDS_MS = 2100

test('schedules that are read twice at once leave no job behind that nobody can end', async () => {
  await using app = await startTestApp()
  const { db } = app.deps
  const runner = createScanRunner(app.deps, { isShared: false })
  await db.insert(libraries).values({ name: 'Files', type: 'mixed', path: '/nowhere', scanSchedule: '* * * * * *' })
  await Promise.all([runner.reschedule(), runner.reschedule()])
  await db.update(libraries).set({ scanSchedule: null })
  await runner.reschedule()
  // One of a second that turned before may be written a moment later.
  const quietFrom = Date.now() + 1000
  await Bun.sleep(TWO_ROUNDS_MS)
  expect((await db.select().from(scans)).filter(({ createdAt }) => createdAt >= quietFrom)).toEqual([])
  await runner.stop()
})

test('an answer about schedules that comes late changes nothing of what is known since', async () => {
  await using app = await startTestApp()
  const { db } = app.deps
  const [answered, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const from = async (table: typeof libraries) => {
    const rows = await db.select().from(table)
    answered.resolve()
    await held.promise
    return rows
  }
  let asked = 0
  const slow = new Proxy(db, {
    get: (target, name) => (name === 'select' && asked++ === 0 ? () => ({ from }) : Reflect.get(target, name, target)),
  })
  const runner = createScanRunner({ ...app.deps, db: slow }, { isShared: false })
  await db.insert(libraries).values({ name: 'Files', type: 'mixed', path: '/nowhere', scanSchedule: '* * * * * *' })
  const late = runner.reschedule()
  await answered.promise
  await db.update(libraries).set({ scanSchedule: null })
  await runner.reschedule()
  held.resolve()
  await late
  await Bun.sleep(TWO_ROUNDS_MS)
  expect(await db.select().from(scans)).toEqual([])
  await runner.stop()
})

const SCAN_LIMIT_MS = 20_000

test('a scan that runs says how much it has come across, whether or not any of it is new', async () => {
  await using folder = await temporaryFolder('scan-runner')
  makeTree(folder.path, { 'a.txt': 'a', '2020/b.txt': 'b', '2020/c.txt': 'c' })
  await using app = await startTestApp()
  const { db } = app.deps
  const { $client: client } = db
  const runner = createScanRunner(app.deps, { isShared: false })
  await db.insert(libraries).values({ id: 1, name: 'Files', type: 'mixed', path: folder.path })
  await client.batch([
    'CREATE TABLE seen (scan_id, found)',
    `CREATE TRIGGER seen_matching AFTER UPDATE ON scans WHEN new.phase = 'matching' BEGIN INSERT INTO seen VALUES (new.id, new.found); END`,
  ])
  const scan = async (): Promise<unknown> => {
    const [asked] = await requestScans({ ...app.deps, scans: runner }, { libraryId: 1, trigger: 'manual' })
    if (!asked) throw new Error('No scan was queued')
    await waitFor(
      async () => (await db.select().from(scans)).find(({ id, status }) => id === asked.id && status === 'done'),
      SCAN_LIMIT_MS,
      () => 'The scan never came to its end.',
    )
    return (await client.execute({ sql: 'SELECT max(found) AS found FROM seen WHERE scan_id = ?', args: [asked.id] })).rows[0]?.found
  }
  try {
    expect(await scan()).toBe(3)
    expect(await scan()).toBe(3)
  } finally {
    await runner.stop()
  }
})

test('a scan that was being claimed when the server began to end is stopped before it has ended', async () => {
  await using folder = await temporaryFolder('scan-runner')
  makeTree(folder.path, Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${at % 50}/${at}.txt`, 'x'])))
  await using app = await startTestApp()
  const { db } = app.deps
  const runner = createScanRunner(app.deps, { isShared: false })
  await db.insert(libraries).values({ id: 1, name: 'Files', type: 'mixed', path: folder.path })
  await requestScans({ ...app.deps, scans: runner }, { libraryId: 1, trigger: 'manual' })
  await runner.stop()
  const ended = await db.select().from(scans)
  expect(ended).toMatchObject([{ status: 'interrupted' }])
  expect(runner.isBusy()).toBe(false)
})

test('a scan that a full disk has ended says so as soon as there is room, and the next one runs', async () => {
  await using folder = await temporaryFolder('scan-runner')
  makeTree(folder.path, { 'a.txt': 'a' })
  await using app = await startTestApp()
  const { db } = app.deps
  let isFull = true
  let refused = 0
  const whileRoom = async <T>(write: () => Promise<T>): Promise<T> => {
    if (!isFull) return write()
    refused += 1
    throw new AppError('insufficient_storage')
  }
  const write: Writer = {
    ...app.deps.write,
    batch: (...given) => whileRoom(() => app.deps.write.batch(...given)),
    batches: (...given) => whileRoom(() => app.deps.write.batches(...given)),
    // Of what claims a scan there was room enough.
    transaction: async (...given) => {
      const [first] = await db.select().from(scans)
      return first?.status === 'running' ? whileRoom(() => app.deps.write.transaction(...given)) : app.deps.write.transaction(...given)
    },
  }
  const runner = createScanRunner(
    { ...app.deps, write, thumbnails: { ...app.deps.thumbnails, wake: () => undefined } },
    { isShared: false },
  )
  const ask = () => requestScans({ ...app.deps, scans: runner }, { libraryId: 1, trigger: 'manual' })
  const ended = (status: string) =>
    waitFor(
      async () => (await db.select().from(scans)).find((scan) => scan.status === status),
      SCAN_LIMIT_MS,
      () => `No scan was ${status}; refused were ${refused} writes.`,
    )
  await db.insert(libraries).values({ id: 1, name: 'Files', type: 'mixed', path: folder.path })
  try {
    await ask()
    await waitFor(
      () => refused >= 2 || undefined,
      SCAN_LIMIT_MS,
      () => `Refused were ${refused} writes.`,
    )
    expect(await db.select().from(scans)).toMatchObject([{ status: 'running' }])
    isFull = false
    expect(await ended('failed')).toMatchObject({ id: 1, phase: null, error: 'disk_full', leaseUntil: null })
    await ask()
    expect(await ended('done')).toMatchObject({ id: 2, added: 1 })
  } finally {
    await runner.stop()
  }
})

test.each([
  ['has run out', -1],
  ['is of a clock that was ahead', 86_400_000],
])('a scan of another server whose lease %s is over', async (_, lease) => {
  await using app = await startTestApp()
  const { db } = app.deps
  await db.insert(libraries).values([1, 2].map((id) => ({ id, name: 'Files', type: 'mixed', path: `/nowhere/${id}` }) as const))
  const running = { trigger: 'manual', status: 'running', owner: 'another server', createdAt: 1 } as const
  await db.insert(scans).values([
    { ...running, libraryId: 1, leaseUntil: Date.now() + lease },
    { ...running, libraryId: 2, leaseUntil: Date.now() + 60_000 },
  ])
  const runner = createScanRunner(app.deps, { isShared: true })
  await runner.start()
  await runner.stop()
  expect((await db.select().from(scans)).map(({ status }) => status)).toEqual(['interrupted', 'running'])
})
