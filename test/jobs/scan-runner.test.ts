import { expect, test } from 'bun:test'
import { libraries } from '../../src/db/schema/libraries.ts'
import { scans } from '../../src/db/schema/scans.ts'
import { createScanRunner } from '../../src/jobs/scan-runner.ts'
import { startTestApp } from '../support/test-app.ts'

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
  const before = await db.select().from(scans)
  await Bun.sleep(TWO_ROUNDS_MS)
  expect(await db.select().from(scans)).toEqual(before)
  await runner.stop()
})
