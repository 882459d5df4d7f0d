import { describe, expect, test } from 'bun:test'
import { endpointProblem, isForbiddenAddress, literalAddress, resolveEndpoint } from '../../src/ai/endpoint-address.ts'

/** Addresses that hand out a machine's own credentials, in every way of writing them; and those of local models. */

const FORBIDDEN = [
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254:80/',
  'https://169.254.169.254/',
  'http://169.254.0.1/',
  'http://169.254.255.255/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0xA9.0xFE.0xA9.0xFE/',
  'http://0251.0376.0251.0376/',
  'http://025177524776/',
  'http://169.254.43518/',
  'http://169.16689662/',
  'http://169.254.169.254./',
  'http://%31%36%39.254.169.254/',
  'http://１６９.254.169.254/',
  'http://169。254。169。254/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[::169.254.169.254]/',
  'http://[::ffff:0:169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/computeMetadata/v1',
  'http://[fd00:c1::a9fe:a9fe]/',
  'http://[ff02::1]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
]

const NO_ENDPOINT = [
  'file:///etc/passwd',
  'gopher://localhost:70/',
  'ftp://localhost/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'blob:http://localhost/x',
  'ws://localhost/',
  'unix:/run/docker.sock',
  '//localhost/v1',
  'localhost',
  'localhost:11434',
  '/v1',
  'http://',
  'http://a b/',
  'http://user@localhost/',
  'http://user:pass@localhost/',
  'http://localhost/?x=1',
  'http://localhost/#x',
]

const ALLOWED = [
  'http://localhost:11434/v1',
  'http://127.0.0.1:8080',
  'http://127.1/',
  'http://[::1]:1234/v1/',
  'http://192.168.1.20:11434/v1',
  'http://10.0.0.5/v1',
  'http://172.16.0.9/v1',
  'http://172.31.255.1/v1',
  'http://100.64.0.7/v1',
  'http://[fd12:3456::1]/v1',
  'http://[::ffff:192.168.1.20]/v1',
  'https://api.example.com/v1',
  'https://openrouter.example/api/v1',
  'http://gpu-box.lan:8000/v1',
  'http://168.63.129.17/',
  'http://170.254.169.254/',
]

describe('an endpoint', () => {
  test('is tried in at least sixty ways', () => {
    expect(FORBIDDEN.length + NO_ENDPOINT.length + ALLOWED.length).toBeGreaterThanOrEqual(60)
  })

  test.each(FORBIDDEN)('is not %s', async (address) => {
    const url = new URL(address)
    const literal = literalAddress(url) ?? literalAddress(new URL(`http://${url.hostname.replace(/\.$/, '')}/`))
    expect(literal).toBeDefined()
    expect(isForbiddenAddress(literal ?? '')).toBe(true)
    await expect(resolveEndpoint(url)).rejects.toThrow()
  })

  test.each(NO_ENDPOINT)('is not %s', (address) => {
    expect(endpointProblem(address)).toBeString()
  })

  test.each(ALLOWED)('may be %s', (address) => {
    expect(endpointProblem(address)).toBeUndefined()
    const literal = literalAddress(new URL(address))
    if (literal !== undefined) expect(isForbiddenAddress(literal)).toBe(false)
  })

  test('by name is what the name leads to', async () => {
    expect(await resolveEndpoint(new URL('http://localhost:1/'))).toContain('127.0.0.1')
  })

  test('that is no address at all is forbidden', () => {
    for (const text of ['', 'localhost', '1.2.3', '::g']) expect(isForbiddenAddress(text)).toBe(true)
  })
})
