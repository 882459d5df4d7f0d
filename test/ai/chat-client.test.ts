import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ChatRequest, chat, listModels } from '../../src/ai/chat-client.ts'
import { ChatError, type ChatFailure } from '../../src/ai/chat-failure.ts'
import { requestEndpoint } from '../../src/ai/endpoint-request.ts'
import {
  answersWith,
  type Behaviour,
  type FakeModel,
  inTurn,
  MISBEHAVIOURS,
  redirectsTo,
  says,
  startFakeModel,
} from '../support/fake-model.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'

let model: FakeModel
beforeEach(async () => {
  model = await startFakeModel()
})
afterEach(() => model.stop())

const KEY = 'sk-secret-of-the-test'
const QUESTION: ChatRequest = { model: 'fake-vision', maxTokens: 100, messages: [{ role: 'user', content: 'Hello?' }] }
const never = (): AbortSignal => new AbortController().signal

const ask = (request: Partial<ChatRequest> = {}, timeoutSeconds = 1) =>
  chat({ url: model.url, apiKey: KEY, timeoutSeconds }, { ...QUESTION, ...request }, never())

const failureOf = async (behaviour: Behaviour): Promise<ChatFailure | string> => {
  model.answer(behaviour)
  try {
    return (await ask()).text
  } catch (error) {
    if (!(error instanceof ChatError)) throw error
    expect(error.message).toBe(error.failure.message)
    return error.failure
  }
}

const untilLetGo = () =>
  waitFor(
    () => (model.open() === 0 ? true : undefined),
    60_000,
    () => `${model.open()} connections are still open`,
  )

type Name = keyof typeof MISBEHAVIOURS

const OUTCOMES: Record<Name, Partial<ChatFailure> | string> = {
  hang: { kind: 'timeout' },
  slowHeaders: { kind: 'timeout' },
  drip: { kind: 'timeout' },
  endless: { kind: 'too_large' },
  twoLengths: { kind: 'too_large' },
  gigabyte: { kind: 'too_large' },
  gzipBomb: { kind: 'bad_answer' },
  error500: { kind: 'server_error', retryAfterSeconds: null },
  badGateway: { kind: 'server_error' },
  rateLimited: { kind: 'rate_limited', retryAfterSeconds: null },
  rateLimitedFor: { kind: 'rate_limited', retryAfterSeconds: 7 },
  html: { kind: 'bad_answer' },
  noChoices: { kind: 'bad_answer' },
  emptyObject: { kind: 'bad_answer' },
  errorWith200: { kind: 'bad_answer' },
  truncatedJson: { kind: 'bad_answer' },
  cutOff: { kind: 'bad_answer' },
  reset: { kind: 'server_error' },
  brokenOff: { kind: 'server_error' },
  notHttp: { kind: 'server_error' },
  wrongContentType: 'Fine.',
  wrongCharset: { kind: 'bad_answer' },
  unknownCharset: 'Fine.',
  nullContent: { kind: 'bad_answer' },
  contentParts: 'Fine.',
  toolCalls: { kind: 'bad_answer' },
  refusal: { kind: 'bad_answer' },
  unauthorized: { kind: 'refused', message: expect.stringContaining('(401)') },
  unknownModel: { kind: 'refused', message: expect.stringContaining('(404)') },
}

describe('an endpoint that misbehaves', () => {
  test.each(Object.entries(MISBEHAVIOURS))('%s: is told apart, and its connection is let go', async (name, behaviour) => {
    const outcome = await failureOf(behaviour)
    const expected = OUTCOMES[name as Name]
    if (typeof expected === 'string') expect(outcome).toBe(expected)
    else expect(outcome).toMatchObject(expected)
    await untilLetGo()
    // Whoever asks next is not hindered by what was before.
    expect(await failureOf(says('Again.'))).toBe('Again.')
  })

  test('is unreachable while nobody listens, and not a moment longer', async () => {
    await model.away()
    expect(await failureOf(says('x'))).toMatchObject({ kind: 'unreachable' })
    await model.back()
    expect(await failureOf(says('Awake.'))).toBe('Awake.')
  })

  test('is as good as away while its certificate is not trusted, and gets no key', async () => {
    await using folder = await temporaryFolder('certificate')
    const [key, certificate] = [join(folder.path, 'key.pem'), join(folder.path, 'certificate.pem')]
    await runProgram(`openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout ${key} -out ${certificate}`.split(' '))
    let asked = 0
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { key: Bun.file(key), cert: Bun.file(certificate) },
      fetch: () => {
        asked += 1
        return Response.json({})
      },
    })
    const url = `https://localhost:${server.port}/v1`
    await expect(chat({ url, apiKey: KEY, timeoutSeconds: 5 }, QUESTION, never())).rejects.toMatchObject({
      failure: { kind: 'unreachable', message: expect.stringContaining('certificate') },
    })
    await server.stop(true)
    expect(asked).toBe(0)
  })

  test('never says a word in a failure, and neither does the key', async () => {
    for (const behaviour of Object.values(MISBEHAVIOURS)) {
      const outcome = await failureOf(behaviour)
      if (typeof outcome === 'string') continue
      expect(outcome.message).not.toContain(KEY)
      expect(outcome.message).not.toMatch(/sk-12345|Sign in|out of memory|model not found|OpenSSH/)
    }
  })

  test('is not followed to another place', async () => {
    await using elsewhere = await startFakeModel()
    const message = expect.stringContaining('(307)')
    expect(await failureOf(redirectsTo(`${elsewhere.url}/chat/completions`))).toMatchObject({ kind: 'refused', message })
    expect(elsewhere.requests).toEqual([])
  })

  test.each([
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['999999999', 3600],
    ['soon', null],
    ['-5', null],
  ])('may ask to wait until %s: %p seconds', async (value, seconds) => {
    const failure = await failureOf(answersWith(429, {}, { 'Retry-After': value }))
    expect(failure).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: seconds })
  })
})

test.each([
  [503, {}, { kind: 'rate_limited', retryAfterSeconds: null, isServerError: true }],
  [503, { 'Retry-After': '7' }, { kind: 'rate_limited', retryAfterSeconds: 7 }],
  [500, { 'Retry-After': '7' }, { kind: 'rate_limited', retryAfterSeconds: 7 }],
  [503, { 'Retry-After': 'soon' }, { kind: 'rate_limited', retryAfterSeconds: null }],
  [502, {}, { kind: 'server_error' }],
  [500, {}, { kind: 'server_error' }],
])('an endpoint that answers with %d and %j is one to wait for, or not', async (status, headers, failure) => {
  expect(await failureOf(answersWith(status, {}, headers))).toMatchObject(failure)
})

describe('whoever asks', () => {
  test('may stop waiting at any time, and learns his own reason', async () => {
    model.answer(MISBEHAVIOURS.drip)
    const stopper = new AbortController()
    const asked = chat({ url: model.url, apiKey: null, timeoutSeconds: 60 }, QUESTION, stopper.signal)
    await waitFor(
      () => (model.chats().length === 1 ? true : undefined),
      60_000,
      () => 'nobody asked',
    )
    stopper.abort(new Error('cancelled by hand'))
    await expect(asked).rejects.toThrow('cancelled by hand')
    await untilLetGo()
  })

  test('sends the key and max_tokens, and no more than was asked', async () => {
    await ask()
    const [request] = model.chats()
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions' })
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'accept-encoding': 'identity', host: new URL(model.url).host })
    expect(request?.body).toEqual({ model: 'fake-vision', messages: QUESTION.messages, max_tokens: 100, stream: false })
  })

  test('sends no key where there is none', async () => {
    await chat({ url: `${model.url}/`, apiKey: '', timeoutSeconds: 1 }, QUESTION, never())
    expect(model.chats()[0]?.headers).not.toHaveProperty('authorization')
    expect(model.chats()[0]?.path).toBe('/v1/chat/completions')
  })

  test('gets the answer without what the model thought aloud', async () => {
    model.answer(inTurn(says('<think>Hm, 2?\n</think>\n\nTwo.'), says('well, then\n</think>Three.'), says('<think>never ends', 'length')))
    expect((await ask()).text).toBe('Two.')
    expect((await ask()).text).toBe('Three.')
    await expect(ask()).rejects.toMatchObject({ failure: { kind: 'bad_answer' } })
  })

  test.each([
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ['the mark of UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['half a character', [0x7b, 0xf0, 0x9f, 0x98, 0x7d]],
    ['half a surrogate pair', [0x7b, 0xed, 0xa0, 0xbd, 0x7d]],
  ])('gets an answer that names no character set as UTF-8, with %s in it too', async (_, bytes) => {
    const answer = Uint8Array.from(bytes)
    await using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(answer) })
    const endpoint = { url: `http://127.0.0.1:${server.port}/v1`, apiKey: null, timeoutSeconds: 60 }
    const { text } = await requestEndpoint(endpoint, { path: 'models' }, never())
    expect(text).toBe(new TextDecoder().decode(answer))
  })

  test('gets a model list, sorted, each once', async () => {
    model.models(answersWith(200, { data: [{ id: 'b' }, { id: 'a', owned_by: 'x' }, { id: 'b' }] }))
    expect(await listModels({ url: model.url, apiKey: null, timeoutSeconds: 1 }, never())).toEqual(['a', 'b'])
  })
})

const SCHEMA = { name: 'tags', schema: { type: 'object' } }

describe('an endpoint that does not take everything', () => {
  const picky =
    (refuses: (body: Record<string, unknown>) => string | undefined) =>
    ({ body }: { body: Record<string, unknown> }): Behaviour => {
      const refusal = refuses(body)
      return refusal === undefined ? says('Fine.') : answersWith(400, { error: { message: refusal } })
    }
  /** What was learnt is remembered by model. */
  const fresh = (): Partial<ChatRequest> => ({ model: crypto.randomUUID(), temperature: 0, answerSchema: SCHEMA })

  test('is asked without a schema after it refused one, and is not bothered with it again', async () => {
    model.answer(picky(({ response_format }) => (response_format ? 'response_format is not supported' : undefined)))
    const request = fresh()
    expect((await ask(request)).text).toBe('Fine.')
    expect((await ask(request)).text).toBe('Fine.')
    expect(model.chats().map(({ body }) => 'response_format' in body)).toEqual([true, false, false])
    expect(model.chats().map(({ body }) => body.temperature)).toEqual([0, 0, 0])
  })

  test('is asked with max_completion_tokens where it wants that, and keeps its schema', async () => {
    model.answer(picky(({ max_tokens }) => (max_tokens ? "Use 'max_completion_tokens' instead." : undefined)))
    await ask(fresh())
    expect(model.chats().map(({ body }) => [body.max_tokens, body.max_completion_tokens, 'response_format' in body])).toEqual([
      [100, undefined, true],
      [undefined, 100, true],
    ])
  })

  test('is asked without a temperature where it allows none', async () => {
    model.answer(picky(({ temperature }) => (temperature === undefined ? undefined : "'temperature' does not support 0")))
    await ask(fresh())
    expect(model.chats().map(({ body }) => body.temperature)).toEqual([0, undefined])
  })

  test('is given up after it refused the plainest form', async () => {
    model.answer(answersWith(400, { error: { message: 'temperature and max_completion_tokens and all' } }))
    await expect(ask(fresh())).rejects.toMatchObject({ failure: { kind: 'refused', message: expect.stringContaining('(400)') } })
    expect(model.chats()).toHaveLength(4)
  })
})
