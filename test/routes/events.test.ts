import { expect, test } from 'bun:test'
import { replaceGlobals } from '../support/replaced-globals.ts'
import { startTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/test-server.ts'

const EVENTS = 20_000
const KEEP_ALIVE_MS = 20_000

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

/** What another server changes in the database, nobody tells this one. */
const CHANGES: [what: string, sql: string][] = [
  ['is disabled', "UPDATE users SET disabled = 1 WHERE username = 'listener'"],
  ['may not see a library any more', "UPDATE users SET all_libraries = 0 WHERE username = 'listener'"],
  ['is signed out', "DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = 'listener')"],
]
for (const [what, sql] of CHANGES)
  test(`whoever ${what} at another server is told nothing soon`, async () => {
    const { setTimeout: real } = globalThis
    const sooner = (work: () => void, ms = 0) => real(work, ms === KEEP_ALIVE_MS ? KEEP_ALIVE_MS / 200 : ms)
    const putBack = replaceGlobals({ setTimeout: sooner })
    try {
      await using app = await startTestApp()
      const listener = await app.as('listener')
      const reader = (await listener.fetch('/api/events')).body?.getReader()
      // As long as nothing has changed it goes on.
      for (let pings = 0; pings < 3; pings++) expect((await reader?.read())?.done).toBe(false)
      await app.database.client.execute(sql)
      const isOver = async (): Promise<true | undefined> => (await reader?.read())?.done || undefined
      await waitFor(isOver, 10_000, () => 'The stream went on')
    } finally {
      putBack()
    }
  })
