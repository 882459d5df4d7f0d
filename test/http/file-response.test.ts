import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, closeSync, openSync, readdirSync, readlinkSync, truncateSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { closingFiles, type SentFile } from '../../src/http/file-body.ts'
import { createFileSender } from '../../src/http/file-response.ts'
import { type OpenedFile, openInside } from '../../src/media/inside.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** Small files are read into memory, large ones handed over to Bun or sent as a stream, as their disk is: every rule holds for all. */
const SIZES = { 'small.bin': 5000, 'large.bin': 1_000_000, 'slow.bin': 1_000_000 } as const
const IN_MEMORY = 12 * 1024
const bytesOf = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 251))

let folder: TemporaryFolder
let server: ReturnType<typeof serve>
const sendFile = createFileSender()
/** Runs between the opening of a file and the answer. */
let meanwhile: (() => void) | undefined

const onSlowDisk = (file: OpenedFile): SentFile => ({
  ...file,
  device: 'slow',
  handle: {
    read: (...place) => Bun.sleep(50).then(() => file.handle.read(...place)),
    close: () => file.handle.close(),
  },
})

const respond = async (request: Request): Promise<Response> => {
  const url = new URL(request.url)
  const name = decodeURIComponent(url.pathname.slice(1))
  const opened = await openInside(folder.path, name)
  meanwhile?.()
  return sendFile(request, name.includes('slow') ? onSlowDisk(opened) : opened, {
    userId: 1,
    name,
    isDownload: url.searchParams.has('download'),
    isImmutable: url.searchParams.has('v'),
  }).catch((error: unknown) => new Response(String(error), { status: 503 }))
}

const serve = () => Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: closingFiles(respond) })

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(new URL(path, server.url), { headers, method })

const openDescriptors = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target.startsWith(folder.path) ? [target] : []
    } catch {
      return []
    }
  })

const untilClosed = async (): Promise<string[]> => {
  for (let wait = 0; wait < 1000 && openDescriptors().length > 0; wait += 1) await Bun.sleep(20)
  return openDescriptors()
}

beforeAll(async () => {
  folder = await temporaryFolder('file-response')
  for (const [name, size] of Object.entries(SIZES)) writeFileSync(join(folder.path, name), bytesOf(size))
  writeFileSync(join(folder.path, 'empty.txt'), '')
  server = serve()
})
afterAll(async () => {
  await server.stop(true)
  await folder.remove()
})

describe.each(Object.entries(SIZES))('%s', (name, size) => {
  const content = bytesOf(size)
  /** No length can be announced of a stream. */
  const announced = (bytes: number): string | null => (name === 'slow.bin' && bytes > IN_MEMORY ? null : String(bytes))

  test.each(['bytes=SIZE-', 'bytes=9999999999-', `bytes=${'9'.repeat(400)}-`, 'bytes=-0'])('%s lies outside', async (header) => {
    const answer = await get(name, { Range: header.replace('SIZE', String(size)) })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
    expect(await answer.json()).toMatchObject({ status: 416, code: 'range_not_satisfiable' })
    const head = await get(name, { Range: header.replace('SIZE', String(size)) }, 'HEAD')
    expect([head.status, head.headers.get('content-range'), await head.text()]).toEqual([416, `bytes */${size}`, ''])
  })

  test.each(['bytes=0-0,5-5', 'bytes=0-,0-,0-', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'items=0-5', 'bytes 0-5', '0-5', 'bytes=0x1-5'])(
    '%s is no single range, so the whole file is sent',
    async (header) => {
      const answer = await get(name, { Range: header })
      expect([answer.status, answer.headers.get('content-range'), answer.headers.get('content-length')]).toEqual([
        200,
        null,
        announced(size),
      ])
      expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    },
  )

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['BYTES=100-199', 100, 200],
    ['bytes=4000-', 4000, size],
    ['bytes=-1', size - 1, size],
    ['bytes=-700', size - 700, size],
    [`bytes=-${size + 5}`, 0, size],
    [`bytes=0-${size - 1}`, 0, size],
    [`bytes=0-${'9'.repeat(30)}`, 0, size],
    [`bytes=${size - 1}-${size + 99}`, size - 1, size],
  ])('%s is sent as asked', async (header, start, end) => {
    const answer = await get(name, { Range: header })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/${size}`])
    expect(answer.headers.get('content-length')).toBe(announced(end - start))
    expect(Buffer.from(await answer.arrayBuffer()).equals(content.subarray(start, end))).toBe(true)
  })

  test('a range of another version is not mixed in: If-Range that does not match gives the whole file', async () => {
    const { etag = '', 'last-modified': date = '' } = (await get(name, {}, 'HEAD')).headers.toJSON()
    const stale = ['"other"', `W/${etag}`, 'Tue, 01 Jan 2019 00:00:00 GMT', 'Tue, 01 Jan 2069 00:00:00 GMT', 'nonsense']
    for (const condition of stale) {
      const answer = await get(name, { Range: 'bytes=0-99', 'If-Range': condition })
      expect([condition, answer.status, answer.headers.get('content-range')]).toEqual([condition, 200, null])
      expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    }
    for (const condition of [etag, date]) {
      const answer = await get(name, { Range: 'bytes=0-99', 'If-Range': condition })
      expect([condition, answer.status, (await answer.bytes()).length]).toEqual([condition, 206, 100])
    }
  })

  test('what another version is asked of is refused before all else (RFC 9110, 13.2.2)', async () => {
    const { etag = '', 'last-modified': date = '' } = (await get(name, {}, 'HEAD')).headers.toJSON()
    const other: Record<string, string>[] = [
      { 'If-Match': '"other"' },
      { 'If-Match': `W/${etag}` },
      { 'If-Match': '"other", "another"', 'If-Unmodified-Since': date },
      { 'If-Match': '"other"', 'If-None-Match': etag },
      { 'If-Unmodified-Since': 'Tue, 01 Jan 2019 00:00:00 GMT' },
    ]
    for (const headers of other)
      for (const range of ['bytes=4000-', `bytes=${size}-`]) {
        const answer = await get(name, { ...headers, Range: range })
        expect([headers, answer.status, answer.headers.get('etag')]).toEqual([headers, 412, etag])
        expect(await answer.json()).toMatchObject({ status: 412, code: 'precondition_failed' })
        expect((await get(name, { ...headers, Range: range }, 'HEAD')).status).toBe(412)
      }
    const same: Record<string, string>[] = [
      { 'If-Match': etag },
      { 'If-Match': ` "other" ,${etag}`, 'If-Unmodified-Since': 'Tue, 01 Jan 2019 00:00:00 GMT' },
      { 'If-Match': '*' },
      { 'If-Unmodified-Since': date },
      { 'If-Unmodified-Since': 'nonsense' },
    ]
    for (const headers of same) {
      const answer = await get(name, { ...headers, Range: 'bytes=4000-' })
      expect([headers, answer.status, (await answer.bytes()).length]).toEqual([headers, 206, size - 4000])
    }
    expect(await untilClosed()).toEqual([])
  })

  test('a version that the client has is not sent again', async () => {
    const { etag = '', 'last-modified': date = '' } = (await get(name, {}, 'HEAD')).headers.toJSON()
    const known: Record<string, string>[] = [
      { 'If-None-Match': etag },
      { 'If-None-Match': `"x", W/${etag}` },
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': date },
    ]
    for (const headers of known) {
      const answer = await get(name, { ...headers, Range: 'bytes=0-9' })
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, ''])
    }
    const unknown: Record<string, string>[] = [
      { 'If-None-Match': '"x"', 'If-Modified-Since': date },
      { 'If-Modified-Since': 'Tue, 01 Jan 2019 00:00:00 GMT' },
    ]
    for (const headers of unknown) expect((await get(name, headers, 'HEAD')).status).toBe(200)
  })

  test('HEAD tells what GET would', async () => {
    for (const headers of [{}, { Range: 'bytes=10-19' }] as Record<string, string>[]) {
      const [head, whole] = [await get(name, headers, 'HEAD'), await get(name, headers)]
      expect(await head.text()).toBe('')
      const told = ({ date, 'content-length': length, 'transfer-encoding': encoding, ...rest }: Record<string, string>) => rest
      expect([head.status, told(head.headers.toJSON())]).toEqual([whole.status, told(whole.headers.toJSON())])
      const { length } = await whole.bytes()
      expect(head.headers.get('content-length')).toBe(String(length))
      expect(whole.headers.get('content-length')).toBe(announced(length))
    }
  })

  test('another content of the same size within the same second is another version', async () => {
    const file = join(folder.path, `versions-${name}`)
    const etags = new Set<string | null>()
    for (const at of [1_700_000_000.1, 1_700_000_000.2]) {
      writeFileSync(file, content)
      utimesSync(file, at, at)
      etags.add((await get(`versions-${name}`, {}, 'HEAD')).headers.get('etag'))
    }
    expect(etags.size).toBe(2)
  })

  test('a file that grows after it was opened is sent with the length that it is announced with', async () => {
    const growing = `growing-${name}`
    writeFileSync(join(folder.path, growing), content)
    meanwhile = () => appendFileSync(join(folder.path, growing), 'more')
    const answers = [await get(growing), await get(growing, { Range: 'bytes=100-199' }), await get(growing, { Range: 'bytes=0-99' })]
    meanwhile = undefined
    expect(answers.map(({ status }) => status)).toEqual([200, 206, 206])
    const lengths = await Promise.all(answers.map(async (answer) => (await answer.bytes()).length))
    expect(answers.map(({ headers }) => headers.get('content-length'))).toEqual(lengths.map(announced))
  })
})

test('a small file that has shrunk since it was opened is not sent', async () => {
  writeFileSync(join(folder.path, 'shrinking.txt'), 'x'.repeat(100))
  meanwhile = () => truncateSync(join(folder.path, 'shrinking.txt'), 10)
  const answer = await get('shrinking.txt')
  meanwhile = undefined
  expect(answer.status).toBe(503)
})

test('an empty file is empty', async () => {
  const answer = await get('empty.txt')
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', ''])
  expect((await get('empty.txt', { Range: 'bytes=0-' })).status).toBe(416)
})

test('offsets beyond 4 GiB are exact', async () => {
  const file = join(folder.path, 'film.mkv')
  const descriptor = openSync(file, 'w')
  writeSync(descriptor, 'marker', 4_500_000_000)
  closeSync(descriptor)
  truncateSync(file, 5_000_000_000)
  const answer = await get('film.mkv', { Range: 'bytes=4499999999-4500100000' })
  expect(answer.headers.get('content-range')).toBe('bytes 4499999999-4500100000/5000000000')
  expect(new TextDecoder().decode((await answer.bytes()).subarray(0, 8))).toBe('\0marker\0')
})

describe('no descriptor is kept', () => {
  test('after 2,000 answers of every kind', async () => {
    const kinds: [string, Record<string, string>, string?][] = [
      ['large.bin', { Range: 'bytes=0-299999' }],
      ['large.bin', { Range: 'bytes=0-9' }],
      ['large.bin', { Range: 'bytes=0-299999', 'If-Range': '"stale"' }],
      ['large.bin', { 'If-None-Match': '*' }],
      ['large.bin', { Range: 'bytes=9999999-' }],
      ['large.bin', {}, 'HEAD'],
      ['small.bin', {}],
      ['large.bin', {}],
    ]
    for (let round = 0; round < 250; round += 1)
      await Promise.all(kinds.map(async ([path, headers, method]) => (await get(path, headers, method)).arrayBuffer()))
    expect(await untilClosed()).toEqual([])
  })

  test('by 200 clients that go away in the middle', async () => {
    truncateSync(join(folder.path, 'film.mkv'), 5_000_000_000)
    const leave = (request: string): Promise<void> =>
      new Promise((resolve) => {
        const socket = connect(server.port ?? 0, '127.0.0.1', () => socket.write(request))
        socket.once('data', () => socket.destroy())
        socket.once('close', () => resolve())
      })
    const requests = ['', 'Range: bytes=1000000-\r\n', 'Range: bytes=0-\r\nIf-Range: "stale"\r\n']
    for (let round = 0; round < 67; round += 1)
      await Promise.all(requests.map((headers) => leave(`GET /film.mkv HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)))
    expect(await untilClosed()).toEqual([])
  })

  test('by those who wait for a place among the streams, who get one as others go, or go themselves', async () => {
    writeFileSync(join(folder.path, 'long.mkv'), '')
    truncateSync(join(folder.path, 'long.mkv'), 5_000_000_000)
    const stale = { Range: 'bytes=0-', 'If-Range': '"stale"' }
    // Of an answer that is forgotten Bun reads no more.
    const answers: Response[] = []
    const begin = () => {
      const client = new AbortController()
      const answer = fetch(new URL('long.mkv', server.url), { headers: stale, signal: client.signal })
      return {
        status: answer.then((response) => answers.push(response) && response.status).catch(() => 'gone'),
        leave: () => client.abort(),
      }
    }
    const statusesOf = (begun: ReturnType<typeof begin>[]) => Promise.all(begun.map(({ status }) => status))
    const first = Array.from({ length: 20 }, begin)
    expect(await statusesOf(first)).toEqual(Array(20).fill(200))
    const late = Array.from({ length: 4 }, begin)
    expect(await Promise.race([...late.map(({ status }) => status), Bun.sleep(300).then(() => 'waiting')])).toBe('waiting')
    // What Bun sends itself waits for nobody.
    expect((await (await get('large.bin')).bytes()).length).toBe(SIZES['large.bin'])
    for (const { leave } of [...late.slice(0, 2), ...first.slice(0, 2)]) leave()
    expect(await statusesOf(late)).toEqual(['gone', 'gone', 200, 200])
    for (const { leave } of [...first, ...late]) leave()
    expect(await untilClosed()).toEqual([])
    expect((await (await get('large.bin', stale)).bytes()).length).toBe(SIZES['large.bin'])
  })

  // Over a socket: `fetch` asks again by itself where a connection that it had kept ends without an answer.
  test.each([10, 500_000])('by a file that shrinks to %d bytes while it is sent as a stream: the connection breaks off', async (rest) => {
    const file = join(folder.path, 'shrinking.bin')
    writeFileSync(file, bytesOf(SIZES['large.bin']))
    meanwhile = () => truncateSync(file, rest)
    const received = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(server.port ?? 0, '127.0.0.1', () =>
        socket.write('GET /shrinking.bin HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\nIf-Range: "stale"\r\n\r\n'),
      )
      socket.setEncoding('latin1')
      socket.on('data', (part) => (text += part))
      socket.on('error', () => undefined)
      socket.once('close', () => resolve(text))
    })
    meanwhile = undefined
    expect(received).toStartWith('HTTP/1.1 200 ')
    // The last chunk, which would call it whole.
    expect(received.endsWith('\r\n0\r\n\r\n')).toBe(false)
    expect(await untilClosed()).toEqual([])
  })

  test('by an answer that nothing renders: it is a stream of its own', async () => {
    const answer = await respond(new Request('http://localhost/large.bin'))
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytesOf(SIZES['large.bin']))).toBe(true)
    const abandoned = await respond(new Request('http://localhost/large.bin'))
    await abandoned.body?.cancel()
    expect(await untilClosed()).toEqual([])
  })
})

describe('a file never runs in our origin', () => {
  const active = [
    'page.html',
    'x.htm',
    'x.xhtml',
    'pic.svg',
    'pic.SVG',
    'x.svgz',
    'x.xml',
    'x.xsl',
    'x.pdf',
    'x.swf',
    'x.js',
    'x.mjs',
    'x.css',
    'x.mht',
  ]
  const odd = ['noending', '.html', 'x.jpg.html', 'x.html ', 'x.__proto__', 'x.constructor', 'x.toString', 'x.exe', 'x.zip']
  test.each([...active, ...odd])('%j is sent as bytes to be saved', async (name) => {
    writeFileSync(join(folder.path, name), '<script>alert(1)</script>')
    const { headers } = await get(encodeURIComponent(name))
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toStartWith('attachment; ')
  })

  test.each([
    ['a.jpg', 'image/jpeg'],
    ['a.PNG', 'image/png'],
    ['a.heic', 'image/heic'],
    ['a.mp4', 'video/mp4'],
    ['a.mkv', 'video/x-matroska'],
    ['a.opus', 'audio/ogg'],
    ['a.vtt', 'text/vtt; charset=utf-8'],
    ['a.txt', 'text/plain; charset=utf-8'],
  ])('%s is shown as %s', async (name, type) => {
    writeFileSync(join(folder.path, name), '<script>alert(1)</script>')
    const { headers } = await get(name)
    expect([headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]]).toEqual([type, 'inline'])
  })

  test('every answer forbids scripts, and is asked for again', async () => {
    for (const answer of [
      await get('a.jpg'),
      await get('large.bin', { Range: 'bytes=9-999999' }),
      await get('a.jpg', { 'If-None-Match': '*' }),
    ]) {
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/)
      expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    }
  })
})

test('a film may be played by itself, still without scripts', async () => {
  expect((await get('a.mp4')).headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox allow-same-origin$/)
})

test('a URL with a version is kept for ever, by this client alone', async () => {
  expect((await get('a.jpg?v=1')).headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
})

test('a download is saved under its name, whatever its type', async () => {
  expect((await get('a.jpg?download=1')).headers.get('content-disposition')).toBe(`attachment; filename="a.jpg"; filename*=UTF-8''a.jpg`)
})
