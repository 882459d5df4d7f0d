import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { startServer, type TestServer } from '../support/test-server.ts'

setDefaultTimeout(60_000)

/** More than sockets hold on the way to somebody who does not read. */
const LENGTH = 24 * 1024 * 1024

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

interface Exchange {
  answer: string
  sentBytes: number
}

/** As nginx sends it unless it is told otherwise: in HTTP/1.0, on a connection that is closed afterwards. It tells its client of a bad gateway where not all is taken. */
const send = async (path: string, { headers = [], bodyBytes = LENGTH }: { headers?: string[]; bodyBytes?: number }): Promise<Exchange> => {
  const closed = Promise.withResolvers<void>()
  const lines = [`POST ${path} HTTP/1.0`, 'Host: media.example', 'Connection: close', `Content-Length: ${LENGTH}`, ...headers]
  const rest = Buffer.concat([Buffer.from([...lines, '', ''].join('\r\n')), Buffer.alloc(bodyBytes, ' ')])
  let sentBytes = 0
  let answer = ''
  const sendMore = (socket: Bun.Socket): void => {
    // A socket that is closed takes nothing, or says -1.
    sentBytes += Math.max(0, socket.write(rest.subarray(sentBytes)))
  }
  await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(server.url).port),
    socket: {
      open: sendMore,
      drain: sendMore,
      data: (_, bytes) => {
        answer += bytes.toString()
      },
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  })
  await closed.promise
  return { answer, sentBytes: sentBytes - (rest.length - bodyBytes) }
}

const refusals: [what: string, path: string, headers: string[], status: number, code: string][] = [
  ['of nobody', '/api/game-cover', ['Content-Type: multipart/form-data; boundary=x'], 401, 'not_signed_in'],
  ['that a foreign page sends', '/api/game-cover', ['Origin: http://evil.example'], 403, 'foreign_origin'],
  ['that is too large', '/api/auth/login', ['Content-Type: application/json'], 413, 'too_large'],
  ['to where there is nothing', '/nowhere', [], 404, 'not_found'],
]
for (const [what, path, headers, status, code] of refusals)
  test(`an upload ${what} is read to its end, so that a proxy in front hears why it is refused`, async () => {
    const { answer, sentBytes } = await send(path, { headers })
    expect(sentBytes).toBe(LENGTH)
    expect(answer).toStartWith(`HTTP/1.1 ${status} `)
    expect(answer).toContain(`"code":"${code}"`)
  })

test('whoever does not send what they have announced is waited for some seconds and no longer', async () => {
  const started = performance.now()
  const { answer } = await send('/api/game-cover', { bodyBytes: 1024 })
  expect(answer).toContain('"code":"not_signed_in"')
  expect(performance.now() - started).toBeLessThan(10_000)
})
