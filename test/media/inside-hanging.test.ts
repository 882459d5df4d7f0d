import { expect, jest, test } from 'bun:test'
import { openFolderInside, openInside } from '../../src/media/inside.ts'
import { HANGING_DISK, withHangingDisk } from '../support/hanging-disk.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a disk that hangs gets few of the threads that all files are opened with, however many are asked for', async () => {
  await withHangingDisk(async (asked) => {
    for (let times = 0; times < 100; times += 1) {
      openInside(`${HANGING_DISK}/files`, `${times}.jpg`).catch(() => undefined)
      openFolderInside(`${HANGING_DISK}/files`, `${times}`).catch(() => undefined)
    }
    await Bun.sleep(0)
    expect(asked.open).toBe(8)
    const folder = await temporaryFolder('hanging')
    makeTree(folder.path, { 'a.jpg': 3 })
    const { handle, size } = await openInside(folder.path, 'a.jpg')
    expect(size).toBe(3)
    await handle.close()
    await folder.remove()
  })
})

test('a file of a disk that hangs is given up after a while, and nothing is said of the file', async () => {
  await withHangingDisk(async (asked) => {
    jest.useFakeTimers()
    const given = Array.from({ length: 9 }, (_, at) => openInside(`${HANGING_DISK}/given-up`, `${at}.jpg`).catch(String))
    await Promise.resolve()
    jest.advanceTimersByTime(15_000)
    expect(await Promise.all(given)).toEqual(Array(9).fill('MediaError: unreadable'))
    expect(asked.open).toBe(8)
  }).finally(() => jest.useRealTimers())
})
