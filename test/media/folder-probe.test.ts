import { expect, test } from 'bun:test'
import { createFolderProbe } from '../../src/media/folder-probe.ts'

test('a folder whose disk hangs counts as away, is asked once, holds up no other, and is asked anew once it has answered', async () => {
  const asked: string[] = []
  const hanging = Promise.withResolvers<boolean>()
  const { ask, answerOf } = createFolderProbe((path) => {
    asked.push(path)
    return path === '/hangs' && asked.length < 4 ? hanging.promise : Promise.resolve(path !== '/gone')
  }, 1)
  expect(await Promise.all(['/hangs', '/there', '/gone'].map(ask))).toEqual([undefined, true, false])
  expect(await Promise.all(['/hangs', '/hangs'].map(ask))).toEqual([undefined, undefined])
  const answer = answerOf('/hangs')
  expect(asked).toEqual(['/hangs', '/there', '/gone'])
  hanging.resolve(true)
  expect(await answer).toBe(true)
  await new Promise(setImmediate)
  expect(await ask('/hangs')).toBe(true)
  expect(asked).toHaveLength(4)
})
