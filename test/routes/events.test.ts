import { expect, test } from 'bun:test'
import { startTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/test-server.ts'

const EVENTS = 20_000

test('whoever asks for the head alone is told nothing from then on', async () => {
  await using app = await startTestApp()
  const admin = await app.as('admin')
  const { subscribe } = app.deps.events
  let listening = 0
  app.deps.events.subscribe = (...listener) => {
    listening += 1
    return subscribe(...listener)
  }
  const { status, headers } = await admin.fetch('/api/events', { method: 'HEAD' })
  expect([status, headers.get('content-type'), listening]).toEqual([200, 'text/event-stream', 0])
})

test('whoever does not read what is told is let go, before it fills the memory', async () => {
  await using app = await startTestApp()
  const admin = await app.as('admin')
  const { body } = await admin.fetch('/api/events')
  const reader = body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  for (let event = 0; event < EVENTS; event += 1) app.deps.events.emit({ type: 'library', libraryId: event })
  const decoder = new TextDecoder()
  let text = ''
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) text += decoder.decode(chunk.value)
  const told = text.match(/^event: library$/gm)?.length ?? 0
  expect(told).toBeLessThan(EVENTS)
})

test('one person listens twenty times at most, and again once a connection has ended', async () => {
  await using app = await startTestApp()
  const admin = await app.as('admin')
  const listen = async (): Promise<Response> => await admin.fetch('/api/events')
  const streams = await Promise.all(Array.from({ length: 20 }, listen))
  expect(streams.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
  const refused = await listen()
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true])
  const other = await app.as('somebody')
  expect((await other.fetch('/api/events')).status).toBe(200)
  await streams[0]?.body?.cancel()
  const isHeard = async (): Promise<true | undefined> => (await listen()).status === 200 || undefined
  await waitFor(isHeard, 60_000, () => 'The place was not given back')
})
