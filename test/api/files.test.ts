import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import type { HttpClient, Json } from '../support/http-client.ts'
import { file, link, makeTree } from '../support/library-tree.ts'
import { makeOddFiles, type OddFile } from '../support/odd-names.ts'
import { drawnPages, makeClip, makePicture, makeZip } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** API.md, 6: files, thumbnails and artwork. */

const CANARY = 'CANARY outside of every library'
/** Larger than what is read into memory at once, and no multiple of anything. */
const BIG_BYTES = 300_007
const HUGE_BYTES = 5 * 1024 ** 3
const MODIFIED = '2021-03-04T05:06:07.000Z'

let folder: TemporaryFolder
let server: TestServer
let user: HttpClient
let odd: OddFile[]
const ids = { games: 0, movies: 0, mixed: 0, manga: 0, tv: 0 }
const big = Buffer.from(Array.from({ length: BIG_BYTES }, (_, index) => (index * 31 + (index >> 8)) % 251))

const ACTIVE: Record<string, string> = {
  'page.html': '<script>alert(1)</script>',
  'page.HTM': '<script>alert(1)</script>',
  'page.xhtml': '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>',
  'page.xml': '<?xml-stylesheet href="x.xsl"?><a/>',
  'sheet.xsl': '<xsl:stylesheet version="1.0"/>',
  'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'drawing.svgz': 'x',
  'paper.pdf': '%PDF-1.7',
  'feed.rss': '<rss/>',
  'mail.eml': 'From: x',
  'page.mhtml': 'From: x',
  'script.js': 'alert(1)',
  'style.css': 'body{}',
  'site.webmanifest': '{}',
  'flash.swf': 'FWS',
  'no ending': '<script>alert(1)</script>',
  'two.jpg.html': '<script>alert(1)</script>',
  'data.json': '{}',
  'applet.jar': 'PK',
}
/** Types that a browser shows and that run nothing; whatever is in them, `nosniff` keeps it to the type. */
const PASSIVE: Record<string, string> = {
  'polyglot.jpg': '<html><script>alert(1)</script>',
  'polyglot.png': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'clip.mp4': '<html>',
  'notes.txt': '<script>alert(1)</script>',
}

const writeHuge = (path: string): void => {
  const handle = openSync(path, 'w')
  ftruncateSync(handle, HUGE_BYTES)
  writeSync(handle, 'past four gigabytes', 4_500_000_000)
  closeSync(handle)
}

beforeAll(async () => {
  folder = await temporaryFolder('files')
  const at = (path: string): string => join(folder.path, path)
  makeTree(folder.path, {
    'outside.txt': CANARY,
    'mixed-private': { 'secret.txt': CANARY },
    mixed: {
      'ten.bin': file({ content: '0123456789', modified: MODIFIED }),
      'big.bin': file({ content: big, modified: MODIFIED }),
      'empty.bin': file({ content: '', modified: MODIFIED }),
      'will go.txt': 'here for now',
      'will change.txt': 'before',
      'will be a link.txt': 'mine',
      ...ACTIVE,
      ...PASSIVE,
      'to inside.bin': link('ten.bin'),
      'to outside.txt': link('../outside.txt'),
      'to private.txt': link('../mixed-private/secret.txt'),
      'to system.txt': link('/etc/passwd'),
      folder: { 'in a folder.txt': 'inside' },
    },
    games: {
      Solo: {
        'solo.zip': 'zip of Solo',
        'Solo.app': { Contents: { MacOS: { solo: 5 } } },
        'solo.tar.gz': 'tar of Solo',
        'readme.txt': CANARY,
      },
      'Only App': { 'Only.app': { Contents: { 'Info.plist': 5 } } },
      Series: { One: { 'one.zip': 5 } },
    },
    movies: {
      Alien: {
        'Alien.mkv': 'the film',
        'Alien-trailer.mkv': 'the trailer',
        extras: { 'Making of.mkv': 'the extra' },
        'private.key': CANARY,
      },
    },
    tv: { Show: { 'Season 1': { 'Show S01E01.mkv': 'an episode' } } },
    manga: { Book: { 'Book v02': {} } },
  })
  writeHuge(at('mixed/huge.bin'))
  odd = makeOddFiles(at('mixed/odd'), '.txt', 'odd ')
  await makePicture(at('mixed/picture.jpg'), { width: 2000, height: 1000 })
  await makePicture(at('mixed/small.png'), { width: 100, height: 50 })
  await makeClip(at('mixed/film.mp4'), { seconds: 1 })
  for (const [path, seed] of Object.entries({
    'games/Solo/cover.jpg': 1,
    'games/Solo/widecover.jpg': 2,
    'movies/Alien/poster.jpg': 3,
    'movies/Alien/fanart.jpg': 4,
    'games/Solo/screenshots/shot-1600000000000.jpg': 5,
    'games/Solo/screenshots/shot-1600000000001.jpg': 6,
  }))
    await makePicture(at(path), { width: 60 + seed, height: 40, seed })
  await makeZip(at('manga/Book/Book v01.cbz'), await drawnPages(2))
  await makePicture(at('manga/Book/Book v02/001.jpg'), { width: 300, height: 400 })
  server = await startServer({
    libraries: (Object.keys(ids) as (keyof typeof ids)[]).map((type) => ({ type, name: type, path: at(type) })),
  })
  await server.waitForScans()
  user = await server.as('user')
  for (const { name, id } of (await user.get('/api/libraries')).body.libraries) Object.assign(ids, { [name]: id })
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const fetchFile = (itemKey: string, query: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> =>
  user.fetch(`/api/files?${new URLSearchParams({ itemKey, ...query })}`, init)
const fetchMixed = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetchFile(`mixed_file:${ids.mixed}:${path}`, {}, { headers, method })
const codeOf = async (response: Response): Promise<[number, string]> => [response.status, (await response.json()).code]

/** What a Range header asks for, of a file of this size; `whole` is the answer to what is no single range. */
type Part = [first: number, last: number] | 'whole' | 416
const ranges = (size: number): [header: string, part: Part][] => [
  // One range.
  ['bytes=0-0', [0, 0]],
  ['bytes=0-4', [0, 4]],
  ['bytes=3-5', [3, 5]],
  ['bytes=9-9', [9, 9]],
  ['bytes=0-', [0, size - 1]],
  ['bytes=4-', [4, size - 1]],
  [`bytes=${size - 1}-`, [size - 1, size - 1]],
  [`bytes=0-${size - 1}`, [0, size - 1]],
  [`bytes=0-${size}`, [0, size - 1]],
  ['bytes=0-99999999', [0, size - 1]],
  ['bytes=0-18446744073709551616', [0, size - 1]],
  ['bytes=0-99999999999999999999999999999999', [0, size - 1]],
  [`bytes=2-${size + 5}`, [2, size - 1]],
  ['bytes=000-004', [0, 4]],
  // The last bytes.
  ['bytes=-1', [size - 1, size - 1]],
  ['bytes=-5', [size - 5, size - 1]],
  [`bytes=-${size - 1}`, [1, size - 1]],
  [`bytes=-${size}`, [0, size - 1]],
  [`bytes=-${size + 1}`, [0, size - 1]],
  ['bytes=-99999999999999999999', [0, size - 1]],
  // The unit's case, and blanks, do not matter.
  ['Bytes=0-4', [0, 4]],
  ['BYTES=0-4', [0, 4]],
  ['bytes= 0-4', [0, 4]],
  ['bytes=0-4 ', [0, 4]],
  ['bytes=0 - 4', [0, 4]],
  // Outside.
  [`bytes=${size}-`, 416],
  [`bytes=${size}-${size + 10}`, 416],
  [`bytes=${size + 1}-`, 416],
  ['bytes=99999999999-', 416],
  ['bytes=18446744073709551616-', 416],
  ['bytes=99999999999999999999999999999999-', 416],
  ['bytes=-0', 416],
  ['bytes=-000', 416],
  // Several at once are not worth their price.
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=0-1, 3-4', 'whole'],
  ['bytes=0-0,-1', 'whole'],
  ['bytes=0-,0-,0-,0-', 'whole'],
  [`bytes=${'0-,'.repeat(200)}0-`, 'whole'],
  ['bytes=0-4,', 'whole'],
  ['bytes=,0-4', 'whole'],
  // No range.
  ['bytes=', 'whole'],
  ['bytes', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=--5', 'whole'],
  ['bytes=-5-', 'whole'],
  ['bytes=0-4-', 'whole'],
  ['bytes=5-2', 'whole'],
  ['bytes=1-0', 'whole'],
  ['bytes=a-b', 'whole'],
  ['bytes=0x0-0x4', 'whole'],
  ['bytes=0-4;x=1', 'whole'],
  ['bytes=+0-4', 'whole'],
  ['bytes=0.0-4', 'whole'],
  ['bytes=1e0-4', 'whole'],
  ['bytes=0 4', 'whole'],
  ['bytes=\u00bd-4', 'whole'],
  ['bytes 0-4', 'whole'],
  ['bytes:0-4', 'whole'],
  ['0-4', 'whole'],
  ['items=0-4', 'whole'],
  ['octets=0-4', 'whole'],
  ['none', 'whole'],
  ['=0-4', 'whole'],
]

const SIZES = { small: 320, medium: 640, large: 1280 }

describe('a part of a file', () => {
  for (const [name, content] of [
    ['ten.bin', Buffer.from('0123456789')],
    ['big.bin', big],
  ] as const)
    test(`of ${content.length} bytes is what its Range header asks for`, async () => {
      const size = content.length
      const table = ranges(size)
      expect(table.length).toBeGreaterThanOrEqual(60)
      for (const [header, part] of table) {
        const response = await fetchMixed(name, { range: header })
        const body = Buffer.from(await response.arrayBuffer())
        const seen = [header, response.status, response.headers.get('content-range'), response.headers.get('content-length'), body.length]
        if (part === 416) {
          expect(seen.slice(0, 3)).toEqual([header, 416, `bytes */${size}`])
          expect(response.headers.get('content-type')).toBe('application/problem+json')
          expect(JSON.parse(body.toString())).toMatchObject({ status: 416, code: 'range_not_satisfiable', title: expect.any(String) })
          continue
        }
        const [first, last] = part === 'whole' ? [0, size - 1] : part
        const length = last - first + 1
        const contentRange = part === 'whole' ? null : `bytes ${first}-${last}/${size}`
        expect(seen).toEqual([header, part === 'whole' ? 200 : 206, contentRange, String(length), length])
        expect(body.equals(content.subarray(first, last + 1))).toBe(true)
        expect([header, response.headers.get('accept-ranges')]).toEqual([header, 'bytes'])
      }
    })

  test('of an empty file is nothing', async () => {
    for (const [header, status] of [
      ['bytes=0-0', 416],
      ['bytes=-1', 416],
      ['bytes=1-', 416],
      ['bytes=0-1,2-3', 200],
    ] as const) {
      const response = await fetchMixed('empty.bin', { range: header })
      const size = (await response.arrayBuffer()).byteLength
      expect([header, response.status, size]).toEqual([header, status, status === 416 ? expect.any(Number) : 0])
    }
    const whole = await fetchMixed('empty.bin')
    expect([whole.status, whole.headers.get('content-length'), await whole.text()]).toEqual([200, '0', ''])
  })

  test('may lie beyond four gigabytes', async () => {
    const response = await fetchMixed('huge.bin', { range: 'bytes=4500000000-4500000018' })
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([
      206,
      `bytes 4500000000-4500000018/${HUGE_BYTES}`,
      'past four gigabytes',
    ])
    const end = await fetchMixed('huge.bin', { range: 'bytes=-1' })
    expect([end.status, end.headers.get('content-range')]).toEqual([206, `bytes ${HUGE_BYTES - 1}-${HUGE_BYTES - 1}/${HUGE_BYTES}`])
    await end.body?.cancel()
    const outside = await fetchMixed('huge.bin', { range: `bytes=${HUGE_BYTES}-` })
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${HUGE_BYTES}`])
  })

  test('comes only while the file is the one that the first part came from', async () => {
    for (const name of ['ten.bin', 'big.bin']) {
      const whole = await fetchMixed(name, {}, 'HEAD')
      const etag = whole.headers.get('etag') ?? ''
      const modified = whole.headers.get('last-modified') ?? ''
      expect(modified).toBe(new Date(MODIFIED).toUTCString())
      expect(etag).toMatch(/^"[^"]+"$/)
      const conditions: [ifRange: string, status: number][] = [
        [etag, 206],
        [modified, 206],
        ['"other"', 200],
        [`W/${etag}`, 200],
        [etag.replace(/"$/, 'x"'), 200],
        [new Date(Date.parse(MODIFIED) - 1000).toUTCString(), 200],
        [new Date(Date.parse(MODIFIED) + 1000).toUTCString(), 200],
        ['yesterday', 200],
        ['', 200],
        ['*', 200],
      ]
      for (const [ifRange, status] of conditions) {
        const response = await fetchMixed(name, { range: 'bytes=2-3', 'if-range': ifRange })
        const body = Buffer.from(await response.arrayBuffer())
        expect([name, ifRange, response.status, body.length]).toEqual([
          name,
          ifRange,
          status,
          status === 206 ? 2 : Number(whole.headers.get('content-length')),
        ])
      }
      // A condition that fails makes a part that lies outside the whole, too.
      expect((await fetchMixed(name, { range: 'bytes=999999999-', 'if-range': '"other"' })).status).toBe(200)
    }
  })
})

describe('a file that somebody has already', () => {
  test('is not sent again', async () => {
    const first = await fetchMixed('big.bin', {}, 'HEAD')
    const etag = first.headers.get('etag') ?? ''
    const before = new Date(Date.parse(MODIFIED) - 1000).toUTCString()
    const same = new Date(MODIFIED).toUTCString()
    const cases: [headers: Record<string, string>, status: number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': `"a", ${etag}, "b"` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-none-match': etag, range: 'bytes=0-1' }, 304],
      [{ 'if-none-match': '"other"', range: 'bytes=0-1' }, 206],
      [{ 'if-modified-since': same }, 304],
      [{ 'if-modified-since': new Date().toUTCString() }, 304],
      [{ 'if-modified-since': before }, 200],
      [{ 'if-modified-since': 'not a date' }, 200],
      // The stronger of two validators decides.
      [{ 'if-none-match': '"other"', 'if-modified-since': same }, 200],
      [{ 'if-none-match': etag, 'if-modified-since': before }, 304],
    ]
    for (const method of ['GET', 'HEAD'])
      for (const [headers, status] of cases) {
        const response = await fetchMixed('big.bin', headers, method)
        const body = await response.arrayBuffer()
        expect([method, headers, response.status]).toEqual([method, headers, status])
        if (status === 304) expect([body.byteLength, response.headers.get('etag')]).toEqual([0, etag])
      }
  })

  test('is sent again once it has changed, also within the same second and to the same length', async () => {
    const path = join(folder.path, 'mixed/will change.txt')
    const first = await fetchMixed('will change.txt')
    const etag = first.headers.get('etag') ?? ''
    expect(await first.text()).toBe('before')
    const time = new Date(MODIFIED)
    utimesSync(path, time, time)
    const touched = (await fetchMixed('will change.txt')).headers.get('etag')
    expect(touched).not.toBe(etag)
    writeFileSync(`${path}.new`, 'after!')
    utimesSync(`${path}.new`, time, time)
    renameSync(`${path}.new`, path)
    const changed = await fetchMixed('will change.txt', { 'if-none-match': touched ?? '', range: 'bytes=0-4', 'if-range': touched ?? '' })
    expect([changed.status, await changed.text()]).toEqual([200, 'after!'])
  })
})

describe('HEAD', () => {
  test('says what GET would say, without the bytes', async () => {
    for (const name of ['ten.bin', 'big.bin', 'empty.bin', 'picture.jpg', 'page.html'])
      for (const range of [undefined, 'bytes=0-1', 'bytes=99999999-', 'bytes=0-1,2-3']) {
        const headers: Record<string, string> = range === undefined ? {} : { range }
        const [head, get] = [await fetchMixed(name, headers, 'HEAD'), await fetchMixed(name, headers)]
        expect(await head.text()).toBe('')
        await get.arrayBuffer()
        const told = (response: Response) => Object.fromEntries([...response.headers].filter(([key]) => key !== 'date'))
        expect([name, range, head.status, told(head)]).toEqual([name, range, get.status, told(get)])
      }
  })
})

describe('a file in our origin', () => {
  const guarded = async (path: string, query: Record<string, string> = {}) => {
    const response = await fetchFile(`mixed_file:${ids.mixed}:${path}`, query)
    await response.arrayBuffer()
    expect([path, response.status]).toEqual([path, 200])
    const { headers } = response
    expect([path, headers.get('x-content-type-options'), headers.get('cross-origin-resource-policy')]).toEqual([
      path,
      'nosniff',
      'same-origin',
    ])
    const policy = (headers.get('content-security-policy') ?? '').split(/;\s*/)
    const sandbox = policy.find((directive) => directive.startsWith('sandbox'))
    expect(policy).toContain("default-src 'none'")
    expect(policy.join()).not.toContain('script')
    expect(headers.get('cache-control')).toMatch(/^private/)
    return { sandbox, type: headers.get('content-type'), disposition: headers.get('content-disposition') ?? '' }
  }

  test('that a browser could run is a download of no type', async () => {
    for (const name of Object.keys(ACTIVE))
      for (const query of [{}, { download: '0' }, { download: '1' }] as Record<string, string>[]) {
        const { type, disposition, sandbox } = await guarded(name, query)
        expect([name, type, disposition.split(';')[0], sandbox]).toEqual([name, 'application/octet-stream', 'attachment', 'sandbox'])
      }
  })

  test('that a browser shows has the type of its ending, whatever is in it', async () => {
    const types = ['image/jpeg', 'image/png', 'video/mp4', 'text/plain; charset=utf-8']
    for (const [index, name] of Object.keys(PASSIVE).entries()) {
      const shown = await guarded(name)
      expect([name, shown.type, shown.disposition.split(';')[0]]).toEqual([name, types[index] ?? null, 'inline'])
      // Films need the origin to load themselves; scripts, forms and frames stay out either way.
      expect([name, shown.sandbox]).toEqual([name, expect.stringMatching(/^sandbox( allow-same-origin)?$/)])
      expect((await guarded(name, { download: '1' })).disposition).toStartWith('attachment;')
    }
  })

  test('under whatever name has one header line that says it', async () => {
    const indexed = odd.flatMap(({ fate, name, label }) => (fate === 'indexed' && name !== undefined ? [{ name, label }] : []))
    expect(indexed.length).toBeGreaterThan(30)
    for (const { name, label } of indexed) {
      const response = await fetchMixed(`odd/${name}`)
      expect([label, response.status, await response.text()]).toEqual([label, 200, `odd ${label}`])
      const disposition = response.headers.get('content-disposition') ?? ''
      const [, ascii, encoded] =
        /^inline; filename="([\x20\x21\x23-\x5b\x5d-\x7e]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(disposition) ?? []
      expect([label, ascii, encoded]).toEqual([label, expect.any(String), expect.any(String)])
      const said = decodeURIComponent(encoded ?? '')
      // What does not print, and what turns the direction of writing, is left out; the rest is the name.
      expect([label, said]).toEqual([label, name.replace(/\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')])
      expect(ascii).not.toMatch(/[\\/%]/)
    }
  })
})

describe('the file of an item', () => {
  const zip = (name: string, file?: string): Promise<Response> => fetchFile(`game:${ids.games}:${name}`, file === undefined ? {} : { file })

  test('is the main one, or the one that is named from its files', async () => {
    expect(await (await zip('Solo')).text()).toBe('zip of Solo')
    expect(await (await zip('Solo', 'solo.tar.gz')).text()).toBe('tar of Solo')
    const film = `movie:${ids.movies}:Alien`
    expect(await (await fetchFile(film)).text()).toBe('the film')
    const { files } = (await user.get('/api/items', { itemKey: film })).body.item
    for (const { name } of files) expect([name, (await fetchFile(film, { file: name })).status]).toEqual([name, 200])
    expect(files.map(({ role }: Json) => role)).toContain('extra')
    const episode = `tv_episode:${ids.tv}:Show/Season 1/Show S01E01.mkv`
    expect(await (await fetchFile(episode)).text()).toBe('an episode')
    expect(await (await fetchFile(episode, { file: 'Show S01E01.mkv' })).text()).toBe('an episode')
    expect((await fetchFile(`manga_volume:${ids.manga}:Book/Book v01.cbz`)).status).toBe(200)
  })

  test('that is a folder is none, whether it is named or the only one', async () => {
    expect(await codeOf(await zip('Solo', 'Solo.app'))).toEqual([400, 'not_a_file'])
    expect(await codeOf(await zip('Only App'))).toEqual([400, 'not_a_file'])
    expect(await codeOf(await fetchFile(`game:${ids.games}:Only App`, { file: 'Only.app', download: '1' }))).toEqual([400, 'not_a_file'])
  })

  test('is not there when the index does not name it, though the disk has it', async () => {
    const names = [
      ...[
        'readme.txt',
        'cover.jpg',
        'Solo.app/Contents/MacOS/solo',
        'screenshots/shot-1600000000000.jpg',
        '.',
        '..',
        './solo.zip',
        '/solo.zip',
        'SOLO.ZIP',
      ],
      ...[
        '../Solo/solo.zip',
        '../../outside.txt',
        join(folder.path, 'outside.txt'),
        'solo.zip/',
        'solo.zip\u0000',
        ' solo.zip',
        '%73olo.zip',
      ],
    ]
    for (const name of names) expect([name, ...(await codeOf(await zip('Solo', name)))]).toEqual([name, 404, 'not_found'])
    for (const name of ['private.key', 'poster.jpg', '../Alien/Alien.mkv'])
      expect([name, ...(await codeOf(await fetchFile(`movie:${ids.movies}:Alien`, { file: name })))]).toEqual([name, 404, 'not_found'])
    expect(await codeOf(await fetchFile(`mixed_file:${ids.mixed}:ten.bin`, { file: 'big.bin' }))).toEqual([404, 'not_found'])
  })

  test('that groups others has none of its own', async () => {
    for (const key of [
      `game_series:${ids.games}:Series`,
      `tv_series:${ids.tv}:Show`,
      `tv_season:${ids.tv}:Show/Season 1`,
      `manga_series:${ids.manga}:Book`,
    ])
      expect([key, ...(await codeOf(await fetchFile(key)))]).toEqual([key, 404, 'not_found'])
  })
})

describe('a link', () => {
  test('out of the library is nothing at all, a link inside it is the file', async () => {
    for (const name of ['to outside.txt', 'to private.txt', 'to system.txt']) {
      const response = await fetchMixed(name)
      const text = await response.text()
      expect([name, response.status]).toEqual([name, 404])
      expect(text).not.toContain('CANARY')
    }
    const inside = await fetchMixed('to inside.bin')
    expect([inside.status, await inside.text()]).toEqual([200, '0123456789'])
  })

  test('that takes the place of an indexed file, or of a folder above it, leads nowhere', async () => {
    const path = join(folder.path, 'mixed/will be a link.txt')
    expect(await (await fetchMixed('will be a link.txt')).text()).toBe('mine')
    rmSync(path)
    makeTree(join(folder.path, 'mixed'), { 'will be a link.txt': link('../outside.txt') })
    expect(await codeOf(await fetchMixed('will be a link.txt'))).toEqual([404, 'not_found'])
    renameSync(join(folder.path, 'mixed/folder'), join(folder.path, 'moved folder'))
    makeTree(join(folder.path, 'mixed'), { folder: link('../moved folder') })
    expect(await codeOf(await fetchMixed('folder/in a folder.txt'))).toEqual([404, 'not_found'])
  })
})

test('a file that is gone from the disk is not found, and neither is one whose place a folder has taken', async () => {
  expect((await fetchMixed('will go.txt')).status).toBe(200)
  rmSync(join(folder.path, 'mixed/will go.txt'))
  expect(await codeOf(await fetchMixed('will go.txt'))).toEqual([404, 'not_found'])
  makeTree(join(folder.path, 'mixed'), { 'will go.txt': { x: 1 } })
  expect((await fetchMixed('will go.txt')).status).toBe(400)
})

test('a download that is broken off leaves no open file behind', async () => {
  // Of files and connections: a thread that begins or ends meanwhile has others of its own.
  const count = async (): Promise<number> =>
    (await Bun.$`ls -l /proc/${server.pid}/fd`.quiet().nothrow()).stdout
      .toString()
      .split('\n')
      .filter((line) => !/-> (?:anon_inode|pipe):/.test(line)).length
  await fetchMixed('big.bin', {}, 'HEAD')
  const before = await count()
  for (let round = 0; round < 30; round += 1) {
    const stop = new AbortController()
    const response = await fetchFile(`mixed_file:${ids.mixed}:huge.bin`, {}, { signal: stop.signal })
    await response.body?.getReader().read()
    stop.abort()
    await (await fetchMixed('big.bin', { range: 'bytes=0-100000' })).arrayBuffer()
  }
  await waitFor(
    async () => (await count()) <= before + 5 || undefined,
    60_000,
    () => 'There are still open files',
  )
})

describe('a thumbnail', () => {
  const get = (itemKey: string, query: Record<string, string> = {}) =>
    user.fetch(`/api/thumbnails?${new URLSearchParams({ itemKey, ...query })}`)

  test('that there cannot be is not there', async () => {
    for (const key of [
      `mixed_file:${ids.mixed}:ten.bin`,
      `mixed_file:${ids.mixed}:polyglot.jpg`,
      `mixed_file:${ids.mixed}:clip.mp4`,
      `game:${ids.games}:Only App`,
      `tv_series:${ids.tv}:Show`,
    ])
      expect([key, ...(await codeOf(await get(key)))]).toEqual([key, 404, 'no_thumbnail'])
    const key = `mixed_file:${ids.mixed}:picture.jpg`
    for (const query of [{ size: 'huge' }, { size: '320' }, { size: '' }] as Record<string, string>[])
      expect((await get(key, query)).status).toBe(400)
    expect(await codeOf(await get(`mixed_file:${ids.mixed}:none.jpg`))).toEqual([404, 'not_found'])
  })

  test('is WebP, as wide as its size says, of pictures, films and books alike', async () => {
    const keys = [
      ...['picture.jpg', 'film.mp4', 'small.png'].map((path) => `mixed_file:${ids.mixed}:${path}`),
      ...[
        `game:${ids.games}:Solo`,
        `movie:${ids.movies}:Alien`,
        `manga_volume:${ids.manga}:Book/Book v01.cbz`,
        `manga_volume:${ids.manga}:Book/Book v02`,
      ],
    ]
    for (const key of keys)
      for (const [size, width] of Object.entries(SIZES)) {
        const response = await get(key, { size })
        expect([key, size, response.status, response.headers.get('content-type')]).toEqual([key, size, 200, 'image/webp'])
        const picture = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
        expect(picture.format).toBe('webp')
        if (key.endsWith('picture.jpg')) expect([size, picture.width, picture.height]).toEqual([size, width, width / 2])
        else expect(picture.width).toBeLessThanOrEqual(width)
      }
    const plain = await sharp(Buffer.from(await (await get(keys[0] ?? '')).arrayBuffer())).metadata()
    expect(plain.width).toBe(SIZES.small)
  })

  test('may be kept for ever under the address that the entry gives, and its content is then what the address says', async () => {
    const itemKey = `mixed_file:${ids.mixed}:picture.jpg`
    const { thumbnailUrl } = (await user.get('/api/items', { itemKey })).body.item
    const first = await user.fetch(thumbnailUrl)
    expect(first.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    const bytes = Buffer.from(await first.arrayBuffer())
    expect((await get(itemKey)).headers.get('cache-control')).toBe('private, no-cache')
    await makePicture(join(folder.path, 'mixed/picture.jpg'), { width: 2000, height: 1000, seed: 9 })
    await server.scanAndWait(ids.mixed)
    const changed = (await user.get('/api/items', { itemKey })).body.item.thumbnailUrl
    expect(changed).not.toBe(thumbnailUrl)
    expect(Buffer.from(await (await user.fetch(changed)).arrayBuffer()).equals(bytes)).toBe(false)
    // Neither what the picture was called before, nor what it may be called one day, is kept with the picture of today.
    for (const url of [thumbnailUrl, `${changed}0`, thumbnailUrl.replace(/&v=.*/, '&v='), thumbnailUrl.replace(/&v=.*/, '&v=anything')]) {
      const other = await user.fetch(url)
      expect([url, other.status, other.headers.get('cache-control')]).toEqual([url, 200, 'private, no-cache'])
    }
  })

  test('is not sent twice, and a HEAD request is told how large it is', async () => {
    const itemKey = `mixed_file:${ids.mixed}:small.png`
    const path = `/api/thumbnails?${new URLSearchParams({ itemKey, size: 'medium' })}`
    const first = await user.fetch(path)
    const etag = first.headers.get('etag') ?? ''
    const bytes = (await first.arrayBuffer()).byteLength
    const again = await user.fetch(path, { headers: { 'if-none-match': etag } })
    expect([etag, again.status, await again.text()]).toEqual([expect.stringMatching(/^"[^"]+"$/), 304, ''])
    expect((await get(itemKey)).headers.get('etag')).not.toBe(etag)
    const head = await user.fetch(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes)])
  })

  test('is sent in parts, and a part outside it is refused like that of any file; so is one of the pages of the API', async () => {
    const itemKey = `mixed_file:${ids.mixed}:small.png`
    const version = (await user.get('/api/items', { itemKey })).body.item.thumbnailUrl
    for (const path of [version.replace(/^.*\/api/, '/api'), '/api/docs/swagger-ui.css']) {
      const whole = await (await user.fetch(path)).bytes()
      const part = await user.fetch(path, { headers: { range: 'bytes=1-9' } })
      expect([part.status, Buffer.from(await part.bytes())]).toEqual([206, Buffer.from(whole.subarray(1, 10))])
      for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
        const outside = await user.fetch(path, { headers: { range } })
        expect(outside.headers.get('content-range')).toBe(`bytes */${whole.length}`)
        expect(outside.headers.get('cache-control')).toBe('no-store')
        expect(await codeOf(outside)).toEqual([416, 'range_not_satisfiable'])
        expect((await user.fetch(path, { method: 'HEAD', headers: { range } })).status).toBe(416)
      }
      const head = await user.fetch(path, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
    }
  })

  test('that a power cut has left empty is made again', async () => {
    const itemKey = `mixed_file:${ids.mixed}:small.png`
    const bytes = async (): Promise<number> => (await (await get(itemKey, { size: 'medium' })).arrayBuffer()).byteLength
    const whole = await bytes()
    for (const name of new Bun.Glob('*/*.webp').scanSync({ cwd: join(server.dataDir, 'thumbnails'), absolute: true })) truncateSync(name, 0)
    expect([whole > 0, await bytes()]).toEqual([true, whole])
  })

  test('that nobody has asked for yet is made once, however many ask at the same time', async () => {
    await makePicture(join(folder.path, 'mixed/asked for.jpg'), { width: 900, height: 900, seed: 4 })
    await server.scanAndWait(ids.mixed)
    const answers = await Promise.all(Array.from({ length: 12 }, () => get(`mixed_file:${ids.mixed}:asked for.jpg`, { size: 'medium' })))
    const bodies = await Promise.all(answers.map(async (answer) => Bun.hash(await answer.arrayBuffer())))
    expect([new Set(answers.map(({ status }) => status)), new Set(bodies).size]).toEqual([new Set([200]), 1])
  })
})

describe('artwork', () => {
  const get = (itemKey: string, query: Record<string, string>) => user.fetch(`/api/artwork?${new URLSearchParams({ itemKey, ...query })}`)
  const widthOf = async (response: Response): Promise<number | undefined> =>
    (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width

  test('is the picture of its kind, byte for byte', async () => {
    const [solo, alien] = [`game:${ids.games}:Solo`, `movie:${ids.movies}:Alien`]
    const cases: [itemKey: string, query: Record<string, string>, path: string][] = [
      [solo, { kind: 'cover' }, 'games/Solo/cover.jpg'],
      [solo, { kind: 'widecover' }, 'games/Solo/widecover.jpg'],
      [solo, { kind: 'screenshot', name: 'shot-1600000000001.jpg' }, 'games/Solo/screenshots/shot-1600000000001.jpg'],
      [alien, { kind: 'poster' }, 'movies/Alien/poster.jpg'],
      [alien, { kind: 'backdrop' }, 'movies/Alien/fanart.jpg'],
    ]
    for (const [itemKey, query, path] of cases) {
      const response = await get(itemKey, query)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'image/jpeg'])
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      const bytes = Buffer.from(await response.arrayBuffer())
      expect([path, bytes.equals(Buffer.from(await Bun.file(join(folder.path, path)).arrayBuffer()))]).toEqual([path, true])
    }
  })

  test('may be kept for ever under the address that the item gives', async () => {
    const { coverUrl, wideCoverUrl, screenshots } = (await user.get('/api/items', { itemKey: `game:${ids.games}:Solo` })).body.item
    const widths: (number | undefined)[] = []
    for (const url of [coverUrl, wideCoverUrl, ...screenshots.map((shot: Json) => shot.url)]) {
      const response = await user.fetch(url)
      expect([url, response.headers.get('cache-control')]).toEqual([url, 'private, max-age=31536000, immutable'])
      widths.push(await widthOf(response))
      const other = await user.fetch(url.replace(/&v=[^&]*/, '&v=anything'))
      expect([url, other.status, other.headers.get('cache-control')]).toEqual([url, 200, 'private, no-cache'])
    }
    expect(widths).toEqual([61, 62, 65, 66])
  })

  test('is as small as it is asked for, never larger than it is, and what nobody can make smaller comes as it is', async () => {
    const [itemKey, root] = [`game:${ids.games}:Only App`, join(folder.path, 'games/Only App')]
    await makePicture(join(root, 'screenshots/shot-1600000000007.jpg'), { width: 2000, height: 1000 })
    await makePicture(join(root, 'screenshots/shot-1600000000008.jpg'), { width: 500, height: 250 })
    await Bun.write(join(root, 'widecover.jpg'), 'no picture at all')
    await server.scanAndWait(ids.games)
    const { screenshots, wideCoverUrl } = (await user.get('/api/items', { itemKey })).body.item
    const shot = (place: number, size: string) => user.fetch(`${screenshots[place].url}&size=${size}`)
    for (const [size, width] of Object.entries(SIZES)) {
      const response = await shot(0, size)
      expect([size, response.status, response.headers.get('content-type')]).toEqual([size, 200, 'image/webp'])
      expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
      expect([size, await widthOf(response)]).toEqual([size, width])
      // Of another size, it is another answer.
      const etag = response.headers.get('etag') ?? ''
      expect((await user.fetch(`${screenshots[0].url}&size=${size}`, { headers: { 'if-none-match': etag } })).status).toBe(304)
      expect((await shot(0, size === 'small' ? 'large' : 'small')).headers.get('etag')).not.toBe(etag)
    }
    expect(await widthOf(await shot(0, 'small'))).toBe(SIZES.small)
    expect([await widthOf(await shot(1, 'small')), await widthOf(await shot(1, 'large'))]).toEqual([SIZES.small, 500])
    const wide = await user.fetch(`${wideCoverUrl}&size=small`)
    expect([wide.status, await wide.text()]).toEqual([200, 'no picture at all'])
    // It may be that it could not be made smaller just then.
    expect(wide.headers.get('cache-control')).toBe('private, no-cache')
    expect((await shot(0, 'huge')).status).toBe(400)
    expect((await server.anonymous.fetch(`${screenshots[0].url}&size=small`)).status).toBe(401)
    expect((await user.fetch(`${screenshots[0].url.replace('shot-1600000000007', 'shot-1')}&size=small`)).status).toBe(404)
  })

  test('that is a folder by now, or a link out of the library, is as little there when it is to be small', async () => {
    const [itemKey, root] = [`game:${ids.games}:Only App`, join(folder.path, 'games/Only App')]
    const places = [17, 18].map((second) => join(root, `screenshots/shot-16000000000${second}.jpg`))
    for (const place of places) await makePicture(place, { width: 2000, height: 1000 })
    await server.scanAndWait(ids.games)
    const [turned = '', linked = ''] = places
    for (const place of places) rmSync(place)
    mkdirSync(turned)
    await makePicture(join(folder.path, 'outside.jpg'), { width: 2000, height: 1000 })
    symlinkSync(join(folder.path, 'outside.jpg'), linked)
    for (const place of places)
      for (const size of ['', 'small']) {
        const query = { kind: 'screenshot', name: basename(place), ...(size && { size }) }
        const answer = await codeOf(await get(itemKey, query))
        expect([query, ...answer]).toEqual([query, ...(place === linked ? [404, 'not_found'] : [400, 'not_a_file'])])
      }
    for (const place of places) rmSync(place, { recursive: true })
  })

  test('that was replaced since the last scan is kept by nobody under the address of the one before', async () => {
    const [itemKey, root] = [`game:${ids.games}:Replaced`, join(folder.path, 'games/Replaced')]
    await makePicture(join(root, 'cover.jpg'), { width: 800, height: 600 })
    await Bun.write(join(root, 'game.zip'), 'PK')
    await server.scanAndWait(ids.games)
    const { coverUrl } = (await user.get('/api/items', { itemKey })).body.item
    await makePicture(join(root, 'cover.jpg'), { width: 900, height: 700 })
    for (const url of [coverUrl, `${coverUrl}&size=small`]) {
      const response = await user.fetch(url)
      expect([url, response.headers.get('cache-control'), await widthOf(response)]).toEqual([url, 'private, no-cache', 900])
    }
  })

  test('of a library that is away is what is kept of it, and nothing is made anew', async () => {
    const [itemKey, root] = [`movie:${ids.movies}:Away`, join(folder.path, 'movies')]
    await makePicture(join(root, 'Away/poster.jpg'), { width: 1400, height: 2100 })
    await makePicture(join(root, 'Away/fanart.jpg'), { width: 1400, height: 900 })
    await Bun.write(join(root, 'Away/film.mkv'), 'no film')
    await server.scanAndWait(ids.movies)
    const { posterUrl, backdropUrl, thumbnailUrl } = (await user.get('/api/items', { itemKey })).body.item
    const thumbnail = await user.fetch(thumbnailUrl.replace('size=small', 'size=medium'))
    const thumbnailBytes = Bun.hash(await thumbnail.arrayBuffer())
    // The one that was asked for came first: the other is made by now as well.
    expect((await user.fetch(thumbnailUrl)).status).toBe(200)
    renameSync(root, `${root} away`)
    for (const isBare of [false, true]) {
      if (isBare) mkdirSync(root)
      const kept = await user.fetch(`${posterUrl}&size=medium`)
      expect([kept.status, kept.headers.get('etag'), kept.headers.get('cache-control')]).toEqual([
        200,
        thumbnail.headers.get('etag'),
        'private, no-cache',
      ])
      expect(Bun.hash(await kept.arrayBuffer())).toBe(thumbnailBytes)
      expect((await user.fetch(thumbnailUrl)).status).toBe(200)
      for (const url of [posterUrl, `${backdropUrl}&size=medium`]) expect([url, (await user.fetch(url)).status]).toEqual([url, 503])
    }
    rmdirSync(root)
    renameSync(`${root} away`, root)
    expect((await user.fetch(`${posterUrl}&size=medium`)).headers.get('cache-control')).toContain('immutable')
  })

  test('of another kind, name or item is not there', async () => {
    const solo = `game:${ids.games}:Solo`
    const missing: [itemKey: string, query: Record<string, string>][] = [
      [solo, { kind: 'poster' }],
      [solo, { kind: 'screenshot', name: 'cover.jpg' }],
      [solo, { kind: 'screenshot', name: '../cover.jpg' }],
      [solo, { kind: 'screenshot', name: 'screenshots/shot-1600000000000.jpg' }],
      [solo, { kind: 'screenshot', name: '' }],
      [`game:${ids.games}:Only App`, { kind: 'cover' }],
      [`mixed_file:${ids.mixed}:picture.jpg`, { kind: 'cover' }],
    ]
    for (const [itemKey, query] of missing) expect([query, ...(await codeOf(await get(itemKey, query)))]).toEqual([query, 404, 'not_found'])
    for (const query of [{}, { kind: 'Cover' }, { kind: 'nfo' }, { kind: '../cover' }, { kind: 'screenshot' }] as Record<string, string>[])
      expect((await get(solo, query)).status).toBe(400)
  })
})
