import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import { z } from 'zod'
import type { AppEnv } from '../../src/http/app-env.ts'
import { problemResponse, toAppError } from '../../src/http/problem.ts'
import { validate } from '../../src/http/validate.ts'

/** Answers what the query came to, and counts how often one was read. */
const countingApp = () => {
  let read = 0
  const page = z.string().transform((text) => {
    read += 1
    return Number(text)
  })
  const query = z.object({
    page,
    words: z
      .string()
      .max(4000)
      .transform((text) => text.split(','))
      .default([]),
  })
  const app = new Hono<AppEnv>().get(
    '/',
    validate('query', () => query),
    (c) => c.json(c.req.valid('query')),
  )
  app.onError((error, c) => problemResponse(c, toAppError(error)))
  const ask = async (search: string) => {
    const response = await app.request(`/${search}`)
    return { status: response.status, body: await response.json() }
  }
  return { ask, count: () => read }
}

test('a query that is asked again is not read again, and says the same', async () => {
  const { ask, count } = countingApp()
  const first = await ask('?page=1&words=a,b')
  expect(first).toEqual({ status: 200, body: { page: 1, words: ['a', 'b'] } })
  expect(await ask('?page=1&words=a,b')).toEqual(first)
  expect(count()).toBe(1)
  expect((await ask('?page=2&words=a,b')).body.page).toBe(2)
  expect(count()).toBe(2)
})

test('what is wrong stays wrong, also between two that are right', async () => {
  const { ask } = countingApp()
  for (const search of ['', '?page=1&page=2', '?words=a', '?page=1', '', '?page=1&page=2']) {
    const { status, body } = await ask(search)
    expect([search, status]).toEqual([search, search === '?page=1' ? 200 : 400])
    if (status === 400) expect(body.code).toBe('invalid_request')
  }
})

test('of any number of queries each is answered with its own', async () => {
  const { ask } = countingApp()
  const pages = [...Array(200).keys(), ...Array(200).keys()]
  for (const page of pages) expect((await ask(`?page=${page}`)).body.page).toBe(page)
})

test('long ones are not kept', async () => {
  const { ask, count } = countingApp()
  const long = `?page=1&words=${'a'.repeat(3000)}`
  await ask(long)
  await ask(long)
  expect(count()).toBe(2)
})

test('nobody can change what the next one is given', async () => {
  const app = new Hono<AppEnv>().get(
    '/',
    validate('query', () => z.object({ words: z.string().transform((text) => text.split(',')) })),
    (c) => {
      const query = c.req.valid('query')
      expect(() => query.words.push('c')).toThrow(TypeError)
      expect(() => Object.assign(query, { words: [] })).toThrow(TypeError)
      return c.json(query)
    },
  )
  for (let time = 0; time < 2; time += 1) {
    const response = await app.request('/?words=a,b')
    expect(await response.json()).toEqual({ words: ['a', 'b'] })
  }
})
