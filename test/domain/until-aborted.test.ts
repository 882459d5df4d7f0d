import { expect, test } from 'bun:test'
import { untilAborted } from '../../src/domain/until-aborted.ts'

const never = new Promise<never>(() => undefined)

test('work that ends first gives what it comes to', async () => {
  expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1)
  await expect(untilAborted(Promise.reject(new Error('broken')), new AbortController().signal)).rejects.toThrow('broken')
})

test('work that never ends is left with the reason of the signal', async () => {
  const stopping = new AbortController()
  const waiting = untilAborted(never, stopping.signal)
  stopping.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  await expect(untilAborted(never, stopping.signal)).rejects.toThrow('stopped')
})
