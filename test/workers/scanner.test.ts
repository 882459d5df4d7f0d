import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partialHash } from '../../src/media/content-hash.ts'
import type { HashAnswer, HashRequest, ScanAcknowledgement, ScanMessage, ScanRequest } from '../../src/workers/protocol.ts'
import { link, makeTree, type Tree } from '../support/library-tree.ts'

type Answer = ScanMessage | HashAnswer

let base = ''
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'vitrine-scanner-'))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const workers: Worker[] = []
afterEach(() => {
  for (const worker of workers.splice(0)) worker.terminate()
})

let count = 0
const makeRoot = (tree: Tree): string => makeTree(join(base, `root-${++count}`), tree)

/** A scanner thread whose messages are read one after the other. */
const startScanner = () => {
  const worker = new Worker(new URL('../../src/workers/scanner.ts', import.meta.url))
  workers.push(worker)
  const queue: Answer[] = []
  let wake: (() => void) | undefined
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    queue.push(data)
    wake?.()
  }
  const next = async (): Promise<Answer> => {
    for (;;) {
      const message = queue.shift()
      if (message) return message
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const send = (message: ScanRequest | ScanAcknowledgement | HashRequest | object): void => worker.postMessage(message)
  /** Acknowledges everything until the scan ends. */
  const untilEnd = async (): Promise<Answer[]> => {
    const messages: Answer[] = []
    for (;;) {
      const message = await next()
      messages.push(message)
      if (message.type === 'units') send({ type: 'ack' })
      else return messages
    }
  }
  /** Waits for so many messages, and then whether more come. */
  const settled = async (many: number): Promise<string[]> => {
    while (queue.length < many) await Bun.sleep(5)
    await Bun.sleep(100)
    return queue.map((message) => message.type)
  }
  return { send, next, untilEnd, settled }
}

const request = (root: string, changes: Partial<ScanRequest> = {}): ScanRequest => ({
  type: 'scan',
  libraryId: 1,
  libraryType: 'mixed',
  root,
  paths: null,
  knownSignatures: {},
  asColumns: false,
  batchSize: 2,
  ...changes,
})

const folders = (many: number): Tree => Object.fromEntries(Array.from({ length: many }, (_, index) => [`${index}/a.jpg`, 1]))

test('a request that is not well formed is answered as a failure, noise is not answered', async () => {
  const { send, next } = startScanner()
  send({ type: 'nonsense' })
  send({ type: 'ack' })
  for (const wrong of [
    { libraryType: 'music' },
    { paths: 'a' },
    { paths: [1] },
    { root: 'relative' },
    { batchSize: 0 },
    { asColumns: 1 },
    { knownSignatures: null },
  ]) {
    send({ ...request('/'), ...wrong })
    expect(await next()).toMatchObject({ type: 'failed', code: 'scanner_failed' })
  }
  send({ type: 'hash', id: 1, root: '/', paths: 'a' })
  expect(await next()).toMatchObject({ type: 'failed', code: 'scanner_failed' })
})

test('a root that is not there is a failed scan, and the thread lives on', async () => {
  const { send, next, untilEnd } = startScanner()
  send(request(join(base, 'nowhere')))
  expect(await next()).toMatchObject({ type: 'failed', code: 'root_unavailable' })
  send(request(makeRoot({ 'a.jpg': 1 })))
  expect((await untilEnd()).at(-1)).toMatchObject({ type: 'done', foundItems: 1 })
})

test('a scan is batches of units and then the end', async () => {
  const { send, untilEnd } = startScanner()
  send(request(makeRoot({ 'a.jpg': 1, 'sub/b.jpg': 2, 'sub/c.jpg': 3, 'sub/deep/d.mp4': 4 })))
  const messages = await untilEnd()
  const units = messages.flatMap((message) => (message.type === 'units' ? message.units : []))
  expect(units.map(({ path, items }) => [path, items.map((item) => item.title)])).toEqual([
    ['', ['a.jpg']],
    ['sub', ['b.jpg', 'c.jpg']],
    ['sub/deep', ['d.mp4']],
  ])
  expect(messages.at(-1)).toEqual({ type: 'done', rootIsEmpty: false, unreadable: [], ownData: [], foundItems: 4 })
})

test('a rescan with the signatures of the last one only counts', async () => {
  const root = makeRoot({ 'Alien/a.mkv': 1, 'Aliens/b.mkv': 1 })
  const { send, untilEnd } = startScanner()
  send(request(root, { libraryType: 'movies' }))
  const units = (await untilEnd()).flatMap((message) => (message.type === 'units' ? message.units : []))
  const knownSignatures = Object.fromEntries(units.map(({ path, signature }) => [path, signature ?? '']))
  writeFileSync(join(root, 'Aliens/poster.jpg'), 'x')
  send(request(root, { libraryType: 'movies', knownSignatures }))
  const [first, last] = await untilEnd()
  expect(first).toMatchObject({ type: 'units', unchanged: ['Alien'], units: [{ path: 'Aliens' }] })
  expect(last).toMatchObject({ type: 'done', foundItems: 2 })
})

/** As many as the thread sends before it waits. */
const UNDER_WAY = 16

test('no more than sixteen batches are under way without an acknowledgement', async () => {
  const { send, settled, next, untilEnd } = startScanner()
  const all = Array.from({ length: UNDER_WAY }, () => 'units')
  send(request(makeRoot(folders(48))))
  expect(await settled(UNDER_WAY)).toEqual(all)
  await next()
  send({ type: 'ack' })
  expect(await settled(UNDER_WAY)).toEqual(all)
  await next()
  send({ type: 'ack' })
  const rest = await untilEnd()
  expect(rest.at(-1)).toMatchObject({ type: 'done', foundItems: 48 })
})

test('a second scan at the same time is refused, and the first goes on', async () => {
  const { send, next, untilEnd } = startScanner()
  const root = makeRoot(folders(48))
  send(request(root))
  for (let batch = 0; batch < UNDER_WAY; batch++) await next()
  send(request(root))
  expect(await next()).toMatchObject({ type: 'failed', code: 'scanner_failed' })
  for (let batch = 0; batch < UNDER_WAY; batch++) send({ type: 'ack' })
  expect((await untilEnd()).at(-1)).toMatchObject({ type: 'done', foundItems: 48 })
})

test('hashes come in the order asked, null for what is no file in the library', async () => {
  const outside = makeRoot({ 'secret.jpg': 9 })
  const root = makeRoot({
    'a.jpg': 'one',
    'sub/b.jpg': 'two',
    'inside.jpg': link('a.jpg'),
    'outside.jpg': link(join(outside, 'secret.jpg')),
  })
  const { send, next } = startScanner()
  const climbing = `../${outside.slice(base.length + 1)}/secret.jpg`
  send({ type: 'hash', id: 7, root, paths: ['sub/b.jpg', 'missing.jpg', 'sub', 'outside.jpg', climbing, 'a.jpg', 'inside.jpg'] })
  const [one, two] = [await partialHash(join(root, 'a.jpg')), await partialHash(join(root, 'sub/b.jpg'))]
  expect(await next()).toEqual({ type: 'hashes', id: 7, hashes: [two, null, null, null, null, one, one] })
})
