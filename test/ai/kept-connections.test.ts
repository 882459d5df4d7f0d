import { afterEach, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { requestEndpoint } from '../../src/ai/endpoint-request.ts'

/** Connections to an endpoint are kept for the next question; one that was closed meanwhile is no fault of the endpoint. */

interface Kept {
  url: string
  connections: () => number
  requests: () => number
}

let server: Server | undefined
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
})

/** `onRequest`: whether the request of that number on its connection is answered; otherwise the connection breaks. */
const startServer = async (isAnswered: (request: { onConnection: number; all: number }) => boolean): Promise<Kept> => {
  let connections = 0
  let all = 0
  const started = createServer((socket) => {
    connections += 1
    let onConnection = 0
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!received.endsWith('\r\n\r\n{}')) return
      received = ''
      onConnection += 1
      all += 1
      if (!isAnswered({ onConnection, all })) return void socket.resetAndDestroy()
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
    })
  })
  server = started
  await new Promise<void>((resolve) => void started.listen(0, '127.0.0.1', () => resolve()))
  const address = started.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return { url: `http://127.0.0.1:${address.port}/v1`, connections: () => connections, requests: () => all }
}

const ask = ({ url }: Kept): Promise<string> =>
  requestEndpoint({ url, apiKey: null, timeoutSeconds: 5 }, { path: 'chat/completions', body: '{}' }, new AbortController().signal).then(
    ({ text }) => text,
    (error: unknown) => String(error),
  )

test('several questions in a row go over one connection', async () => {
  const kept = await startServer(() => true)
  for (let time = 0; time < 4; time++) expect(await ask(kept)).toBe('{}')
  expect(kept.connections()).toBe(1)
})

test('what a kept connection broke off under is asked again on a new one', async () => {
  const kept = await startServer(({ onConnection }) => onConnection === 1)
  for (let time = 0; time < 3; time++) expect(await ask(kept)).toBe('{}')
  expect(kept.connections()).toBeGreaterThan(1)
})

test('what an endpoint breaks off that has never answered is asked once', async () => {
  const kept = await startServer(() => false)
  expect(await ask(kept)).toContain('The connection to the endpoint broke')
  expect(kept.requests()).toBe(1)
})

test('an endpoint that has answered and breaks off now is asked twice and not for ever', async () => {
  const kept = await startServer(({ all }) => all === 1)
  expect(await ask(kept)).toBe('{}')
  expect(await ask(kept)).toContain('The connection to the endpoint broke')
  expect(kept.requests()).toBe(3)
})
