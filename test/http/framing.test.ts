import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import type { HttpClient } from '../support/http-client.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** SECURITY.md, S17: what two readers of one connection could take for different requests is refused, and nothing is done. */

const BODY = '{"name":"smuggled"}'
const EVIL = 'http://evil.example'

let server: TestServer
let admin: HttpClient
beforeAll(async () => {
  server = await startServer()
  admin = await server.as('admin')
})
afterAll(() => server.stop())

/** Sends these lines with the administrator's cookie, and answers the status. */
const statusOf = (lines: readonly string[], body = BODY): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const [target = '', ...headers] = lines
  socket.on('error', reject)
  socket.on('data', (data) => {
    socket.destroy()
    resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(data.toString())?.[1]))
  })
  socket.write(
    [`POST ${target} HTTP/1.1`, ...headers, `Cookie: ${admin.cookies()}`, 'Content-Type: application/json', '', body].join('\r\n'),
  )
  return promise
}

const PATH = '/api/tags/categories'
const HOST = 'Host: media.example'
const LENGTH = `Content-Length: ${BODY.length}`

const shapes: [what: string, status: number, lines: string[], body?: string][] = [
  ['no host', 400, [PATH, LENGTH]],
  ['a length beside chunks', 400, [PATH, HOST, LENGTH, 'Transfer-Encoding: chunked'], `13\r\n${BODY}\r\n0\r\n\r\n`],
  ['two lengths', 400, [PATH, HOST, LENGTH, 'Content-Length: 0']],
  ['a negative length', 400, [PATH, HOST, 'Content-Length: -1']],
  ['a length that is no number', 400, [PATH, HOST, `Content-Length: ${BODY.length}, 0`]],
  ['a folded line', 400, [PATH, HOST, LENGTH, 'X-Folded: a', ' b']],
  ['a blank before the colon', 400, [PATH, HOST, `Content-Length : ${BODY.length}`]],
  ['a target that names the foreign page', 403, [`${EVIL}${PATH}`, HOST, LENGTH, `Origin: ${EVIL}`]],
  ['a second host that is the foreign page', 403, [PATH, HOST, 'Host: evil.example', LENGTH, `Origin: ${EVIL}`]],
  ['a first host that is the foreign page', 403, [PATH, 'Host: evil.example', HOST, LENGTH, `Origin: ${EVIL}`]],
  ['a forwarded host that is the foreign page', 403, [PATH, HOST, 'X-Forwarded-Host: evil.example', LENGTH, `Origin: ${EVIL}`]],
]
for (const [what, status, lines, body] of shapes)
  test(what, async () => {
    expect(await statusOf(lines, body)).toBe(status)
    expect((await admin.get(PATH)).body.categories).toEqual([])
  })

test('the same request in one meaning is taken', async () => {
  expect(await statusOf([PATH, HOST, LENGTH, 'Origin: http://media.example'])).toBe(201)
})
