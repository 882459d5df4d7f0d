import { expect, test } from 'bun:test'
import { acceptsGzip } from '../../src/http/accept-encoding.ts'

test.each([
  null,
  undefined,
  '',
  'identity',
  'br',
  'gzip;q=0',
  'GZIP;q=0.0',
  'br, gzip;q=0',
  '*;q=0',
  'gzip;q=0, *',
  'notgzip',
  'deflate, x-gzipped',
])('gzip is not sent for %p', (header) => expect(acceptsGzip(header)).toBe(false))

test.each(['gzip', 'GZIP', 'br, gzip', 'gzip;q=0.1, br', 'gzip, deflate, br, zstd', '*', 'x-gzip', '*;q=0, gzip'])(
  'gzip may be sent for %p',
  (header) => expect(acceptsGzip(header)).toBe(true),
)
