import { expect, test } from 'bun:test'
import { createFolderProbe } from '../../src/media/folder-probe.ts'

test('a folder whose disk hangs counts as away, is asked once, holds up no other, and is asked anew once it has answered', async () => {
  const asked: string[] = []
  const hanging = Promise.withResolvers<boolean>()
  const isReadable = createFolderProbe((path) => {
    asked.push(path)
    return path === '/hangs' && asked.length < 4 ? hanging.promise : Promise.resolve(path !== '/gone')
  }, 1)
  expect(await Promise.all(['/hangs', '/there', '/gone'].map(isReadable))).toEqual([false, true, false])
  expect(await Promise.all(['/hangs', '/hangs'].map(isReadable))).toEqual([false, false])
  expect(asked).toEqual(['/hangs', '/there', '/gone'])
  hanging.resolve(true)
  await hanging.promise
  await new Promise(setImmediate)
  expect(await isReadable('/hangs')).toBe(true)
  expect(asked).toHaveLength(4)
})
