/** The one place that talks HTTP: addresses, JSON bodies, and problems (RFC 9457) as errors. */

import { createSignal } from 'solid-js'

interface FieldError {
  path: string
  message: string
}

export class ApiProblem extends Error {
  /** 0 where no server answered. */
  declare readonly status: number
  /** A stable snake_case word; `unreachable` where no server answered. */
  declare readonly code: string
  declare readonly fields: FieldError[]

  constructor(status: number, code: string, detail: string, fields: FieldError[] = []) {
    super(detail)
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

let onRefused: ((isSignedOut: boolean) => void) | undefined
/** `listener` hears that a session has ended under a signed-in client, or that its user may do less than was known. */
export const listenForRefusals = (listener: (isSignedOut: boolean) => void) => {
  onRefused = listener
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const fieldErrors = (value: unknown): FieldError[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .map((entry) => ({ path: String(entry.path ?? ''), message: String(entry.message ?? '') }))

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    // A proxy in between answers in a language of its own.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The problem of a server that does not answer. */
export const unreachable = (): ApiProblem => {
  setServerReachable(false)
  return new ApiProblem(0, 'unreachable', 'The server cannot be reached.')
}

/** The problem that an answer's body tells of; a session that has ended is told on, and so is a permission. */
export const problemFrom = (status: number, text: string): ApiProblem => {
  const body = parseJson(text)
  // A proxy speaks for a server that it cannot reach.
  if (!isRecord(body) && status >= 502 && status <= 504) return unreachable()
  setServerReachable(true)
  if (!isRecord(body)) return new ApiProblem(status, 'unknown', `HTTP ${status}`)
  const problem = new ApiProblem(status, String(body.code ?? 'unknown'), String(body.detail ?? body.title ?? ''), fieldErrors(body.errors))
  // A wrong password is 401 too, and ends no session.
  const isSignedOut = status === 401 && problem.code !== 'invalid_credentials'
  if (isSignedOut || problem.code === 'forbidden') onRefused?.(isSignedOut)
  return problem
}

let owner: number | undefined
/** Whether this person may go on with this tab: whoever was the first one whose session it had, until it is loaded anew. */
export const ownsTab = (userId: number): boolean => {
  owner ??= userId
  return owner === userId
}

/** Where somebody else has signed in with this browser since, the server takes it for a session that has ended. */
export const ofOwner = (init?: HeadersInit): Headers => {
  const headers = new Headers(init)
  if (owner !== undefined) headers.set('Expected-User', String(owner))
  return headers
}

/** Like `fetch`, but whatever is no good answer is thrown as an `ApiProblem`. */
export const request = async (url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
  let response: Response
  try {
    response = await fetch(url, { credentials: 'same-origin', ...init, headers: ofOwner(init.headers) })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreachable()
  }
  if (response.ok) {
    // Nothing here asks for a page: whatever stands before the server has answered with its own.
    if (response.headers.get('content-type')?.startsWith('text/html')) throw unreachable()
    setServerReachable(true)
    return response
  }
  throw problemFrom(response.status, await response.text().catch(() => ''))
}
