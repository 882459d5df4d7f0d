import { expect, jest, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { isRootAway } from '../../src/media/root-away.ts'
import { openLibraryRoot, readableRootOf } from '../../src/services/library-root.ts'
import { HANGING_DISK, withHangingDisk } from '../support/hanging-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What was asked once is asked still, whoever comes then. */
const HANGING = `${HANGING_DISK}/root`

const outcomeAt = (path: string, isWanted = false): Promise<unknown> =>
  readableRootOf({ path, realPath: null }, { isWanted }).catch((error: unknown) => (error instanceof AppError ? error.code : error))

test('no thread is sent to a disk that does not answer, and it is asked once', async () => {
  await withHangingDisk(async (asked) => {
    expect(await Promise.all([outcomeAt(HANGING), outcomeAt(HANGING)])).toEqual(['unavailable', 'unavailable'])
    expect([await outcomeAt(HANGING), asked.access]).toEqual(['unavailable', 1])
    const folder = await temporaryFolder('root')
    expect(await outcomeAt(folder.path)).toBe(folder.path)
    await folder.remove()
    expect(await outcomeAt(folder.path)).toBe('unavailable')
  })
})

test('a disk that wakes up is waited for by whoever wants something of it', async () => {
  await withHangingDisk(
    async () => {
      const waking = `${HANGING_DISK}/waking`
      expect(await Promise.all([outcomeAt(waking), outcomeAt(waking, true)])).toEqual(['unavailable', waking])
    },
    { wakesAfterMs: 2500 },
  )
})

test('whoever wants to delete or restore something on a disk that hangs is told so, and a file that is not found there is not gone', async () => {
  await withHangingDisk(async () => {
    jest.useFakeTimers()
    const path = `${HANGING_DISK}/library`
    const opening = openLibraryRoot({ path, realPath: null }).catch((error: unknown) => error instanceof AppError && error.code)
    const isAway = isRootAway(path, 'folder')
    await Promise.resolve()
    jest.advanceTimersByTime(15_000)
    expect([await opening, await isAway]).toEqual(['unavailable', true])
  }).finally(() => jest.useRealTimers())
})
