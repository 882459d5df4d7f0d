import { afterEach, describe, expect, test } from 'bun:test'
import { Hono } from 'hono'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { AppError } from '../../src/errors.ts'
import type { AppEnv } from '../../src/http/app-env.ts'
import { toAppError } from '../../src/http/problem.ts'
import { MAX_UPLOAD_BYTES, type UploadTimes, uploadBodies } from '../../src/http/upload-bodies.ts'

const NEVER_MS = 3600_000

/** A server whose uploads take as long as they are told to; each is of somebody else unless it says whose it is. */
const startUploads = ({ canUpload = true, times = {} }: { canUpload?: boolean; times?: Partial<UploadTimes> } = {}) => {
  let running = 0
  let most = 0
  let people = 1000
  const gates: (() => void)[] = []
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      const permissions = { ...ALL_PERMISSIONS, upload: canUpload }
      c.set('viewer', {
        userId: Number(c.req.header('x-user') ?? ++people),
        username: 'a',
        role: canUpload ? 'admin' : 'user',
        permissions,
        libraryIds: null,
      })
      await next()
    })
    .use(uploadBodies('upload', { turnMs: NEVER_MS, bodyMs: NEVER_MS, ...times }))
    .post('/', async (c) => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => gates.push(resolve))
      running -= 1
      if (c.req.header('x-fails')) throw new AppError('invalid_request')
      return c.text(String((await c.req.arrayBuffer()).byteLength))
    })
    .onError((error, c) => c.text(toAppError(error).code, 500))
  const server = Bun.serve({ port: 0, fetch: (request) => app.fetch(request), maxRequestBodySize: MAX_UPLOAD_BYTES * 2 })
  const send = (body: BodyInit = 'x', headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(server.url, { method: 'POST', body, headers, ...(signal && { signal }) })
  const openNext = async (): Promise<void> => {
    while (gates.length === 0) await Bun.sleep(1)
    gates.shift()?.()
  }
  /** Announces more than it sends, and goes on with a byte now and then. Resolves with the status once there is an answer. */
  const trickle = (user: string, headers: string[] = ['Content-Length: 1000000']): Promise<string> => {
    const { promise: status, resolve, reject } = Promise.withResolvers<string>()
    const isChunked = headers.some((header) => header.includes('chunked'))
    const head = ['POST / HTTP/1.1', 'Host: media.example', `X-User: ${user}`, ...headers, '', ''].join('\r\n')
    let more: ReturnType<typeof setInterval>
    const end = (socket: Bun.Socket, text: string): void => {
      clearInterval(more)
      resolve(text.split(' ')[1] ?? text)
      socket.end()
    }
    const socket = {
      open: (opened: Bun.Socket) => {
        opened.write(head)
        more = setInterval(() => opened.write(isChunked ? '1\r\nx\r\n' : 'x'), 20)
      },
      data: (opened: Bun.Socket, bytes: Buffer) => end(opened, bytes.toString()),
      close: (closed: Bun.Socket) => end(closed, 'closed'),
    }
    Bun.connect({ hostname: server.hostname ?? '', port: server.port ?? 0, socket }).catch(reject)
    return status
  }
  return { send, trickle, openNext, waitingAtGate: () => gates.length, most: () => most, stop: () => server.stop(true) }
}

let uploads: ReturnType<typeof startUploads>
afterEach(() => uploads.stop())

test('somebody who may not upload waits for nobody and takes nobody’s turn', async () => {
  uploads = startUploads({ canUpload: false })
  const answers = Array.from({ length: 5 }, () => uploads.send())
  for (let count = 0; count < 4000 && uploads.waitingAtGate() < 5; count += 1) await Bun.sleep(5)
  expect(uploads.waitingAtGate()).toBe(5)
  for (const _ of answers) await uploads.openNext()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(200))
})

test('more uploads than can wait are refused with the time to come again', async () => {
  uploads = startUploads()
  const answers = Array.from({ length: 110 }, () => uploads.send())
  const refused = await Promise.race(answers)
  expect([refused.status, await refused.text()]).toEqual([500, 'unavailable'])
  for (let count = 0; count < 102; count += 1) await uploads.openNext()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(102)
})

test('one upload of each person is taken in, and the next ones wait up to a number, holding up nobody else', async () => {
  uploads = startUploads()
  const mine = Array.from({ length: 24 }, () => uploads.send('mine', { 'x-user': '1' }))
  const refused = await Promise.race(mine)
  expect([refused.status, await refused.text()]).toEqual([500, 'unavailable'])
  const another = uploads.send('other', { 'x-user': '2' })
  for (let count = 0; count < 400 && uploads.waitingAtGate() < 2; count += 1) await Bun.sleep(5)
  expect(uploads.waitingAtGate()).toBe(2)
  for (let count = 0; count < 22; count += 1) await uploads.openNext()
  expect((await another).status).toBe(200)
  expect((await Promise.all(mine)).map(({ status }) => status).filter((status) => status === 200)).toHaveLength(21)
})

test('uploads that were given up while they waited are no longer waited for', async () => {
  uploads = startUploads()
  const gone = new AbortController()
  const first = uploads.send('first', { 'x-user': '1' })
  for (let count = 0; count < 400 && uploads.waitingAtGate() < 1; count += 1) await Bun.sleep(5)
  const left = Array.from({ length: 20 }, () => uploads.send('left', { 'x-user': '1' }, gone.signal))
  await Bun.sleep(100)
  gone.abort()
  await Promise.allSettled(left)
  await Bun.sleep(100)
  const next = uploads.send('next', { 'x-user': '1' })
  for (let count = 0; count < 2; count += 1) await uploads.openNext()
  expect([(await first).status, await (await next).text()]).toEqual([200, '4'])
})

describe('somebody who sends slowly', () => {
  test('gives the turn up to others after a while, and goes on', async () => {
    uploads = startUploads({ times: { turnMs: 200 } })
    let hasAnswer = false
    const slow = ['1', '2', '3'].map((user) => uploads.trickle(user).finally(() => (hasAnswer = true)))
    await Bun.sleep(50)
    const quick = uploads.send('quick', { 'x-user': '4' })
    await uploads.openNext()
    expect(await (await quick).text()).toBe('5')
    expect(hasAnswer).toBe(false)
    uploads.stop()
    await Promise.all(slow)
  })
  test('cannot begin another upload meanwhile', async () => {
    uploads = startUploads({ times: { turnMs: 50 } })
    const slow = uploads.trickle('1')
    await Bun.sleep(100)
    const next = uploads.send('next', { 'x-user': '1' })
    await Bun.sleep(300)
    expect(uploads.waitingAtGate()).toBe(0)
    uploads.stop()
    await Promise.allSettled([slow, next])
  })
  for (const header of ['Content-Length: 1000000', 'Transfer-Encoding: chunked'])
    test(`is told in the end that it took too long (${header})`, async () => {
      uploads = startUploads({ times: { turnMs: 50, bodyMs: 400 } })
      const slow = uploads.trickle('1', [header])
      await Bun.sleep(100)
      const next = uploads.send('next', { 'x-user': '1' })
      expect(await slow).toBe('500')
      await uploads.openNext()
      expect(await (await next).text()).toBe('4')
    })
  test('is not the one whose file takes long to be dealt with', async () => {
    uploads = startUploads({ times: { turnMs: 50, bodyMs: 100 } })
    const upload = uploads.send('whole')
    await Bun.sleep(400)
    await uploads.openNext()
    expect(await (await upload).text()).toBe('5')
  })
})

test('two are taken in at a time, and the next one after each, whether it ends well or not', async () => {
  uploads = startUploads()
  const answers = Array.from({ length: 7 }, (_, number) => uploads.send('body', number % 2 === 0 ? { 'x-fails': '1' } : {}))
  for (const _ of answers) {
    await Bun.sleep(10)
    expect(uploads.waitingAtGate()).toBeLessThanOrEqual(2)
    await uploads.openNext()
  }
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()))
  expect(texts.toSorted()).toEqual(['4', '4', '4', ...Array(4).fill('invalid_request')].toSorted())
  expect(uploads.most()).toBe(2)
})

test('a body above the limit is refused, announced or in chunks, and gives its turn back', async () => {
  uploads = startUploads()
  const large = Buffer.alloc(MAX_UPLOAD_BYTES + 1)
  const inChunks = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(large)
        controller.close()
      },
    })
  for (const body of [large, inChunks(), large, inChunks()]) {
    const answer = await uploads.send(body)
    expect(await answer.text()).toBe('too_large')
  }
  const last = uploads.send(Buffer.alloc(MAX_UPLOAD_BYTES))
  await uploads.openNext()
  expect(await (await last).text()).toBe(String(MAX_UPLOAD_BYTES))
})
