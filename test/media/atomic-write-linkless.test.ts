import { expect, mock, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomic, writeUnderFreeName } from '../../src/media/atomic-write.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MODULE = 'node:fs/promises'
const own = { ...files }

test('where there are no hard links, and an error of the disk is all that is said of it, as by rclone, pictures are written all the same', async () => {
  await using folder = await temporaryFolder('linkless')
  const link: typeof own.link = () => Promise.reject(Object.assign(new Error('EIO: i/o error, link'), { code: 'EIO', syscall: 'link' }))
  mock.module(MODULE, () => ({ ...own, link }))
  try {
    const file = join(folder.path, 'cover.jpg')
    for (const content of ['first', 'second']) await writeAtomic(file, Buffer.from(content), () => Promise.resolve())
    await writeUnderFreeName(folder.path, ['shot-1.jpg'], Buffer.from('shot'))
    expect(readFileSync(file, 'utf8')).toBe('second')
    expect(readdirSync(folder.path).sort()).toEqual(['cover.jpg', 'shot-1.jpg'])
  } finally {
    mock.module(MODULE, () => own)
  }
})
