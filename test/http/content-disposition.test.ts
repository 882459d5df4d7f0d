import { expect, test } from 'bun:test'
import { contentDisposition } from '../../src/http/content-disposition.ts'
import { oddFiles } from '../support/odd-names.ts'

/** What a browser reads out of `filename*` (RFC 8187). */
const savedAs = (header: string): string => decodeURIComponent(/filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(header)?.[1] ?? '')

test('no name breaks out of its quotes or its line', () => {
  const names = [
    ...oddFiles('.jpg').flatMap(({ name }) => name ?? []),
    'a"; filename="b.exe',
    'a\r\nSet-Cookie: x=1',
    'a\\"b',
    '\ud800lone',
  ]
  for (const name of names) {
    const header = contentDisposition('attachment', name)
    expect(header).toMatch(/^attachment; filename="[^"\\]*"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/)
    expect(header).toMatch(/^[\x20-\x7e]*$/)
    expect(new Headers({ 'Content-Disposition': header }).get('Content-Disposition')).toBe(header)
  }
})

test('characters that turn the direction of writing are dropped, so that an ending cannot hide', () => {
  expect(savedAs(contentDisposition('attachment', 'photo\u202egpj.exe'))).toBe('photogpj.exe')
})

test('a name of nothing but control characters is called file', () => {
  expect(savedAs(contentDisposition('inline', '\u0007\u202e'))).toBe('file')
})

test('every other name is saved as it is', () => {
  for (const name of ['caf\u00e9.jpg', 'cafe\u0301.jpg', '\u5199\u771f (1).png', "it's 100%.mkv", '\u{1F3AC}.mp4', 'a*b;c=d,e.txt'])
    expect(savedAs(contentDisposition('attachment', name))).toBe(name)
})
