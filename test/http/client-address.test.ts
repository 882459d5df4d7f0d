import { describe, expect, test } from 'bun:test'
import { addressSet } from '../../src/http/address-range.ts'
import { seenFrom } from '../../src/http/client-address.ts'

type HeaderSet = Record<string, string>

const SPOOFS: HeaderSet[] = [
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '::1' },
  { 'x-forwarded-for': '10.0.0.1' },
  { 'x-forwarded-for': '192.168.0.1, 10.0.0.1' },
  { 'x-forwarded-for': '127.0.0.1, 203.0.113.77' },
  { 'x-forwarded-for': '::ffff:127.0.0.1' },
  { 'x-forwarded-for': '[::1]:80' },
  { 'x-forwarded-for': 'localhost' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-for': ',,,' },
  { 'x-forwarded-for': Array.from({ length: 500 }, (_, n) => `10.0.${n >> 8}.${n & 255}`).join(',') },
  { 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-Proto': 'https' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-proto': 'HTTPS' },
  { 'x-forwarded-proto': 'https, http' },
  { 'x-forwarded-ssl': 'on' },
  { 'x-forwarded-scheme': 'https' },
  { 'x-url-scheme': 'https' },
  { 'front-end-https': 'on' },
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '443' },
  { 'x-real-ip': '127.0.0.1' },
  { 'true-client-ip': '127.0.0.1' },
  { 'cf-connecting-ip': '127.0.0.1' },
  { 'x-client-ip': '127.0.0.1' },
  { 'x-cluster-client-ip': '127.0.0.1' },
  { 'x-originating-ip': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1;proto=https;host=evil.example' },
  { forwarded: 'for="[::1]:4711";proto=https' },
  { forwarded: 'for=10.0.0.1, for=127.0.0.1' },
  { forwarded: 'for=_hidden;by=127.0.0.1' },
  { via: '1.1 127.0.0.1', 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1;proto=https' },
]

describe('forwarding headers of a peer that is no trusted proxy', () => {
  test.each(SPOOFS.map((headers, n) => [n, headers] as const))('change nothing: set %d', (_, headers) => {
    for (const trusted of [[], ['10.0.0.0/8', '::1/128']]) {
      const peer = { address: '203.0.113.5', isSecure: false, headers: new Headers({ host: 'media.example', ...headers }) }
      expect(seenFrom(peer, addressSet(trusted))).toEqual({
        address: '203.0.113.5',
        isHidden: false,
        isSecure: false,
        host: 'media.example',
      })
    }
  })
})

describe('forwarding headers of a trusted proxy', () => {
  const isTrusted = addressSet(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])
  const cases: [name: string, headers: HeaderSet, address: string, isSecure: boolean][] = [
    ['none at all', {}, '10.0.0.1', false],
    ['the client alone', { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }, '203.0.113.9', true],
    ['what the client made up stands left of what the proxy saw', { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }, '203.0.113.9', false],
    ['another trusted proxy between', { 'x-forwarded-for': '192.168.0.1, 203.0.113.9, 10.0.0.7' }, '203.0.113.9', false],
    ['trusted addresses only', { 'x-forwarded-for': '10.0.0.9, 10.0.0.7' }, '10.0.0.9', false],
    ['nonsense left of the client', { 'x-forwarded-for': 'unknown, 203.0.113.9' }, '203.0.113.9', false],
    ['nonsense from the proxy itself', { 'x-forwarded-for': '127.0.0.1, unknown' }, '10.0.0.1', false],
    ['a port', { 'x-forwarded-for': '203.0.113.9:5000' }, '203.0.113.9', false],
    ['IPv6 with a port', { 'x-forwarded-for': '[2001:db8::9]:5000' }, '2001:db8::9', false],
    ['IPv4 mapped into IPv6', { 'x-forwarded-for': '::ffff:203.0.113.9' }, '203.0.113.9', false],
    ['plain http', { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' }, '203.0.113.9', false],
    ['the scheme alone', { 'x-forwarded-proto': 'https' }, '10.0.0.1', true],
    ['RFC 7239', { forwarded: 'for=203.0.113.9;proto=https;by=10.0.0.1' }, '203.0.113.9', true],
    ['RFC 7239 with a made up hop', { forwarded: 'for=127.0.0.1;proto=https, for="[2001:db8::9]:4711";proto=http' }, '2001:db8::9', false],
    ['RFC 7239 with a hidden client', { forwarded: 'for=_secret;proto=https' }, '10.0.0.1', true],
    ['both kinds', { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=127.0.0.1' }, '203.0.113.9', false],
    ['a prototype for a name', { forwarded: '__proto__=127.0.0.1;for=203.0.113.9' }, '203.0.113.9', false],
  ]
  test.each(cases)('%s', (name, headers, address, isSecure) => {
    const peer = { address: '10.0.0.1', isSecure: false, headers: new Headers({ host: 'inner:3000', ...headers }) }
    // The proxy's own address then, which says nothing of where they are.
    const isHidden = /nonsense from the proxy|hidden client/.test(name)
    expect(seenFrom(peer, isTrusted)).toEqual({ address, isHidden, isSecure, host: 'inner:3000' })
  })

  test('name the host that the browser asked for', () => {
    const host = (headers: HeaderSet) =>
      seenFrom({ address: '::ffff:10.0.0.1', isSecure: false, headers: new Headers(headers) }, isTrusted).host
    expect(host({ host: 'inner:3000', 'x-forwarded-host': 'Media.Example' })).toBe('media.example')
    expect(host({ host: 'inner:3000', 'x-forwarded-host': 'a b' })).toBe('inner:3000')
    expect(host({ host: 'a.example, b.example' })).toBe('')
    expect(host({ host: '[::1]:3000' })).toBe('[::1]:3000')
  })
})
