/** One HTTP request to a model endpoint: no redirects, no forbidden address, one deadline for all of it, an answer of limited size. */

import { setNewest } from '../domain/bounded-map.ts'
import { errorCode } from '../domain/thrown-error.ts'
import { ChatError } from './chat-failure.ts'
import { TimeUp, withinTime } from './deadline.ts'
import { ForbiddenAddressError, literalAddress, net, resolveEndpoint } from './endpoint-address.ts'

export interface Endpoint {
  /** Base address; `/chat/completions` and `/models` are put behind it. */
  url: string
  /** Null or empty where the endpoint wants none. */
  apiKey: string | null
  timeoutSeconds: number
}

interface EndpointAnswer {
  status: number
  text: string
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024
/** How long a machine that is awake may take to accept a connection. */
const CONNECT_MS = 3000
const MAX_RETRY_AFTER_SECONDS = 3600

/** What `connect` and the resolver say of a place that cannot be reached at all, as opposed to a connection that breaks. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
])

const isRefusedConnection = (error: unknown): boolean => UNREACHABLE.has(errorCode(error))

/** A certificate that is not trusted, or no TLS at all: a matter of the set-up, that asking again does not mend. */
const isTlsProblem = (error: unknown): boolean => /CERT|TLS|SSL|EPROTO/.test(errorCode(error))

/** `{base}/path`, whether or not the base ends in a slash. */
const under = (base: string, path: string): URL => new URL(`${base.replace(/\/+$/, '')}/${path}`)

/**
 * The same URL with the address in place of the name: what was checked is what is connected to, whatever the name says a
 * moment later. A https certificate answers for the name, so there the name may stay.
 */
const pinned = (url: URL, address: string): string => {
  if (url.protocol === 'https:') return url.href
  const fixed = new URL(url)
  fixed.hostname = address.includes(':') ? `[${address.split('%')[0]}]` : address
  return fixed.href
}

/** Where requests go: to take it apart each time costs as much as to send one. */
interface Place {
  url: URL
  host: string
  origin: string
  /** Where the host is an address, once that was checked; a name may lead elsewhere a moment later. */
  addresses?: string[]
  /** By the address that is connected to. */
  pinned: Map<string, string>
}

const places = new Map<string, Place>()
const MAX_PLACES = 100
/** Of one name. */
const MAX_PINNED = 20

const placeOf = (base: string, path: string): Place => {
  const key = `${base} ${path}`
  const known = places.get(key)
  if (known) return known
  const url = under(base, path)
  const place: Place = { url, host: url.host, origin: url.origin, pinned: new Map() }
  setNewest(places, key, place, MAX_PLACES)
  return place
}

const findAddresses = async (place: Place): Promise<string[]> => {
  const addresses = await resolveEndpoint(place.url)
  if (literalAddress(place.url) !== undefined) place.addresses = addresses
  return addresses
}

const pinnedTo = ({ url, pinned: known }: Place, address: string): string => {
  const href = known.get(address) ?? pinned(url, address)
  if (!known.has(address)) setNewest(known, address, href, MAX_PINNED)
  return href
}

/** Seconds or a date (RFC 9110, 10.2.3); null where it is neither. */
const parseRetryAfter = (value: string | null): number | null => {
  const text = value?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]{2,8},? /.test(text)
      ? (Date.parse(text) - Date.now()) / 1000
      : Number.NaN
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(0, Math.ceil(seconds))) : null
}

const readLimited = async (response: Response, signal: AbortSignal): Promise<Uint8Array> => {
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  const stop = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return Buffer.concat(chunks)
      size += value.byteLength
      if (size > MAX_ANSWER_BYTES) throw new ChatError({ kind: 'too_large', message: 'The answer of the endpoint is too large.' })
      chunks.push(value)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

const UTF8 = new TextDecoder()

/** A character set that nobody knows is none: JSON is UTF-8 (RFC 8259, 8.1). */
const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset)
  } catch {
    return UTF8
  }
}

/**
 * An answer that says how long it is, and is short, comes in one piece: nothing is read beyond what it says, unless it comes in
 * chunks (RFC 9112, 6.3).
 */
const WHOLE_BYTES = 64 * 1024

const readText = async (response: Response, signal: AbortSignal): Promise<string> => {
  const { headers } = response
  const charset = /;\s*charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  const length = Number(headers.get('content-length') ?? Number.NaN)
  const isWhole = length <= WHOLE_BYTES && !headers.has('transfer-encoding')
  if (isWhole && charset === undefined) return response.text()
  const bytes = isWhole ? await response.bytes() : await readLimited(response, signal)
  return (charset === undefined ? UTF8 : decoderOf(charset)).decode(bytes)
}

/** Whether somebody accepts connections there; a machine that is asleep swallows them without a word. */
const accepts = (url: URL, address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net().connect({ host: address, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) })
    const settle = (isOpen: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isOpen)
    }
    const timer = setTimeout(() => settle(false), CONNECT_MS)
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })

interface Call {
  path: string
  /** JSON, sent by POST; without it the request is a GET. */
  body?: string
}

interface Sending {
  endpoint: Endpoint
  place: Place
  call: Call
  signal: AbortSignal
}

/** `keepalive`: takes a connection that was kept, and keeps it. */
const fetchFrom = (address: string, { endpoint, place, call, signal }: Sending, keepalive: boolean): Promise<Response> =>
  fetch(pinnedTo(place, address), {
    method: call.body === undefined ? 'GET' : 'POST',
    headers: {
      Host: place.host,
      Accept: 'application/json',
      // An answer that grows when it is unpacked could not be measured before.
      'Accept-Encoding': 'identity',
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(endpoint.apiKey ? { Authorization: `Bearer ${endpoint.apiKey}` } : {}),
    },
    body: call.body,
    redirect: 'manual',
    decompress: false,
    // Bun's own five minutes are less than a slow local model may be given.
    timeout: false,
    keepalive,
    signal,
  })

/** Where an answer came whole, by origin, and when: its connection may have been kept. */
const answered = new Map<string, number>()
const MAX_ORIGINS = 100
/** Longer than any connection is kept. */
const KEPT_MS = 600_000

const rememberAnswer = ({ origin }: Place): void => setNewest(answered, origin, performance.now(), MAX_ORIGINS)

const mayBeKept = ({ origin }: Place): boolean => performance.now() - (answered.get(origin) ?? Number.NEGATIVE_INFINITY) < KEPT_MS

/**
 * A server may close a connection that it kept in the moment that we send on it, which looks like one that breaks: then the
 * same goes out again, on a connection of its own.
 */
const isKeptAndClosed = (error: unknown, wasKept: boolean, signal: AbortSignal): boolean =>
  wasKept && !signal.aborted && errorCode(error) === 'ECONNRESET'

const send = (address: string, sending: Sending): Promise<Response> => {
  const wasKept = mayBeKept(sending.place)
  return fetchFrom(address, sending, true).catch((error: unknown) => {
    if (!isKeptAndClosed(error, wasKept, sending.signal)) throw error
    return fetchFrom(address, sending, false)
  })
}

const connectFirst = async (addresses: readonly string[], sending: Sending): Promise<Response> => {
  let refused: unknown
  for (const address of addresses) {
    try {
      return await send(address, sending)
    } catch (error) {
      if (!isRefusedConnection(error)) throw error
      refused = error
    }
  }
  throw refused
}

const checkStatus = ({ status, headers }: Response): void => {
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'))
  if (status === 429) throw new ChatError({ kind: 'rate_limited', message: 'The endpoint asks to wait (429).', retryAfterSeconds })
  // A model that is still being loaded, or has too much to do: with the next job it would be no different.
  if (status === 503 || (status >= 500 && retryAfterSeconds !== null))
    throw new ChatError({ kind: 'rate_limited', message: `The endpoint is not ready (${status}).`, retryAfterSeconds, isServerError: true })
  if (status >= 500)
    throw new ChatError({ kind: 'server_error', message: `The endpoint has an error of its own (${status}).`, retryAfterSeconds })
  if (status >= 300 && status < 400)
    throw new ChatError({ kind: 'refused', message: `The endpoint points elsewhere (${status}); redirects are not followed.` })
}

const checkEncoding = (headers: Headers): void => {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity')
    throw new ChatError({ kind: 'bad_answer', message: 'The endpoint packs its answers although it was asked not to.' })
}

const unreachableMessage = (error: unknown): string => {
  if (error instanceof ForbiddenAddressError) return 'The endpoint has an address that requests never go to.'
  if (isTlsProblem(error)) return `The endpoint has no certificate that this server trusts (${errorCode(error)}).`
  return `The endpoint cannot be reached (${errorCode(error) || 'no answer'}).`
}

const unreachable = (error: unknown): ChatError => new ChatError({ kind: 'unreachable', message: unreachableMessage(error) }, error)

/**
 * An answer of 2xx, or of 4xx other than 429, whole. Throws `ChatError`, or the signal's reason once that is aborted.
 */
export const requestEndpoint = async (endpoint: Endpoint, call: Call, signal: AbortSignal): Promise<EndpointAnswer> => {
  const place = placeOf(endpoint.url, call.path)
  let addresses: string[] = []
  let isAnswered = false
  const run = async (inTime: AbortSignal): Promise<EndpointAnswer> => {
    addresses = place.addresses ?? (await findAddresses(place))
    const response = await connectFirst(addresses, { endpoint, place, call, signal: inTime })
    isAnswered = true
    try {
      checkStatus(response)
      checkEncoding(response.headers)
      const text = await readText(response, inTime)
      rememberAnswer(place)
      return { status: response.status, text }
    } catch (error) {
      void response.body?.cancel().catch(() => undefined)
      throw error
    }
  }
  try {
    return await withinTime(endpoint.timeoutSeconds * 1000, signal, run)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ChatError) throw error
    if (error instanceof TimeUp) {
      if (!isAnswered && !(await anyAccepts(place.url, addresses))) throw unreachable(error)
      throw new ChatError({ kind: 'timeout', message: `The endpoint did not finish within ${endpoint.timeoutSeconds} seconds.` }, error)
    }
    if (error instanceof ForbiddenAddressError || isRefusedConnection(error) || isTlsProblem(error)) throw unreachable(error)
    throw new ChatError(
      {
        kind: 'server_error',
        message: `The connection to the endpoint broke (${errorCode(error) || 'unknown'}).`,
        retryAfterSeconds: null,
      },
      error,
    )
  }
}

const anyAccepts = async (url: URL, addresses: string[]): Promise<boolean> => {
  for (const address of addresses) if (await accepts(url, address)) return true
  return false
}
