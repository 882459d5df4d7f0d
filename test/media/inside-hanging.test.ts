import { afterAll, expect, mock, test } from 'bun:test'
import * as files from 'node:fs/promises'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** On a disk that never answers. */
const HANGING = '/hanging-disk'
const { open } = files
let asked = 0
mock.module('node:fs/promises', () => ({
  ...files,
  open: (path: string, flags?: number) => {
    if (!path.startsWith(HANGING)) return open(path, flags)
    asked += 1
    return new Promise(() => undefined)
  },
}))
afterAll(() => void mock.module('node:fs/promises', () => files))

test('a disk that hangs gets few of the threads that all files are opened with, however many are asked for', async () => {
  const { openFolderInside, openInside } = await import('../../src/media/inside.ts')
  for (let times = 0; times < 100; times += 1) {
    void openInside(HANGING, `${times}.jpg`)
    void openFolderInside(HANGING, `${times}`)
  }
  await Bun.sleep(0)
  expect(asked).toBeLessThanOrEqual(8)
  const folder = await temporaryFolder('hanging')
  makeTree(folder.path, { 'a.jpg': 3 })
  const { handle, size } = await openInside(folder.path, 'a.jpg')
  expect(size).toBe(3)
  await handle.close()
  await folder.remove()
})
