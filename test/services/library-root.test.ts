import { afterAll, expect, mock, test } from 'bun:test'
import * as files from 'node:fs/promises'
import { AppError } from '../../src/errors.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** On a disk that never answers. */
const HANGING = '/hanging-disk'
const { access } = files
let asked = 0
mock.module('node:fs/promises', () => ({
  ...files,
  access: (path: string, mode?: number) => {
    if (path !== HANGING) return access(path, mode)
    asked += 1
    return new Promise(() => undefined)
  },
}))
afterAll(() => void mock.module('node:fs/promises', () => files))

test('no thread is sent to a disk that does not answer, and it is asked once', async () => {
  const { readableRootOf } = await import('../../src/services/library-root.ts')
  const codeAt = (path: string): Promise<unknown> =>
    readableRootOf({ path, realPath: null }).catch((error: unknown) => (error instanceof AppError ? error.code : error))
  expect(await Promise.all([codeAt(HANGING), codeAt(HANGING)])).toEqual(['unavailable', 'unavailable'])
  expect([await codeAt(HANGING), asked]).toEqual(['unavailable', 1])
  const folder = await temporaryFolder('root')
  expect(await codeAt(folder.path)).toBe(folder.path)
  await folder.remove()
  expect(await codeAt(folder.path)).toBe('unavailable')
})
