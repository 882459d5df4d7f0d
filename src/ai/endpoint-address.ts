/**
 * Which addresses a model endpoint may have. Local models are the normal case, so loopback and the local network are
 * allowed; what hands out a machine's own credentials is not: link-local addresses, and the fixed addresses at which
 * clouds serve their metadata.
 */

import type { BlockList } from 'node:net'

/** Loaded when an address is looked at: with the streams and the DNS that it brings along it would be a seventh of each start. */
export const net = () => process.getBuiltinModule('node:net')

interface Forbidden {
  v4: BlockList
  v6: BlockList
}

const listForbidden = (): Forbidden => {
  const { BlockList } = net()
  const [v4, v6] = [new BlockList(), new BlockList()]
  // RFC 3927; every large cloud serves its metadata at 169.254.169.254.
  v4.addSubnet('169.254.0.0', 16, 'ipv4')
  // Alibaba Cloud, Azure's wire server, and Oracle's old metadata address.
  v4.addAddress('100.100.100.200', 'ipv4')
  v4.addAddress('168.63.129.16', 'ipv4')
  v4.addAddress('192.0.0.192', 'ipv4')
  // Multicast, reserved, broadcast: nobody answers a request there.
  v4.addSubnet('224.0.0.0', 3, 'ipv4')
  // RFC 4291, 2.5.6, and the addresses of the metadata of AWS, Google and Oracle.
  v6.addSubnet('fe80::', 10, 'ipv6')
  v6.addAddress('fd00:ec2::254', 'ipv6')
  v6.addAddress('fd20:ce::254', 'ipv6')
  v6.addAddress('fd00:c1::a9fe:a9fe', 'ipv6')
  v6.addSubnet('ff00::', 8, 'ipv6')
  return { v4, v6 }
}

let listed: Forbidden | undefined

/** Where an IPv6 address holds an IPv4 one, by its first 16-bit groups: mapped, compatible, translated (RFC 6052, 8215), 6to4. */
const EMBEDDINGS: { prefix: number[]; at: number }[] = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { prefix: [0, 0, 0, 0, 0, 0], at: 6 },
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { prefix: [0x64, 0xff9b, 1], at: 6 },
  { prefix: [0x2002], at: 1 },
]

/** The eight groups of an IPv6 address; `URL` writes any form of it, dotted too, as hexadecimal groups. */
const groupsOf = (address: string): number[] => {
  const text = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const parse = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [parse(head), parse(tail ?? '')]
  return tail === undefined ? before : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const embeddedV4 = (address: string): string | undefined => {
  const groups = groupsOf(address)
  const found = EMBEDDINGS.find(({ prefix }) => prefix.every((group, index) => groups[index] === group))
  if (!found) return undefined
  const [high = 0, low = 0] = groups.slice(found.at, found.at + 2)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Whether no request may go to this address (an IPv4 or IPv6 address as text). */
export const isForbiddenAddress = (address: string): boolean => {
  const version = net().isIP(address)
  listed ??= listForbidden()
  const { v4, v6 } = listed
  if (version === 4) return v4.check(address, 'ipv4')
  if (version !== 6) return true
  const inside = embeddedV4(address)
  return v6.check(address.split('%')[0] ?? '', 'ipv6') || (inside !== undefined && v4.check(inside, 'ipv4'))
}

/** The address in the host part of a URL, undefined where that is a name. `URL` has turned octal and decimal forms into dotted ones. */
export const literalAddress = (url: URL): string | undefined => {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return net().isIP(host) === 0 ? undefined : host
}

/**
 * What is wrong with a base address, for people; undefined where it can be used. Names are looked up only when a request
 * is made, since a local model's machine may be asleep now.
 */
export const endpointProblem = (endpoint: string): string | undefined => {
  if (!URL.canParse(endpoint)) return 'must be an address such as http://localhost:11434/v1'
  const url = new URL(endpoint)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not hold a name or a password: the key has a field of its own'
  if (url.search !== '' || url.hash !== '') return 'must not hold "?" or "#"'
  const address = literalAddress(url)
  if (address !== undefined && isForbiddenAddress(address)) return 'is an address that requests never go to'
  return undefined
}

/** Of an address that requests never go to. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError'
}

/**
 * The addresses that a request may connect to, in the order of the resolver. One forbidden address among them forbids the
 * name: such a name is set up to slip through.
 */
export const resolveEndpoint = async (url: URL): Promise<string[]> => {
  const literal = literalAddress(url)
  const addresses =
    literal === undefined
      ? (await process.getBuiltinModule('node:dns/promises').lookup(url.hostname, { all: true })).map(({ address }) => address)
      : [literal]
  if (addresses.some(isForbiddenAddress)) throw new ForbiddenAddressError('Requests never go to that address.')
  return addresses
}
