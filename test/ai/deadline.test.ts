import { expect, test } from 'bun:test'
import { TimeUp, withinTime } from '../../src/ai/deadline.ts'

const LONG = 60_000
const never = new Promise<never>(() => undefined)

/** Work that never ends, and the signal that it got. */
const hanging = () => {
  const given: { signal?: AbortSignal } = {}
  const work = (signal: AbortSignal): Promise<never> => {
    given.signal = signal
    return never
  }
  return { given, work }
}

test('work that ends in time gives what it comes to', async () => {
  const { signal } = new AbortController()
  expect(await withinTime(LONG, signal, async () => 1)).toBe(1)
  await expect(withinTime(LONG, signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

test('work that never ends is left when its time is up, and told so', async () => {
  const { given, work } = hanging()
  const error = await withinTime(5, new AbortController().signal, work).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TimeUp)
  expect(error).toMatchObject({ name: 'TimeoutError', message: 'The time is up.' })
  expect(given.signal?.reason).toBe(error)
})

test('work that never ends is left with the reason of whoever waits for it, and told so', async () => {
  const { given, work } = hanging()
  const stopping = new AbortController()
  const waiting = withinTime(LONG, stopping.signal, work)
  stopping.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  expect(given.signal?.reason).toBe(stopping.signal.reason)
})

test('work that is done is not bothered afterwards', async () => {
  const { given, work } = hanging()
  const stopping = new AbortController()
  await withinTime(1, stopping.signal, (signal) => {
    void work(signal)
    return Promise.resolve()
  })
  stopping.abort()
  await Bun.sleep(10)
  expect(given.signal?.aborted).toBe(false)
})

test('work that is not wanted any more is not begun', async () => {
  let begun = false
  const work = withinTime(60_000, AbortSignal.abort('enough'), async () => {
    begun = true
  })
  expect(await work.catch((reason: unknown) => reason)).toBe('enough')
  expect(begun).toBe(false)
})
