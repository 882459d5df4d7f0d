import { createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Json } from './http-client.ts'

/**
 * An OpenAI-compatible endpoint that the test makes behave: real sockets and real HTTP, written by hand, so that it can
 * break every rule of it. `answer` decides what each chat request gets; the models are listed unless `models` says otherwise.
 */
export interface FakeModel extends AsyncDisposable {
  /** The base address to set as the endpoint. */
  url: string
  /** Every request so far, in order of arrival. */
  requests: RecordedRequest[]
  /** The chat requests among them. */
  chats: () => RecordedRequest[]
  /** What chat requests get from now on. */
  answer: (behaviour: Behaviour | ((request: RecordedRequest) => Behaviour)) => void
  /** What the list of models gets from now on. */
  models: (behaviour: Behaviour) => void
  /** Connections that are open now: 0 once whoever asked has let go of them. */
  open: () => number
  /** Closes the port and every connection; `back` opens the same port again. */
  away: () => Promise<void>
  back: () => Promise<void>
  stop: () => Promise<void>
}

export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string>
  /** Parsed. */
  body: Json
  at: number
}

/** Writes to the socket what it pleases. */
export interface Behaviour {
  readonly behave: (socket: Socket, request: RecordedRequest) => void
}

const behaviour = (behave: Behaviour['behave']): Behaviour => ({ behave })

const isBehaviour = (value: Behaviour | ((request: RecordedRequest) => Behaviour)): value is Behaviour => 'behave' in value

const head = (status: number, headers: Record<string, string | number>): string =>
  `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Fake'}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** One whole answer, as it should be. */
const whole = (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Behaviour => {
  const bytes = Buffer.from(body)
  return behaviour((socket) => {
    socket.write(head(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length, Connection: 'close', ...headers }))
    socket.end(bytes)
  })
}

const completion = (message: unknown, finishReason: string | null = 'stop'): string =>
  JSON.stringify({
    id: 'fake',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

/** A plain good answer. */
export const says = (content: string, finishReason = 'stop'): Behaviour =>
  whole(200, completion({ role: 'assistant', content }, finishReason))

/** Any body with any status. */
export const answersWith = (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  whole(status, typeof body === 'string' ? body : JSON.stringify(body), headers)

/** The same answer, later. The first byte comes after the delay. */
export const after = (delayMs: number, then: Behaviour): Behaviour =>
  behaviour((socket, request) => {
    const timer = setTimeout(() => then.behave(socket, request), delayMs)
    socket.once('close', () => clearTimeout(timer))
  })

/** Says one thing after the other; the last for ever. */
export const inTurn = (...behaviours: Behaviour[]): ((request: RecordedRequest) => Behaviour) => {
  const rest = [...behaviours]
  return () => (rest.length > 1 ? rest.shift() : rest[0]) ?? says('')
}

const every = (socket: Socket, ms: number, write: () => void): void => {
  const timer = setInterval(write, ms)
  socket.once('close', () => clearInterval(timer))
}

/** Writes as fast as the other side takes it, until the other side has enough. */
const pour = (socket: Socket, chunk: Uint8Array, times: number): void => {
  let left = times
  const go = (): void => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', go)
    if (!socket.destroyed) socket.end()
  }
  go()
}

const MIB = 1024 * 1024
const spaces = Buffer.alloc(MIB, ' ')
const good = (): string => completion({ role: 'assistant', content: 'Fine.' })

/** What real endpoints, proxies in front of them and hostile ones do. */
export const MISBEHAVIOURS = {
  hang: behaviour(() => undefined),
  slowHeaders: behaviour((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    every(socket, 20, () => socket.write('a'))
  }),
  drip: behaviour((socket) => {
    socket.write(head(200, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }))
    every(socket, 20, () => socket.write('1\r\n \r\n'))
  }),
  endless: behaviour((socket) => {
    socket.write(head(200, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }))
    pour(socket, Buffer.from(`100000\r\n${spaces}\r\n`), Number.POSITIVE_INFINITY)
  }),
  twoLengths: behaviour((socket) => {
    socket.write(head(200, { 'Content-Type': 'application/json', 'Content-Length': 10, 'Transfer-Encoding': 'chunked' }))
    pour(socket, Buffer.from(`100000\r\n${spaces}\r\n`), Number.POSITIVE_INFINITY)
  }),
  gigabyte: behaviour((socket) => {
    socket.write(head(200, { 'Content-Type': 'application/json', 'Content-Length': 1024 * MIB }))
    pour(socket, spaces, 1024)
  }),
  gzipBomb: behaviour((socket) => {
    const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(MIB, ' '))))
    socket.write(head(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Content-Length': bomb.length }))
    socket.end(bomb)
  }),
  error500: whole(500, '{"error":{"message":"out of memory"}}'),
  badGateway: whole(502, '<h1>Bad gateway</h1>', { 'Content-Type': 'text/html' }),
  rateLimited: whole(429, '{"error":{"message":"slow down"}}'),
  rateLimitedFor: whole(429, '{"error":{"message":"slow down"}}', { 'Retry-After': '7' }),
  html: whole(200, '<!doctype html><title>Sign in</title>', { 'Content-Type': 'text/html' }),
  noChoices: whole(200, '{"choices":[]}'),
  emptyObject: whole(200, '{}'),
  errorWith200: whole(200, '{"error":{"message":"model not loaded"}}'),
  truncatedJson: whole(200, good().slice(0, -20)),
  cutOff: whole(200, completion({ role: 'assistant', content: '' }, 'length')),
  reset: behaviour((socket) => void socket.resetAndDestroy()),
  brokenOff: behaviour((socket) => {
    socket.write(head(200, { 'Content-Type': 'application/json', 'Content-Length': 100_000 }))
    socket.write('{"choices":[', () => socket.destroy())
  }),
  notHttp: behaviour((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n')),
  wrongContentType: whole(200, good(), { 'Content-Type': 'image/png' }),
  wrongCharset: whole(200, Buffer.from(good(), 'utf16le'), { 'Content-Type': 'application/json; charset=utf-8' }),
  unknownCharset: whole(200, good(), { 'Content-Type': 'application/json; charset=klingon' }),
  nullContent: whole(200, completion({ role: 'assistant', content: null })),
  contentParts: whole(
    200,
    completion({
      role: 'assistant',
      content: [
        { type: 'text', text: 'Fi' },
        { type: 'text', text: 'ne.' },
      ],
    }),
  ),
  toolCalls: whole(
    200,
    completion(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'run', arguments: '{"command":"id"}' } }],
      },
      'tool_calls',
    ),
  ),
  refusal: whole(200, completion({ role: 'assistant', content: null, refusal: 'I cannot.' })),
  unauthorized: whole(401, '{"error":{"message":"Incorrect API key provided: sk-12345"}}'),
  unknownModel: whole(404, '{"error":{"message":"model not found"}}'),
} as const satisfies Record<string, Behaviour>

/** Sends whoever asks somewhere else. */
export const redirectsTo = (location: string): Behaviour => whole(307, '', { Location: location })

const SEPARATOR = '\r\n\r\n'

/** Hands over each request once it is whole; one a connection is enough for a client that is asked to close it. */
const readRequest = (socket: Socket, take: (request: RecordedRequest) => void): void => {
  let received = Buffer.alloc(0)
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    const end = received.indexOf(SEPARATOR)
    if (end < 0) return
    const [line = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()]),
    )
    const body = received.subarray(end + SEPARATOR.length)
    if (body.length < Number(headers['content-length'] ?? 0)) return
    socket.off('data', onData)
    socket.resume()
    const [method = '', path = ''] = line.split(' ')
    take({ method, path, headers, body: body.length > 0 ? JSON.parse(body.toString('utf8')) : undefined, at: performance.now() })
  }
  socket.on('data', onData)
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

export const startFakeModel = async (): Promise<FakeModel> => {
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  let decide: (request: RecordedRequest) => Behaviour = () => says('Fine.')
  let listing: Behaviour = whole(200, JSON.stringify({ object: 'list', data: [{ id: 'fake-vision' }, { id: 'fake-text' }] }))

  const serve = (): Server =>
    createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
      readRequest(socket, (request) => {
        requests.push(request)
        const chosen = request.path.endsWith('/models')
          ? listing
          : request.path.endsWith('/chat/completions')
            ? decide(request)
            : answersWith(404, {})
        chosen.behave(socket, request)
      })
    })
  let server = serve()
  const port = await listen(server, 0)

  const away = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const back = async (): Promise<void> => {
    server = serve()
    await listen(server, port)
  }
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    chats: () => requests.filter(({ path }) => path.endsWith('/chat/completions')),
    answer: (next) => {
      decide = isBehaviour(next) ? () => next : next
    },
    models: (next) => {
      listing = next
    },
    open: () => sockets.size,
    away,
    back,
    stop: away,
    [Symbol.asyncDispose]: away,
  }
}
