import { expect, setSystemTime, spyOn, test } from 'bun:test'
import { createSessionCache, type Remembered } from '../../src/auth/session-cache.ts'

const entry = (userId: number, expiresAt: number | null = null): Remembered => ({ userId, expiresAt })

test('what was being loaded while it changed is not remembered', async () => {
  const cache = createSessionCache<Remembered>()
  const { promise, resolve } = Promise.withResolvers<Remembered>()
  const loading = cache.find('key', () => promise)
  cache.forgetUser(1)
  resolve(entry(1))
  await loading
  expect(await cache.find('key', async () => undefined)).toBeUndefined()
})

test('nothing found is not remembered', async () => {
  const cache = createSessionCache<Remembered>()
  expect(await cache.find('key', async () => undefined)).toBeUndefined()
  expect(await cache.find('key', async () => entry(1))).toEqual(entry(1))
})

test('forgetting one person forgets no other', async () => {
  const cache = createSessionCache<Remembered>()
  await cache.find('a', async () => entry(1))
  await cache.find('b', async () => entry(2))
  cache.forgetUser(1)
  expect(await cache.find('a', async () => undefined)).toBeUndefined()
  expect(await cache.find('b', async () => undefined)).toEqual(entry(2))
})

test('nothing is believed after its end, nor for longer than seconds', async () => {
  const cache = createSessionCache<Remembered>()
  const [time, start] = [Date.now(), performance.now()]
  const clock = spyOn(performance, 'now')
  const setClock = (milliseconds: number): void => {
    setSystemTime(time + milliseconds)
    clock.mockReturnValue(start + milliseconds)
  }
  try {
    setClock(0)
    await cache.find('ends', async () => entry(1, time + 20))
    await cache.find('stays', async () => entry(1))
    setClock(30)
    expect(await cache.find('ends', async () => undefined)).toBeUndefined()
    expect(await cache.find('stays', async () => undefined)).toEqual(entry(1))
    setClock(2030)
    expect(await cache.find('stays', async () => undefined)).toBeUndefined()
  } finally {
    clock.mockRestore()
    setSystemTime()
  }
})

test('it does not grow without end', async () => {
  const cache = createSessionCache<Remembered>()
  for (let n = 0; n <= 10_000; n++) await cache.find(`${n}`, async () => entry(n))
  expect(await cache.find('0', async () => undefined)).toBeUndefined()
  expect(await cache.find('10000', async () => undefined)).toEqual(entry(10_000))
})
