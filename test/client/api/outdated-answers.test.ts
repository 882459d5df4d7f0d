import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { InfiniteQueryObserver, QueryObserver } = await import('@tanstack/solid-query')
const { renewOutdatedAnswers } = await import('../../../client/src/api/outdated-answers.ts')
const { createQueryClient } = await import('../../../client/src/api/query-client.ts')

const KEY = ['tags']

/** A server whose answers wait, each with what was so when it was asked. */
const createServer = () => {
  const waiting: { answer: () => void; lose: () => void }[] = []
  const server = {
    content: 'before',
    waiting,
    ask: () => {
      const { content } = server
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      waiting.push({ answer: () => resolve(content), lose: () => reject(new Error('lost')) })
      return promise
    },
  }
  return server
}

/** Whatever follows by itself from what has been done. */
const settle = () => Bun.sleep(0)

const openScreen = (isPaged: boolean) => {
  const client = createQueryClient()
  renewOutdatedAnswers(client)
  const server = createServer()
  const options = { queryKey: KEY, queryFn: server.ask, retry: false }
  const observer: { subscribe: (listener: () => void) => () => void } = isPaged
    ? new InfiniteQueryObserver(client, { ...options, initialPageParam: 0, getNextPageParam: () => undefined })
    : new QueryObserver(client, options)
  const leave = observer.subscribe(() => undefined)
  const shown = () => JSON.stringify(client.getQueryData(KEY) ?? null)
  return { client, server, leave, shown }
}

test.each([false, true])('a first answer from before a change is asked for again: paged %p', async (isPaged) => {
  const { client, server, shown } = openScreen(isPaged)
  server.content = 'after'
  void client.invalidateQueries({ queryKey: KEY })
  void client.invalidateQueries({ queryKey: KEY })
  server.waiting[0]?.answer()
  await settle()
  expect(shown()).toContain('before')
  expect(server.waiting).toHaveLength(2)
  server.waiting[1]?.answer()
  await settle()
  expect(shown()).toContain('after')
  expect(server.waiting).toHaveLength(2)
})

test('nothing is asked for twice where nothing changed', async () => {
  const { server, shown } = openScreen(false)
  server.waiting[0]?.answer()
  await settle()
  expect(shown()).toContain('before')
  expect(server.waiting).toHaveLength(1)
})

test('where its screen was left meanwhile, it is asked for again by the next one, and not before', async () => {
  const { client, server, leave, shown } = openScreen(false)
  leave()
  server.content = 'after'
  void client.invalidateQueries({ queryKey: KEY })
  server.waiting[0]?.answer()
  await settle()
  expect(server.waiting).toHaveLength(1)
  new QueryObserver(client, { queryKey: KEY, queryFn: server.ask }).subscribe(() => undefined)
  server.waiting[1]?.answer()
  await settle()
  expect(shown()).toContain('after')
})

test('one that failed is not asked for by itself, and what comes later is up to date', async () => {
  const { client, server, shown } = openScreen(false)
  server.content = 'after'
  void client.invalidateQueries({ queryKey: KEY })
  server.waiting[0]?.lose()
  await settle()
  expect(server.waiting).toHaveLength(1)
  void client.refetchQueries({ queryKey: KEY })
  server.waiting[1]?.answer()
  await settle()
  expect(shown()).toContain('after')
})
