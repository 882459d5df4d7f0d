import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { AppError } from '../../src/errors.ts'
import { toFolderError } from '../../src/services/item-folder.ts'

const systemError = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'rename', errno: -1 })

test.each([
  ['ENOSPC', 'insufficient_storage'],
  ['EROFS', 'unavailable'],
  ['EISDIR', 'conflict'],
  // Of disks on a network, and of programs that are file systems.
  ...['ETIMEDOUT', 'ENOTCONN', 'EHOSTDOWN', 'EAGAIN', 'EBUSY', 'EXDEV', 'ENOMEM', 'EREMOTEIO'].map(
    (code) => [code, 'unavailable'] as const,
  ),
])('what a disk says is no fault of the server: %s is %s', (code, expected) => {
  expect(toFolderError(systemError(code))).toMatchObject({ name: 'AppError', code: expected })
})

test('what no disk says stays what it is', () => {
  const others = [new TypeError('a mistake'), Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' }), new AppError('not_found')]
  for (const error of others) expect(toFolderError(error)).toBe(error)
})

test('what the system says of a file has the mark by which it is known', async () => {
  const error = await readFile('/proc/self/mem').catch((cause: unknown) => cause)
  expect(toFolderError(error)).toMatchObject({ name: 'AppError', code: 'unavailable' })
})
