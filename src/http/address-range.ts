/** Addresses, and ranges of them in CIDR notation (RFC 4632). */

/** Loaded when an address is looked at: with the streams and the DNS that it brings along it would be a seventh of each start. */
const net = () => process.getBuiltinModule('node:net')

/** Says whether an address lies in a set of ranges. */
export type AddressSet = (address: string) => boolean

interface AddressRange {
  address: string
  version: 4 | 6
  /** How many bits of its addresses are the same. */
  prefix: number
}

/** RFC 1122 loopback, RFC 1918 private, RFC 3927 and RFC 4291 link-local, RFC 4193 unique local. */
const LOCAL_RANGES = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '::1/128', 'fc00::/7', 'fe80::/10']

const BITS = { 4: 32, 6: 128 } as const
const FAMILY = { 4: 'ipv4', 6: 'ipv6' } as const
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

export const versionOf = (address: string | undefined): 4 | 6 | undefined => {
  const version = net().isIP(address ?? '')
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

/** A single address is the range that holds it alone. Undefined where the text is neither. */
export const parseAddressRange = (text: string): AddressRange | undefined => {
  const [written = '', bits, ...rest] = text.split('/')
  const address = net().isIP(written) ? parseAddress(written) : undefined
  const version = versionOf(address)
  if (!address || !version || rest.length > 0) return undefined
  if (bits === undefined) return { address, version, prefix: BITS[version] }
  // `::ffff:10.0.0.0/104`: the first 96 bits only say that IPv4 follows.
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) - (version === 4 && written.includes(':') ? 96 : 0) : -1
  return prefix >= 0 && prefix <= BITS[version] ? { address, version, prefix } : undefined
}

/** The addresses in these ranges. Throws where one is none. */
export const addressSet = (ranges: readonly string[]): AddressSet => {
  if (ranges.length === 0) return () => false
  const { BlockList } = net()
  const list = new BlockList()
  for (const text of ranges) {
    const range = parseAddressRange(text)
    if (!range) throw new Error(`${text} is not a range of addresses`)
    list.addSubnet(range.address, range.prefix, FAMILY[range.version])
  }
  return (text) => {
    const address = parseAddress(text)
    const version = versionOf(address)
    return address !== undefined && version !== undefined && list.check(address, FAMILY[version])
  }
}

let localAddresses: AddressSet | undefined

/** Loopback, private and link-local addresses: the household's own network. */
export const isLocalAddress: AddressSet = (text) => {
  localAddresses ??= addressSet(LOCAL_RANGES)
  return localAddresses(text)
}
