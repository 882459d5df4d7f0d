import { expect, test } from 'bun:test'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { createLog } from '../src/log.ts'

const logged = (error: Error): { message: string; stack: string; cause?: { message: string } } => {
  const lines: string[] = []
  createLog('error', (line) => lines.push(line)).error('failed', { error })
  return JSON.parse(lines.join('')).error
}

test('the values of a statement that failed are not told, whatever they look like', () => {
  const values = ['$argon2id$hash', 'a diary\n    at home (secret.ts:1:1)\nparams: secret']
  const wrapped = new Error('Not kept.', {
    cause: new DrizzleQueryError('insert into "users" values (?, ?)', values, new Error('SQLITE_BUSY')),
  })
  const error = new DrizzleQueryError('insert into "users" values (?, ?)', values, new Error('SQLITE_BUSY'))
  expect(JSON.stringify([logged(error), logged(wrapped)])).not.toMatch(/argon2|diary|secret/)
  expect(logged(error).message).toBe('Failed query: insert into "users" values (?, ?)')
  expect(logged(error).stack).toContain('\n    at ')
  expect(logged(error).cause?.message).toBe('SQLITE_BUSY')
})

test('of an error some thousand characters are told', () => {
  const { message, stack } = logged(new Error('x'.repeat(1_000_000)))
  expect([message.length < 10_000, stack.length < 10_000]).toEqual([true, true])
})
