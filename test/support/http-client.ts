/** One person's way into a running server: a cookie jar and JSON in and out, nothing that a browser would not do. */

export interface Answer {
  status: number
  /** Parsed JSON where the answer is JSON, else its text; undefined where it is empty. */
  body: unknown
  headers: Headers
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the server really sent and asserts on it; a type would be a wish.
export type Json = any

type Query = Record<string, string | number | boolean | undefined>

export interface HttpClient {
  /** The plain answer, for bytes and ranges; cookies are sent and kept. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  get: (path: string, query?: Query) => Promise<Answer & { body: Json }>
  post: (path: string, body?: unknown) => Promise<Answer & { body: Json }>
  put: (path: string, body?: unknown) => Promise<Answer & { body: Json }>
  patch: (path: string, body?: unknown) => Promise<Answer & { body: Json }>
  delete: (path: string, query?: Query) => Promise<Answer & { body: Json }>
  /** The cookies as a Cookie header. */
  cookies: () => string
  /** The same cookies in a jar of their own. */
  copy: () => HttpClient
}

const withQuery = (path: string, query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const readAnswer = async (response: Response): Promise<Answer & { body: Json }> => {
  const text = await response.text()
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : isJson ? JSON.parse(text) : text }
}

/** Keeps what Set-Cookie says: a value, or its end where Max-Age is 0 or the value is empty. */
const keepCookies = (jar: Map<string, string>, headers: Headers): void => {
  for (const line of headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const isOver = value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute))
    if (isOver) jar.delete(name)
    else jar.set(name, value)
  }
}

/** A client of the server at `baseUrl`; paths are relative to it and start with "/". */
export const httpClient = (baseUrl: string, jar = new Map<string, string>()): HttpClient => {
  const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (jar.size > 0 && !headers.has('cookie')) headers.set('cookie', cookies())
    const response = await fetch(baseUrl + path, { redirect: 'manual', ...init, headers })
    keepCookies(jar, response.headers)
    return response
  }
  const withBody =
    (method: string) =>
    async (path: string, body?: unknown): Promise<Answer & { body: Json }> =>
      readAnswer(
        await send(
          path,
          body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
        ),
      )
  return {
    fetch: send,
    get: async (path, query) => readAnswer(await send(withQuery(path, query))),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: async (path, query) => readAnswer(await send(withQuery(path, query), { method: 'DELETE' })),
    cookies,
    copy: () => httpClient(baseUrl, new Map(jar)),
  }
}
