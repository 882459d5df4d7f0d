import { describe, expect, test } from 'bun:test'
import { createPasswords } from '../../src/auth/passwords.ts'
import { AppError } from '../../src/errors.ts'

const passwords = createPasswords()

describe('verify', () => {
  test('is false for what is no hash, and does not throw', async () => {
    for (const hash of [
      '',
      'x',
      '$argon2id$',
      '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA',
      'plain',
      '$2b$10$short',
      '\u0000',
      'x'.repeat(10_000),
    ])
      expect(await passwords.verify(hash, 'password1')).toBe(false)
  })

  test('is false without a hash, whatever the password', async () => {
    for (const password of ['', 'password1', '\u0000', 'x'.repeat(1024)]) expect(await passwords.verify(undefined, password)).toBe(false)
  })

  test('tells passwords apart by every character, spaces and case included', async () => {
    const hash = await passwords.hash('pass word é')
    for (const other of ['pass word e', 'Pass word é', ' pass word é', 'pass word é ', 'passwordé', 'pass word'])
      expect(await passwords.verify(hash, other)).toBe(false)
    expect(await passwords.verify(hash, 'pass word é')).toBe(true)
    expect(await passwords.verify(hash, 'pass word e\u0301')).toBe(true)
  })
})

test('a hash is argon2id at no less than 19 MiB and two passes', async () => {
  expect(await passwords.hash('password1')).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await passwords.hash('password1')).not.toBe(await passwords.hash('password1'))
})

test('at most two are hashed at once and twenty wait; the next is told to come back', async () => {
  const own = createPasswords()
  let running = 0
  let most = 0
  const check = () =>
    own.verify(undefined, 'password1', async () => {
      running++
      most = Math.max(most, running)
      await Bun.sleep(2)
      running--
    })
  // The second round shows that every place was given back, and only once.
  for (let round = 0; round < 2; round++) {
    const settled = await Promise.allSettled(Array.from({ length: 40 }, check))
    const refused = settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused).toHaveLength(18)
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(AppError)
      expect(reason.code).toBe('rate_limited')
      expect(reason.retryAfterSeconds).toBeGreaterThan(0)
    }
  }
  expect(most).toBeLessThanOrEqual(2)
  expect(await own.verify(undefined, 'password1')).toBe(false)
})

test('a check that is stopped gives its place to the next', async () => {
  const own = createPasswords()
  const stop = () => Promise.reject(new AppError('rate_limited'))
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => own.verify(undefined, 'password1', stop)))
  expect(settled.every(({ status }) => status === 'rejected')).toBe(true)
  expect(await own.verify(await own.hash('password1'), 'password1')).toBe(true)
})
