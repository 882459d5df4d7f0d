import { describe, expect, test } from 'bun:test'
import { passwordProblem } from '../../src/domain/password.ts'
import { cleanUsername, usernameKey, usernameProblem } from '../../src/domain/username.ts'

describe('a user name', () => {
  test.each([
    '',
    ' ',
    '\u200d',
    '\u00a0',
    'a\u0000',
    'a\u001b[31m',
    'a\u202eb',
    'a\u2066b',
    'a\ufeffb',
    'a\u2029b',
    'a\ue000',
    '\udc00',
    'x'.repeat(65),
  ])('is refused: %j', (name) => expect(usernameProblem(cleanUsername(name))).toBeString())
  test.each(['a', 'Zoë', '名前', 'علی‌رضا', '👩‍👩‍👧', 'two words', 'x'.repeat(64), '👍'.repeat(64)])('is taken: %s', (name) =>
    expect(usernameProblem(cleanUsername(name))).toBeUndefined(),
  )
  test('is kept composed, and without space around it', () => {
    expect(cleanUsername('  Zoe\u0308 ')).toBe('Zoë')
  })
  test('has the same key in every case and form, and another with another accent', () => {
    for (const [a, b] of [
      ['STRASSE', 'straße'],
      ['ΣΑΣ', 'σας'],
      ['ﬁnn', 'FINN'],
      ['Ⅳ', 'iv'],
      ['ＡＢ', 'ab'],
      ['a\u200db', 'AB'],
    ] as const)
      expect(usernameKey(a)).toBe(usernameKey(b))
    expect(usernameKey('Zoë')).not.toBe(usernameKey('Zoe'))
  })
})

describe('a new password', () => {
  test.each(['', '1234567', '👍'.repeat(7), 'e\u0301'.repeat(7), 'x'.repeat(257), 'e\u0301'.repeat(10_000)])('is refused: %j', (password) =>
    expect(passwordProblem(password)).toBeString(),
  )
  test.each(['12345678', '        ', '👍'.repeat(8), 'x'.repeat(256), 'e\u0301'.repeat(256)])('is taken: %j', (password) =>
    expect(passwordProblem(password)).toBeUndefined(),
  )
  test('is not put together to be counted where it is far too long', () => {
    const before = process.cpuUsage().user
    expect(passwordProblem('\u0301\u0316'.repeat(50_000))).toBe('At most 256 characters')
    // Microseconds; they would be a quarter of a minute.
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000)
  })
})
