import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { startScene } from '../support/scan-scene.ts'

const FILES = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`sheet ${place + 1}.txt`, `${place}`.padStart(place + 2)]))

test('a list is asked for around an item that has moved by the key that it had, and tells the one that it has', async () => {
  await using scene = await startScene({ mixed: { ...FILES, 'drawer/letter.txt': 'Dear reader' } })
  const libraryId = scene.idOf('mixed')
  const key = (name: string) => `mixed_file:${libraryId}:${name}`
  const around = async (itemKey: string, more: Record<string, string | number> = {}) => {
    const { status, body } = await scene.admin.get('/api/browse', { libraryId, limit: 10, around: itemKey, ...more })
    return {
      status,
      around: body.around,
      position: body.position,
      keys: (body.entries ?? []).map((entry: { itemKey: string }) => entry.itemKey),
    }
  }
  expect(await around(key('sheet 15.txt'))).toMatchObject({ status: 200, around: key('sheet 15.txt'), position: 10 })
  renameSync(join(scene.rootOf('mixed'), 'sheet 15.txt'), join(scene.rootOf('mixed'), 'sheet 25b.txt'))
  expect(await scene.scan('mixed')).toMatchObject({ moved: 1 })
  const moved = await around(key('sheet 15.txt'))
  expect(moved).toMatchObject({ status: 200, around: key('sheet 25b.txt'), position: 20 })
  expect(moved.keys).toContain(key('sheet 25b.txt'))
  // The filter leaves it out; and what was never there is not there.
  expect(await around(key('sheet 15.txt'), { q: 'letter' })).toMatchObject({ status: 404 })
  expect(await around(key('sheet 99.txt'))).toMatchObject({ status: 404 })
  // Something else lies in its old place: that is meant.
  renameSync(join(scene.rootOf('mixed'), 'drawer/letter.txt'), join(scene.rootOf('mixed'), 'sheet 15.txt'))
  expect(await scene.scan('mixed')).toMatchObject({ moved: 1 })
  expect(await around(key('sheet 15.txt'))).toMatchObject({ around: key('sheet 15.txt') })
  expect((await scene.admin.get('/api/browse', { libraryId })).body).not.toHaveProperty('around')
})
