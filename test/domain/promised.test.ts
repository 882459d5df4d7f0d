import { expect, test } from 'bun:test'
import { promised } from '../../src/domain/promised.ts'

test('what comes is given, also where it is nothing', async () => {
  expect(await promised<number>((done) => done(null, 7))).toBe(7)
  expect(await promised<undefined>((done) => queueMicrotask(() => done(null, undefined)))).toBeUndefined()
})

test('what fails is thrown, also where it fails at once', async () => {
  const failure = new Error('gone')
  await expect(promised<number>((done) => queueMicrotask(() => done(failure, 7)))).rejects.toBe(failure)
  const atOnce = promised<number>(() => {
    throw failure
  })
  await expect(atOnce).rejects.toBe(failure)
})
