import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { beforeTheMinute } from '../support/before-the-minute.ts'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

/** Long enough to set everything up before the minute is full; a machine that has not done so gets more, in another try. */
const SOON_MS = 4000
const MAX_TRIES = 4
const LIMIT_MS = 75_000

test(
  'a library with a schedule is scanned when its time comes, one without or with another is not',
  async () => {
    await using folder = await temporaryFolder('schedule')
    makeTree(folder.path, { due: { 'a.txt': 1 }, later: { 'b.txt': 1 }, never: { 'c.txt': 1 }, cancelled: { 'd.txt': 1 } })
    /** Answers whether everything was set up before the minute was full. */
    const watchMinute = async (soonMs: number): Promise<boolean> => {
      const fullAt = Date.now() + soonMs
      await using server = await startServer({ env: { SCAN_ON_START: '0', ...beforeTheMinute(soonMs) } })
      const admin = await server.as('admin')
      const make = async (name: string, scanSchedule: string | null): Promise<number> =>
        (await admin.post('/api/libraries', { name, type: 'mixed', path: join(folder.path, name), scanSchedule })).body.library.id
      // Five hours off, whatever the time zone: neither this minute nor the next.
      const later = `0 ${(new Date().getHours() + 5) % 24} * * *`
      const due = await make('due', null)
      const others = [await make('later', later), await make('never', null), await make('cancelled', '* * * * *')]
      await admin.patch(`/api/libraries/${due}`, { scanSchedule: '* * * * *' })
      await admin.patch(`/api/libraries/${others[2]}`, { scanSchedule: null })
      const findScan = async (): Promise<Json> => {
        const [scan] = (await admin.get('/api/scans', { libraryId: due })).body.scans
        return scan?.status === 'done' ? scan : undefined
      }
      const { scans } = (await admin.get('/api/scans')).body
      if (Date.now() >= fullAt) return false
      expect(scans).toEqual([])
      const scan = await waitFor(findScan, LIMIT_MS, () => 'The schedule never came')
      expect(scan).toMatchObject({ trigger: 'scheduled', libraryId: due, found: 1, added: 1 })
      expect((await admin.get('/api/scans')).body.scans.map(({ libraryId }: Json) => libraryId)).toEqual([due])
      return true
    }
    let wasInTime = await watchMinute(SOON_MS)
    for (let tries = 1; !wasInTime && tries < MAX_TRIES; tries++) wasInTime = await watchMinute(SOON_MS * 2 ** tries)
    expect(wasInTime).toBe(true)
  },
  2 * LIMIT_MS,
)

test(
  'a schedule is kept over a restart',
  async () => {
    await using folder = await temporaryFolder('schedule')
    makeTree(folder.path, { media: { 'a.txt': 1 } })
    const dataDir = join(folder.path, 'data')
    const first = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
    await (await first.as('admin')).post('/api/libraries', {
      name: 'Media',
      type: 'mixed',
      path: join(folder.path, 'media'),
      scanSchedule: '* * * * *',
    })
    await first.stop()
    await using second = await startServer({ dataDir, env: { SCAN_ON_START: '0', ...beforeTheMinute(SOON_MS / 2) } })
    const admin = await second.as('admin')
    const findScan = async (): Promise<Json> => (await admin.get('/api/scans')).body.scans[0]
    expect(await waitFor(findScan, LIMIT_MS, () => 'The schedule never came')).toMatchObject({ trigger: 'scheduled' })
  },
  LIMIT_MS + 10_000,
)
