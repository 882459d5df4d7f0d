import { expect, test } from 'bun:test'
import { startTestApp } from '../support/test-app.ts'

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
