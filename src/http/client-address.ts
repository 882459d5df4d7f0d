/**
 * Who is at the other end of a request. Forwarding headers are believed only where the peer of the socket is in
 * TRUST_PROXY: anybody can send them.
 */

import type { Context, MiddlewareHandler } from 'hono'
import { type AddressSet, addressSet, isLocalAddress, parseAddress } from './address-range.ts'
import type { AppEnv } from './app-env.ts'

interface PeerView {
  /** Of the client; empty where the socket does not tell one. */
  address: string
  /** A trusted proxy tells that there is somebody behind it, and not who: the address is the proxy's own. */
  isHidden: boolean
  isSecure: boolean
  /** `host[:port]` that the client asked for; empty where no valid one was sent. */
  host: string
}

interface Hop {
  address: string | undefined
  proto: string | undefined
}

const splitList = (header: string | undefined): string[] => (header === undefined ? [] : header.split(',').map((part) => part.trim()))

const unquote = (value: string): string => value.replace(/^"(.*)"$/, '$1')

/** RFC 7239, section 4: `for=192.0.2.60;proto=http, for="[2001:db8::1]:4711"`, nearest hop last. */
const parseForwarded = (header: string): Hop[] =>
  splitList(header).map((element) => {
    const pairs = element.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim().toLowerCase(), unquote(value.join('=').trim())] as const
    })
    const said = new Map(pairs)
    return { address: parseAddress(said.get('for') ?? ''), proto: said.get('proto') }
  })

/** X-Forwarded-* wins over Forwarded: it is what nginx, Caddy, Traefik and HAProxy set unasked. */
const hopsOf = (headers: Headers): Hop[] => {
  const addresses = headers.get('x-forwarded-for')
  const forwarded = headers.get('forwarded')
  const proto = splitList(headers.get('x-forwarded-proto') ?? undefined)[0]
  if (addresses !== null || forwarded === null)
    return splitList(addresses ?? undefined).map((text) => ({ address: parseAddress(text), proto }))
  return parseForwarded(forwarded).map((hop) => ({ address: hop.address, proto: proto ?? hop.proto }))
}

/** A `Host` header that a browser could have sent, in lower case; empty otherwise. */
const cleanHost = (host: string | null | undefined): string => {
  const text = host?.trim().toLowerCase() ?? ''
  return /^[a-z0-9._-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/.test(text) ? text : ''
}

/**
 * The client behind `peer`: from the nearest hop outwards, the first address that is no trusted proxy itself. A hop
 * without a usable address ends the walk at the proxy that reported it.
 */
export const seenFrom = (peer: { address: string; isSecure: boolean; headers: Headers }, isTrusted: AddressSet): PeerView => {
  const { headers } = peer
  const socket = parseAddress(peer.address) ?? ''
  const host = cleanHost(headers.get('host'))
  if (!isTrusted(socket)) return { address: socket, isHidden: false, isSecure: peer.isSecure, host }
  const hops = hopsOf(headers)
  let address = socket
  let proto = hops.at(-1)?.proto ?? splitList(headers.get('x-forwarded-proto') ?? undefined)[0]
  let isHidden = false
  for (const hop of hops.toReversed()) {
    isHidden = hop.address === undefined
    if (hop.address === undefined) break
    address = hop.address
    proto = hop.proto
    if (!isTrusted(address)) break
  }
  const forwardedHost = cleanHost(splitList(headers.get('x-forwarded-host') ?? undefined)[0])
  const isSecure = proto === undefined ? peer.isSecure : proto.toLowerCase() === 'https'
  return { address, isHidden, isSecure, host: forwardedHost || host }
}

// Without a server (a request made in the process itself) there is no socket to ask.
const serverOf = (c: Context<AppEnv>): AppEnv['Bindings'] | undefined => c.env

const isSecureSocket = (c: Context<AppEnv>): boolean => serverOf(c)?.protocol === 'https'

const socketAddress = (c: Context<AppEnv>): string => serverOf(c)?.requestIP?.(c.req.raw)?.address ?? ''

/** Sets `requestAddress`, `requestIsLocal`, `requestIsSecure` and `requestHost`. To ask the socket is a system call, which only few requests need where no proxy is trusted. */
export const clientAddress = (trustProxy: readonly string[]): MiddlewareHandler<AppEnv> => {
  const isTrusted = addressSet(trustProxy)
  return (c, next) => {
    const { headers } = c.req.raw
    const isSecure = isSecureSocket(c)
    const look = (): PeerView => seenFrom({ address: socketAddress(c), isSecure, headers }, isTrusted)
    const view = trustProxy.length > 0 ? look() : null
    c.set('requestAddress', () => (view ?? look()).address)
    c.set('requestIsLocal', () => {
      const { address, isHidden } = view ?? look()
      return !isHidden && isLocalAddress(address)
    })
    c.set('requestIsSecure', view?.isSecure ?? isSecure)
    c.set('requestHost', () => view?.host ?? cleanHost(headers.get('host')))
    return next()
  }
}
