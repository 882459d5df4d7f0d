import { describe, expect, test } from 'bun:test'
import { addressSet, isLocalAddress, parseAddress } from '../../src/http/address-range.ts'

describe('the local network', () => {
  test.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '192.167.1.1', '192.169.1.1', '169.253.1.1', '100.64.0.1', '0.0.0.0', '11.0.0.1'])(
    'is not %s',
    (a) => {
      expect(isLocalAddress(a)).toBe(false)
      expect(isLocalAddress(`::ffff:${a}`)).toBe(false)
    },
  )
  test.each([
    '2001:db8::1',
    '::',
    'fec0::1',
    'fe00::1',
    'ff02::1',
    '2130706433',
    '0x7f.1',
    '127.1',
    'localhost',
    '',
    '10.0.0.1.example.com',
    '::ffff:8.8.8.8',
  ])('is not %p', (a) => expect(isLocalAddress(a)).toBe(false))
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.9.9',
    '::ffff:192.168.1.1',
    '::ffff:c0a8:101',
    '::1',
    'fd12::1',
    'fc00::1',
    'fe80::1%eth0',
    'FE80::ABCD',
  ])('is %s', (a) => expect(isLocalAddress(a)).toBe(true))
})

describe('a set of ranges', () => {
  test.each([
    '',
    'x',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '::ffff:10.0.0.0/95',
    '10.0.0/8',
    '10.0.0.0/a',
    'localhost',
  ])('does not take %p', (range) => expect(() => addressSet([range])).toThrow('is not a range of addresses'))
  test('takes single addresses, all of IPv4 and mapped addresses', () => {
    expect(addressSet(['10.0.0.5'])('10.0.0.5')).toBe(true)
    expect(addressSet(['10.0.0.5'])('10.0.0.6')).toBe(false)
    expect(addressSet(['0.0.0.0/0'])('8.8.8.8')).toBe(true)
    expect(addressSet(['0.0.0.0/0'])('2001:db8::1')).toBe(false)
    expect(addressSet(['::1'])('::1')).toBe(true)
    expect(addressSet(['::ffff:10.0.0.0/104'])('10.1.2.3')).toBe(true)
    expect(addressSet(['::ffff:10.0.0.0/104'])('11.1.2.3')).toBe(false)
    expect(addressSet([])('127.0.0.1')).toBe(false)
  })
  test('reads addresses in every spelling that proxies use', () => {
    expect(parseAddress(' [::1]:80 ')).toBe('::1')
    expect(parseAddress('1.2.3.4:80')).toBe('1.2.3.4')
    expect(parseAddress('FE80::1%en0')).toBe('fe80::1')
    expect(parseAddress('1.2.3.4.5')).toBeUndefined()
    expect(parseAddress('[::1')).toBeUndefined()
  })
})
