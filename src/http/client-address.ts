/**
 * Who is at the other end of a request. Forwarding headers are believed only where the peer of the socket is in
 * TRUST_PROXY: anybody can send them.
 */

import { BlockList, isIP } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Says whether an address lies in a set of ranges. */
export type AddressSet = (address: string) => boolean

export interface PeerView {
  /** Of the client; empty where the socket does not tell one. */
  address: string
  /** A trusted proxy tells that there is somebody behind it, and not who: the address is the proxy's own. */
  isHidden: boolean
  isSecure: boolean
  /** `host[:port]` that the client asked for; empty where no valid one was sent. */
  host: string
}

/** RFC 1122 loopback, RFC 1918 private, RFC 3927 and RFC 4291 link-local, RFC 4193 unique local. */
const LOCAL_RANGES = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '::1/128', 'fc00::/7', 'fe80::/10']

const BITS = { 4: 32, 6: 128 } as const
const FAMILY = { 4: 'ipv4', 6: 'ipv6' } as const
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

const versionOf = (address: string | undefined): 4 | 6 | undefined => {
  const version = isIP(address ?? '')
  return version === 4 || version === 6 ? version : undefined
}

/** An address without port, brackets and zone, IPv4 without its IPv6 mapping; undefined where the text is no address. */
export const parseAddress = (text: string): string | undefined => {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([^:]+):\d+$/, '$1')
    .replace(/%[^%]*$/, '')
    .toLowerCase()
  const address = MAPPED_IPV4.exec(bare)?.[1] ?? bare
  return versionOf(address) ? address : undefined
}

/** How many bits of the addresses in a range are the same; undefined where the text does not say. */
const prefixOf = (bits: string | undefined, version: 4 | 6, isMapped: boolean): number | undefined => {
  if (bits === undefined) return BITS[version]
  // `::ffff:10.0.0.0/104`: the first 96 bits only say that IPv4 follows.
  return /^\d{1,3}$/.test(bits) ? Number(bits) - (isMapped ? 96 : 0) : undefined
}

/** The set of addresses in CIDR ranges (single addresses too). Throws where a range is none. */
export const addressSet = (ranges: readonly string[]): AddressSet => {
  const list = new BlockList()
  for (const range of ranges) {
    const [text = '', bits, ...rest] = range.trim().split('/')
    const address = parseAddress(text)
    const version = versionOf(address)
    const prefix = version && prefixOf(bits, version, version === 4 && text.includes(':'))
    if (!address || !version || prefix === undefined || prefix < 0 || prefix > BITS[version] || rest.length > 0)
      throw new Error(`${range} is not a range of addresses`)
    list.addSubnet(address, prefix, FAMILY[version])
  }
  return (text) => {
    const address = parseAddress(text)
    const version = versionOf(address)
    return address !== undefined && version !== undefined && list.check(address, FAMILY[version])
  }
}

let localAddresses: AddressSet | undefined

/** Loopback, private and link-local addresses: the household's own network. Made when it is asked for: `isIP` compiles for milliseconds. */
export const isLocalAddress: AddressSet = (text) => {
  localAddresses ??= addressSet(LOCAL_RANGES)
  return localAddresses(text)
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
    const { for: client, proto } = Object.fromEntries(pairs) as Record<string, string | undefined>
    return { address: client === undefined ? undefined : parseAddress(client), proto }
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
