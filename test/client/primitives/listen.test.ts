import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { createRoot } = await import('solid-js')
const { listen } = await import('../../../client/src/primitives/listen.ts')

test('nothing is heard any more once its owner has gone', () => {
  const target = new EventTarget()
  const heard: string[] = []
  const dispose = createRoot((end) => {
    listen(target, { one: ({ type }) => heard.push(type), other: ({ type }) => heard.push(type) })
    return end
  })
  const tell = () => ['one', 'other', 'third'].map((name) => target.dispatchEvent(new Event(name)))
  tell()
  expect(heard).toEqual(['one', 'other'])
  dispose()
  tell()
  expect(heard).toEqual(['one', 'other'])
})
