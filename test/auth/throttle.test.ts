import { describe, expect, setSystemTime, spyOn, test } from 'bun:test'
import { createThrottle, type Throttle } from '../../src/auth/throttle.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { ADMIN } from '../support/test-server.ts'

/** Signs in from an address of one's own, as a trusted proxy would report it. */
const attemptFrom = (app: TestApp) => async (address: string, credentials: { username: string; password: string }) => {
  const answer = await app.anonymous().fetch('/api/auth/login', {
    method: 'POST',
    body: JSON.stringify(credentials),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
  })
  return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) }
}

/** The turns of an account that is full; less than half of it is no wait for one. */
const TURN_MS = 60_000

const wrong = (n: number) => ({ ...ADMIN, password: `guess number ${n}` })
const count = (statuses: number[], status: number): number => statuses.filter((found) => found === status).length

describe('a thousand wrong tries', () => {
  test('from one address: at most 30 are looked at, and the owner still gets in from another', async () => {
    await using app = await startTestApp({ trustProxy: ['127.0.0.1'] })
    const attempt = attemptFrom(app)
    const statuses: number[] = []
    for (let n = 0; n < 1000; n++) {
      const { status, retryAfter } = await attempt('203.0.113.5', wrong(n))
      statuses.push(status)
      if (status === 429) expect(retryAfter).toBeGreaterThan(0)
      if (status === 429) expect(retryAfter).toBeLessThanOrEqual(60)
    }
    expect(count(statuses, 401) + count(statuses, 429)).toBe(1000)
    expect(count(statuses, 401)).toBeLessThanOrEqual(30)
    expect((await attempt('203.0.113.5', ADMIN)).status).toBe(429)
    const start = performance.now()
    expect((await attempt('192.168.1.7', ADMIN)).status).toBe(200)
    expect(performance.now() - start).toBeLessThan(TURN_MS / 2)
  }, 60_000)

  test('all at once: at most 30 are looked at', async () => {
    await using app = await startTestApp({ trustProxy: ['127.0.0.1'] })
    const attempt = attemptFrom(app)
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => attempt('203.0.113.5', wrong(n))))
    const statuses = answers.map(({ status }) => status)
    expect(count(statuses, 401) + count(statuses, 429)).toBe(1000)
    expect(count(statuses, 401)).toBeLessThanOrEqual(30)
    expect((await attempt('192.168.1.7', ADMIN)).status).toBe(200)
  }, 60_000)

  test('from a thousand addresses at one account: at most 30 are looked at, and the owner gets in where he did before', async () => {
    await using app = await startTestApp({ trustProxy: ['127.0.0.1'] })
    const attempt = attemptFrom(app)
    expect((await attempt('192.168.1.7', ADMIN)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => attempt(`203.0.${n >> 8}.${n & 255}`, wrong(n))))
    expect(
      count(
        answers.map(({ status }) => status),
        401,
      ),
    ).toBeLessThanOrEqual(30)
    expect((await attempt('192.168.1.7', ADMIN)).status).toBe(200)
    const start = performance.now()
    expect((await attempt('198.51.100.1', ADMIN)).status).toBe(200)
    expect(performance.now() - start).toBeLessThan(TURN_MS / 2)
  }, 60_000)

  test('from the many addresses of one IPv6 household count as one', async () => {
    await using app = await startTestApp({ trustProxy: ['127.0.0.1'] })
    const attempt = attemptFrom(app)
    const statuses: number[] = []
    for (let n = 0; n < 40; n++)
      statuses.push((await attempt(`2001:db8:0:7::${n.toString(16)}`, { ...wrong(n), username: `name ${n}` })).status)
    expect(count(statuses, 401)).toBeLessThanOrEqual(10)
    expect((await attempt('2001:db8:0:8::1', ADMIN)).status).toBe(200)
  }, 60_000)
})

test('a header that anybody can send makes nobody a new address', async () => {
  await using app = await startTestApp()
  const attempt = attemptFrom(app)
  const statuses: number[] = []
  for (let n = 0; n < 30; n++) statuses.push((await attempt(`203.0.113.${n}`, wrong(n))).status)
  expect(count(statuses, 401)).toBeLessThanOrEqual(10)
})

test('signing in takes back the mistakes made before it, and only those', async () => {
  await using app = await startTestApp({ trustProxy: ['127.0.0.1'] })
  const attempt = attemptFrom(app)
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 6; n++) expect((await attempt('192.168.1.7', wrong(n))).status).toBe(401)
    expect((await attempt('192.168.1.7', ADMIN)).status).toBe(200)
  }
  // An attacker with an account of his own does not clear his record by using it.
  await (await app.as('admin')).post('/api/users', { username: 'mallory', password: 'his own password' })
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) {
    statuses.push((await attempt('203.0.113.9', { username: 'somebody', password: `guess ${n}` })).status)
    await attempt('203.0.113.9', { username: 'mallory', password: 'his own password' })
  }
  expect(count(statuses, 401)).toBeLessThanOrEqual(11)
}, 60_000)

test('twenty people who sign in at the same moment all get in', async () => {
  await using app = await startTestApp()
  const statuses = await Promise.all(Array.from({ length: 20 }, () => app.anonymous().post('/api/auth/login', ADMIN)))
  expect(statuses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
})

describe('admission alone', () => {
  const fail = async (throttle: Throttle, address: string, account: string): Promise<void> =>
    (await throttle.admit({ address, account })).count()
  /** How long it means to wait; on the clock, a busy machine takes longer for whatever it does. */
  const waitOf = async (work: () => Promise<unknown>): Promise<number> => {
    const sleep = spyOn(Bun, 'sleep')
    try {
      await work()
      return sleep.mock.calls.reduce((total, [milliseconds]) => total + Number(milliseconds), 0)
    } finally {
      sleep.mockRestore()
    }
  }
  /** Ten failures at `owner`, each from an address of its own. */
  const attack = async (throttle: Throttle): Promise<void> => {
    const attempts = await Promise.all(
      Array.from({ length: 10 }, (_, n) => throttle.admit({ address: `203.0.113.${n}`, account: 'owner' })),
    )
    for (const attempt of attempts) await attempt.count()
    await Bun.sleep(1001)
  }

  test('an address that is full does not even wait for its turn to be looked at', async () => {
    const throttle = createThrottle()
    const attempts = await Promise.all(Array.from({ length: 10 }, (_, n) => throttle.admit({ address: '203.0.113.1', account: `${n}` })))
    for (const attempt of attempts) await attempt.count()
    await expect(throttle.admit({ address: '203.0.113.1', account: 'x' })).rejects.toMatchObject({ code: 'rate_limited' })
    await expect(attempts[0]?.count()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  test('an address with a record gets no turn at an account that is full', async () => {
    const throttle = createThrottle()
    for (let n = 0; n < 3; n++) await fail(throttle, '198.51.100.1', `other ${n}`)
    await attack(throttle)
    const late = async (): Promise<void> => {
      await expect(throttle.admit({ address: '198.51.100.1', account: 'owner' })).rejects.toMatchObject({ code: 'rate_limited' })
    }
    expect(await waitOf(late)).toBe(0)
  })

  test('one without a record gets a turn each second, one that signed in before at once', async () => {
    const throttle = createThrottle()
    await (await throttle.admit({ address: '192.168.1.7', account: 'owner' })).succeed()
    await attack(throttle)
    const clean = () => throttle.admit({ address: '198.51.100.1', account: 'owner' })
    const known = () => throttle.admit({ address: '192.168.1.7', account: 'owner' })
    expect(await waitOf(clean)).toBe(0)
    expect(await waitOf(clean)).toBeGreaterThan(0)
    for (let n = 0; n < 5; n++) expect(await waitOf(known)).toBe(0)
  })

  test('after five failures in a second the house waits for the next, and those who signed in before do not', async () => {
    const throttle = createThrottle()
    await (await throttle.admit({ address: '192.168.1.7', account: 'owner' })).succeed()
    for (let n = 0; n < 5; n++) await fail(throttle, `203.0.113.${n}`, `name ${n}`)
    expect(await waitOf(() => throttle.admit({ address: '192.168.1.7', account: 'owner' }))).toBe(0)
    expect(await waitOf(() => throttle.admit({ address: '198.51.100.1', account: 'somebody' }))).toBeGreaterThan(0)
  })

  test('a clock that is set forward meanwhile ends the wait', async () => {
    const throttle = createThrottle()
    for (let n = 0; n < 5; n++) await fail(throttle, `203.0.113.${n}`, `name ${n}`)
    try {
      setSystemTime(new Date(Date.now() + 1001))
      expect(await waitOf(() => throttle.admit({ address: '198.51.100.1', account: 'somebody' }))).toBeLessThan(500)
    } finally {
      setSystemTime()
    }
  })

  test('a clock that is set forward by less does not count as turns', async () => {
    const throttle = createThrottle()
    for (let n = 0; n < 5; n++) await fail(throttle, `203.0.113.${n}`, `name ${n}`)
    try {
      // It stands still then: a few milliseconds are missing until the record's own timer rings.
      setSystemTime(new Date(Date.now() + 990))
      await throttle.admit({ address: '198.51.100.1', account: 'somebody' })
    } finally {
      setSystemTime()
    }
  })
})
