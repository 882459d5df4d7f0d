import { afterEach, expect, test } from 'bun:test'
import { Hono } from 'hono'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { AppError } from '../../src/errors.ts'
import type { AppEnv } from '../../src/http/app-env.ts'
import { toAppError } from '../../src/http/problem.ts'
import { MAX_UPLOAD_BYTES, uploadBodies } from '../../src/http/upload-bodies.ts'

/** A server whose uploads take as long as they are told to. */
const startUploads = (canUpload = true) => {
  let running = 0
  let most = 0
  const gates: (() => void)[] = []
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      const permissions = { ...ALL_PERMISSIONS, upload: canUpload }
      c.set('viewer', { userId: 1, username: 'a', role: canUpload ? 'admin' : 'user', permissions, libraryIds: null })
      await next()
    })
    .use(uploadBodies('upload'))
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
  const send = (body: BodyInit = 'x', headers: Record<string, string> = {}) => fetch(server.url, { method: 'POST', body, headers })
  const openNext = async (): Promise<void> => {
    while (gates.length === 0) await Bun.sleep(1)
    gates.shift()?.()
  }
  return { send, openNext, waitingAtGate: () => gates.length, most: () => most, stop: () => server.stop(true) }
}

let uploads: ReturnType<typeof startUploads>
afterEach(() => uploads.stop())

test('somebody who may not upload waits for nobody and takes nobody’s turn', async () => {
  uploads = startUploads(false)
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
