import { expect, test } from 'bun:test'
import { serverAddress } from '../../src/domain/server-address.ts'

test.each([
  ['0.0.0.0', '', 'http://localhost:3000/'],
  ['::', '', 'http://localhost:3000/'],
  ['[::]', '/media', 'http://localhost:3000/media/'],
  ['::1', '', 'http://[::1]:3000/'],
  ['[::1]', '', 'http://[::1]:3000/'],
  ['fe80::1%eth0', '', 'http://[fe80::1]:3000/'],
  ['192.168.1.5', '/x', 'http://192.168.1.5:3000/x/'],
  ['media.home', '', 'http://media.home:3000/'],
])('a server that listens on %s%s is at an address that can be opened', (host, basePath, address) => {
  expect(serverAddress({ host, port: 3000, basePath })).toBe(address)
  expect(new URL(address).href).toBe(address)
})
