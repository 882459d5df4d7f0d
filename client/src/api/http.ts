/** The one place that talks HTTP: addresses, JSON bodies, and problems (RFC 9457) as errors. */

import { createSignal } from 'solid-js'

export interface FieldError {
  path: string
  message: string
}

export class ApiProblem extends Error {
  /** 0 where no server answered. */
  readonly status: number
  /** A stable snake_case word; `unreachable` where no server answered. */
  readonly code: string
  readonly fields: FieldError[]

  constructor(status: number, code: string, detail: string, fields: FieldError[] = []) {
    super(detail)
    this.name = 'ApiProblem'
    this.status = status
    this.code = code
    this.fields = fields
  }
}

type Query = Record<string, string | number | boolean | null | undefined>

/** Relative to the document's base, so that the client works below any BASE_PATH. Empty values are left out. */
export const apiUrl = (path: string, query: Query = {}): string => {
  const url = new URL(`api/${path}`, document.baseURI)
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, String(value))
  }
  return url.pathname + url.search
}

const [isServerReachable, setServerReachable] = createSignal(true)

export { isServerReachable }

let onSignedOut: (() => void) | undefined
/** `listener` runs when a session has ended under a signed-in client. */
export const listenForSignedOut = (listener: () => void) => {
  onSignedOut = listener
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const fieldErrors = (value: unknown): FieldError[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .map((entry) => ({ path: String(entry.path ?? ''), message: String(entry.message ?? '') }))

const problemOf = async (response: Response): Promise<ApiProblem> => {
  const body: unknown = await response.json().catch(() => undefined)
  if (!isRecord(body)) return new ApiProblem(response.status, 'unknown', response.statusText || `HTTP ${response.status}`)
  const detail = body.detail ?? body.title ?? response.statusText
  return new ApiProblem(response.status, String(body.code ?? 'unknown'), String(detail), fieldErrors(body.errors))
}

/** Like `fetch`, but whatever is no good answer is thrown as an `ApiProblem`. */
export const request = async (url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
  let response: Response
  try {
    response = await fetch(url, { credentials: 'same-origin', ...init })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    setServerReachable(false)
    throw new ApiProblem(0, 'unreachable', 'The server cannot be reached.')
  }
  setServerReachable(true)
  if (response.ok) return response
  const problem = await problemOf(response)
  // A wrong password is 401 too, and ends no session.
  if (problem.status === 401 && problem.code !== 'invalid_credentials') onSignedOut?.()
  throw problem
}

export const getJson = async <Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer> =>
  (await request(apiUrl(path, query), { signal, headers: { accept: 'application/json' } })).json()

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const send = (method: Method, path: string, body: unknown, options: { keepalive?: boolean } = {}) =>
  request(apiUrl(path), {
    method,
    ...options,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

export const sendJson = async <Answer>(method: Method, path: string, body?: unknown): Promise<Answer> =>
  (await send(method, path, body)).json()

/** For requests whose answer has no body. `keepalive` lets it outlive the page. */
export const sendOnly = async (method: Method, path: string, body?: unknown, options?: { keepalive?: boolean }): Promise<void> => {
  await send(method, path, body, options)
}
