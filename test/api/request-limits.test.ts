import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { multipart } from '../support/multipart.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { startServer, waitFor } from '../support/test-server.ts'

/** SECURITY, 3.7. */
const UPLOADS_PER_MINUTE = 60
const DELETIONS_PER_MINUTE = 30
const AI_JOBS_PER_MINUTE = 120
const ZIPS_AT_ONCE = 2

setDefaultTimeout(60_000)
const RELEASE_LIMIT_MS = 10_000
/** More than sockets hold on the way to a reader that does not read. */
const LARGE_BYTES = 200 * 1024 * 1024

const films = Array.from({ length: DELETIONS_PER_MINUTE + 3 }, (_, index) => `Film ${index} (2000)`)

let scene: ScanScene
beforeAll(async () => {
  scene = await startScene({
    movies: Object.fromEntries(films.map((name) => [name, { 'film.mkv': 1 }])),
    mixed: { 'page.png': 9, 'note.txt': 9 },
    games: { Mac: { 'Mac.app/Contents/data.bin': LARGE_BYTES, 'win.zip': 9 } },
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

const game = (): string => `game:${scene.idOf('games')}:Mac`
const film = (index: number): string => `movie:${scene.idOf('movies')}:${films[index]}`

const expectRefusal = (answer: { status: number; headers: Headers; body: Json }): void => {
  expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited'])
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(60)
}

const answerOf = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as Json,
})

describe('uploads', () => {
  const upload = async (client: HttpClient) => {
    const form = multipart([
      { name: 'itemKey', content: game() },
      { name: 'kind', content: 'cover' },
      { name: 'file', content: 'no picture', fileName: 'a.png' },
    ])
    return answerOf(await client.fetch('/api/game-cover', { method: 'POST', ...form }))
  }

  test(`of one person are ${UPLOADS_PER_MINUTE} a minute, those that fail among them`, async () => {
    const [person, other] = [await scene.server.as('uploader'), await scene.server.as('another')]
    for (let count = 0; count < UPLOADS_PER_MINUTE; count += 1) expect((await upload(person)).status).toBe(400)
    expectRefusal(await upload(person))
    expectRefusal(await person.delete('/api/game-screenshots', { itemKey: game(), name: 'shot-1.jpg' }))
    expect((await person.get('/api/game-screenshots', { itemKey: game() })).status).toBe(200)
    expect((await upload(other)).status).toBe(400)
  })

  test('of an administrator are not counted', async () => {
    for (let count = 0; count <= UPLOADS_PER_MINUTE; count += 1) expect((await upload(scene.admin)).status).toBe(400)
  })
})

describe('deletions', () => {
  test(`of one person are ${DELETIONS_PER_MINUTE} a minute, and what is refused is not counted`, async () => {
    const spec = { permissions: { delete: true } }
    const [person, other] = [await scene.server.as('remover', spec), await scene.server.as('second', spec)]
    for (let count = 0; count <= DELETIONS_PER_MINUTE; count += 1)
      expect((await person.delete('/api/items', { itemKey: game() })).status).toBe(400)
    for (let index = 0; index < DELETIONS_PER_MINUTE; index += 1)
      expect((await person.delete('/api/items', { itemKey: film(index) })).status).toBe(204)
    expectRefusal(await person.delete('/api/items', { itemKey: film(DELETIONS_PER_MINUTE) }))
    expectRefusal(await person.delete('/api/trash/1'))
    expect(existsSync(join(scene.rootOf('movies'), films[DELETIONS_PER_MINUTE] ?? ''))).toBe(true)
    expect((await person.get('/api/items/delete-plan', { itemKey: film(DELETIONS_PER_MINUTE) })).status).toBe(200)
    expect((await other.delete('/api/items', { itemKey: film(DELETIONS_PER_MINUTE) })).status).toBe(204)
  })
})

describe('AI jobs', () => {
  const extract = (client: HttpClient, path: string) =>
    client.post('/api/ai-tagging/extract', { itemKey: `mixed_file:${scene.idOf('mixed')}:${path}` })

  test(`of one person are ${AI_JOBS_PER_MINUTE} a minute, and what is refused is not counted; those of an administrator are not`, async () => {
    await scene.admin.post('/api/ai-tagging/queue', { paused: true })
    const spec = { permissions: { useAi: true } }
    const [person, other] = [await scene.server.as('asker', spec), await scene.server.as('second asker', spec)]
    expect((await extract(person, 'note.txt')).status).toBe(422)
    for (const client of [person, scene.admin])
      for (let count = 0; count < AI_JOBS_PER_MINUTE; count += 1) expect((await extract(client, 'page.png')).status).toBe(202)
    expectRefusal(await extract(person, 'page.png'))
    for (const client of [other, scene.admin]) expect((await extract(client, 'page.png')).status).toBe(202)
  })
})

describe('applications that are zipped', () => {
  const path = (file: string): string => `/api/game-archive?${new URLSearchParams({ itemKey: game(), file })}`
  /** Begins a download and reads no more of it. */
  const begin = async (client: HttpClient) => {
    const stop = new AbortController()
    const response = await client.fetch(path('Mac.app'), { signal: stop.signal })
    return { response, stop: () => stop.abort() }
  }

  test(`for one person are ${ZIPS_AT_ONCE} at once; whoever is done or gone makes room`, async () => {
    const [person, other] = [await scene.server.as('player'), await scene.server.as('neighbour')]
    const running = [await begin(person), await begin(person)]
    expect(running.map(({ response }) => response.status)).toEqual([200, 200])
    expectRefusal(await answerOf((await begin(person)).response))
    expect((await person.fetch(path('Mac.app'), { method: 'HEAD' })).status).toBe(429)
    expect(await (await person.fetch(path('win.zip'))).text()).toHaveLength(9)
    const others = await begin(other)
    expect(others.response.status).toBe(200)
    running.pop()?.stop()
    const next = await waitFor(
      async () => {
        const begun = await begin(person)
        return begun.response.status === 200 ? begun : undefined
      },
      RELEASE_LIMIT_MS,
      () => 'The place was not given back',
    )
    expect((await begin(person)).response.status).toBe(429)
    for (const { stop } of [...running, others, next]) stop()
    // A whole one gives its place back as well, and so does a look at its length.
    const [first, second] = await waitFor(
      async () => {
        const heads = [await person.fetch(path('Mac.app'), { method: 'HEAD' }), await person.fetch(path('Mac.app'), { method: 'HEAD' })]
        return heads.every(({ status }) => status === 200) ? heads : undefined
      },
      RELEASE_LIMIT_MS,
      () => 'The places were not given back',
    )
    expect([first?.status, second?.status]).toEqual([200, 200])
    for (let count = 0; count <= ZIPS_AT_ONCE; count += 1) {
      const whole = await person.fetch(path('Mac.app'))
      expect([whole.status, (await whole.arrayBuffer()).byteLength > LARGE_BYTES]).toEqual([200, true])
    }
  })

  test('take no place for somebody who goes before the answer has begun', async () => {
    const person = await scene.server.as('hasty')
    const tries = Array.from({ length: 60 }, async (_, index) => {
      const stop = new AbortController()
      const answer = person.fetch(path('Mac.app'), { signal: stop.signal }).then(
        (response) => response.body?.cancel(),
        () => undefined,
      )
      await Bun.sleep(index % 12)
      stop.abort()
      await answer
    })
    await Promise.allSettled(tries)
    const places = await waitFor(
      async () => {
        const begun = [await begin(person), await begin(person)]
        if (begun.every(({ response }) => response.status === 200)) return begun
        for (const { stop } of begun) stop()
        return undefined
      },
      RELEASE_LIMIT_MS,
      () => 'Places were not given back',
    )
    for (const { stop } of places) stop()
  })

  test('for an administrator are not counted', async () => {
    const running = await Promise.all([1, 2, 3, 4].map(() => begin(scene.admin)))
    expect(running.map(({ response }) => response.status)).toEqual([200, 200, 200, 200])
    for (const { stop } of running) stop()
  })
})

test('a body whose sender goes away in the middle is no error of the server', async () => {
  await using server = await startServer()
  const admin = await server.as('admin')
  const { hostname, port, host } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  const head = ['POST /api/tags/import HTTP/1.1', `Host: ${host}`, `Cookie: ${admin.cookies()}`, 'Content-Type: application/json']
  socket.write(`${head.join('\r\n')}\r\nContent-Length: 1000\r\n\r\n{"categories": [`)
  await admin.get('/api/tags/categories')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.destroy()
  await closed
  expect((await admin.get('/api/tags/categories')).body).toEqual({ categories: [] })
  await server.stop()
  expect(server.output()).not.toContain('"level":"error"')
})
