import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { HttpClient, Json } from '../support/http-client.ts'
import { runProgram } from '../support/program.ts'
import { rar4, rar5 } from '../support/rar-file.ts'
import { drawnPicture, makeZip } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

setDefaultTimeout(120_000)

let scene: ScanScene
let admin: HttpClient
let root: string
const pictures: Record<string, Buffer> = {}
const volumeKey = (path: string): string => `manga_volume:${scene.idOf('manga')}:Berserk/${path}`
const list = (path: string) => admin.get('/api/manga/pages', { itemKey: volumeKey(path) })
const pageUrl = (path: string, more: string): string => `/api/manga/page?itemKey=${encodeURIComponent(volumeKey(path))}&${more}`
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer())

const COMIC_INFO = `<?xml version="1.0"?><ComicInfo><Title>The Black Swordsman</Title><Number>7</Number><Volume>3</Volume><Manga>YesAndRightToLeft</Manga></ComicInfo>`

beforeAll(async () => {
  const draw = async (name: string, width: number, height: number): Promise<void> => {
    pictures[name] = await drawnPicture({ width, height, seed: width })
      .toFormat(name.endsWith('png') ? 'png' : 'jpeg')
      .toBuffer()
  }
  await draw('1.jpg', 600, 900)
  await draw('2.png', 1300, 900)
  await draw('10.jpg', 601, 901)
  pictures['scan.tiff'] = await drawnPicture({ width: 300, height: 400 }).tiff().toBuffer()
  pictures['draw.svg'] = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="150"><script>alert(1)</script><rect width="100" height="150"/></svg>',
  )
  scene = await startScene(
    { manga: { Berserk: { 'readme.txt': 'x' }, Other: { 'v01.cbz': 'x' } }, mixed: { 'a.txt': 'a' } },
    { hasVideos: true },
  )
  admin = scene.admin
  root = join(scene.rootOf('manga'), 'Berserk')
  const at = (name: string): Buffer => pictures[name] ?? Buffer.alloc(0)
  const files = ['10.jpg', '2.png', '1.jpg'].map((name) => ({ name: `in/${name}`, data: at(name) }))
  await makeZip(join(root, 'v01.cbz'), {
    ...Object.fromEntries(files.map(({ name, data }) => [name, data])),
    '__MACOSX/in/._1.jpg': 'junk',
    'ComicInfo.xml': COMIC_INFO,
  })
  writeFileSync(join(root, 'v02.cbr'), rar4(files))
  writeFileSync(
    join(root, 'v03.cbr'),
    rar5([...files, { name: 'ComicInfo.xml', data: Buffer.from('<ComicInfo><Manga>No</Manga></ComicInfo>') }]),
  )
  mkdirSync(join(root, 'v04'))
  for (const name of ['1.jpg', '2.png', '10.jpg']) writeFileSync(join(root, 'v04', name), at(name))
  await makeZip(join(root, 'v05.cbz'), { 'a.tiff': at('scan.tiff'), 'b.svg': at('draw.svg'), 'c.jpg': 'no picture at all' })
  writeFileSync(join(root, 'v06.cbz'), 'PK\x03\x04 and nothing more')
  writeFileSync(join(root, 'v07.cbr'), rar5([{ name: 'a.jpg', data: Buffer.alloc(9), size: 1e6, compression: (3 << 7) | (15 << 10) }]))
  writeFileSync(join(root, 'v08.cb7'), '7z\xbc\xaf\x27\x1c')
  const png = await drawnPicture({ width: 800, height: 1200 }).png().toBuffer()
  for (const [ending, codec] of Object.entries({ bmp: 'bmp', jxl: 'libjxl' }))
    pictures[`1.${ending}`] = await runProgram(
      ['ffmpeg', '-nostdin', '-loglevel', 'error', '-f', 'png_pipe', '-i', 'pipe:0', '-c:v', codec, '-f', 'image2pipe', 'pipe:1'],
      png,
    )
  await makeZip(join(root, 'bmp.cbz'), { '1.bmp': at('1.bmp') })
  await makeZip(join(root, 'jxl.cbz'), { '1.png': at('1.jxl'), '2.jxl': at('1.jxl') })
  mkdirSync(join(root, 'jxl'))
  for (const name of ['1.jxl', '2.jxl']) writeFileSync(join(root, 'jxl', name), at('1.jxl'))
  await makeZip(join(root, 'extra.cbz'), { '1.jpg': at('1.jpg'), 'ComicInfo.xml': COMIC_INFO })
  await scene.scan('manga')
})
afterAll(() => scene[Symbol.asyncDispose]())

test('an archive that nobody has opened yet says how many pages it has, its series nothing', async () => {
  const pageCountOf = async (itemKey: string) => (await admin.get('/api/items', { itemKey })).body.item.pageCount
  for (const name of ['v01.cbz', 'v02.cbr']) {
    const isCounted = async () => ((await pageCountOf(volumeKey(name))) === 3 ? true : undefined)
    await waitFor(isCounted, 60_000, () => `The pages of ${name} are not counted`)
  }
  const series = `manga_series:${scene.idOf('manga')}:Berserk`
  await waitFor(
    async () => ((await admin.get('/api/items', { itemKey: series })).body.item.thumbhash === null ? undefined : true),
    60_000,
    () => 'The series has no picture',
  )
  expect(await pageCountOf(series)).toBeNull()
})

describe('what has no pages says so', () => {
  test('another item, another library, a volume that is not there', async () => {
    const others = [`manga_series:${scene.idOf('manga')}:Berserk`, `mixed_file:${scene.idOf('mixed')}:a.txt`]
    for (const itemKey of others) expect((await admin.get('/api/manga/pages', { itemKey })).status).toBe(400)
    const missing = [volumeKey('v99.cbz'), volumeKey('../v01.cbz')]
    for (const itemKey of missing) expect((await admin.get('/api/manga/pages', { itemKey })).status).toBe(404)
    const stranger = await scene.server.as('stranger', { libraryIds: [scene.idOf('mixed')] })
    expect((await stranger.get('/api/manga/pages', { itemKey: volumeKey('v01.cbz') })).status).toBe(404)
    expect((await stranger.fetch(pageUrl('v01.cbz', 'index=0'))).status).toBe(404)
  })
  test.each(['v06.cbz', 'v07.cbr', 'v08.cb7'])('%s: an archive that cannot be read', async (name) => {
    const { status, body } = await list(name)
    expect([status, body.code]).toEqual([422, 'pages_unreadable'])
    expect((await admin.fetch(pageUrl(name, 'index=0'))).status).toBe(422)
  })
  test('a volume whose disk is away, as an empty folder is left in its place, is not gone', async () => {
    const library = scene.rootOf('manga')
    renameSync(library, `${library} away`)
    mkdirSync(library)
    const { status, body } = await list('v01.cbz')
    rmdirSync(library)
    renameSync(`${library} away`, library)
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ code: 'unavailable', detail: 'The folder of the library is not there now.' }),
    ])
  })
  test('a page beyond the last, and a number that is none', async () => {
    expect((await admin.fetch(pageUrl('v01.cbz', 'index=3'))).status).toBe(404)
    for (const query of ['index=-1', 'index=x', 'index=1.5', '', 'index=0&width=0', 'index=0&width=1e9'])
      expect((await admin.fetch(pageUrl('v01.cbz', query))).status).toBe(400)
  })
})

describe.each(['v01.cbz', 'v02.cbr', 'v03.cbr', 'v04'])('%s', (name) => {
  test('lists its pages in natural order with their sizes', async () => {
    const { status, body } = await list(name)
    expect(status).toBe(200)
    expect(body.pages.map(({ index, width, height }: Json) => [index, width, height])).toEqual([
      [0, 600, 900],
      [1, 1300, 900],
      [2, 601, 901],
    ])
    expect(body.readingDirection).toBe(name === 'v03.cbr' ? 'ltr' : 'rtl')
    expect((await admin.get('/api/items', { itemKey: volumeKey(name) })).body.item.pageCount).toBe(3)
  })
  test('gives each page as it lies in there', async () => {
    for (const [index, picture] of ['1.jpg', '2.png', '10.jpg'].entries()) {
      const response = await admin.fetch(pageUrl(name, `index=${index}`))
      expect(response.headers.get('content-type')).toBe(picture.endsWith('png') ? 'image/png' : 'image/jpeg')
      expect((await bytesOf(response)).equals(pictures[picture] ?? Buffer.alloc(0))).toBe(true)
    }
  })
})

test('the address of a page in the list may be kept for ever, and changes with the file', async () => {
  const [{ url }] = (await list('v01.cbz')).body.pages
  const response = await admin.fetch(url)
  expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  const etag = response.headers.get('etag') ?? ''
  expect((await admin.fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  expect((await admin.fetch(pageUrl('v01.cbz', 'index=0'))).headers.get('cache-control')).toBe('private, no-cache')
  utimesSync(join(root, 'v01.cbz'), new Date(), new Date(Date.now() - 5000))
  const [again] = (await list('v01.cbz')).body.pages
  expect(again.url).not.toBe(url)
  const changed = await admin.fetch(again.url)
  expect(changed.headers.get('etag')).not.toBe(etag)
  expect(changed.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  // The old address is not to be kept with the new page.
  expect((await admin.fetch(url)).headers.get('cache-control')).toBe('private, no-cache')
})

test('a smaller page is made once, and kept; a larger one than there is stays as it is', async () => {
  const cached = (): string[] => (existsSync(join(scene.folder, 'data/pages')) ? readdirSync(join(scene.folder, 'data/pages')) : [])
  const before = cached().length
  for (const width of [300, 310]) {
    const response = await admin.fetch(pageUrl('v01.cbz', `index=1&width=${width}`))
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect((await sharp(await bytesOf(response)).metadata()).width).toBe(320)
  }
  expect(cached().length).toBe(before + 1)
  expect((await bytesOf(await admin.fetch(pageUrl('v01.cbz', 'index=0&width=2000')))).equals(pictures['1.jpg'] ?? Buffer.alloc(0))).toBe(
    true,
  )
  expect(cached().length).toBe(before + 1)
})

test('what a browser does not show, or might run, becomes a picture', async () => {
  const { pages } = (await list('v05.cbz')).body
  expect(pages.map(({ width, height }: Json) => [width, height])).toEqual([
    [300, 400],
    [100, 150],
    [null, null],
  ])
  for (const index of [0, 1]) {
    const response = await admin.fetch(pageUrl('v05.cbz', `index=${index}`))
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect((await sharp(await bytesOf(response)).metadata()).format).toBe('webp')
  }
  expect((await admin.fetch(pageUrl('v05.cbz', 'index=2'))).status).toBe(422)
})

test('a bitmap is a page as it lies there, or smaller, and the picture of its volume', async () => {
  const [page] = (await list('bmp.cbz')).body.pages
  expect([page.width, page.height]).toEqual([800, 1200])
  const whole = await admin.fetch(page.url)
  expect(whole.headers.get('content-type')).toBe('image/bmp')
  expect((await bytesOf(whole)).equals(pictures['1.bmp'] ?? Buffer.alloc(0))).toBe(true)
  const { format, width, height } = await sharp(await bytesOf(await admin.fetch(`${page.url}&width=320`))).metadata()
  expect([format, width, height]).toEqual(['webp', 320, 480])
  expect((await admin.get('/api/thumbnails', { itemKey: volumeKey('bmp.cbz'), size: 'small' })).status).toBe(200)
})

test.each(['jxl.cbz', 'jxl'])('pages that are JPEG XL, also by another name, become pictures that browsers show: %s', async (volume) => {
  const { pages } = (await list(volume)).body
  const sizes: Json[] = []
  for (const { width, height } of pages) sizes.push([width, height])
  for (const query of ['', '&width=320']) {
    const { format, width, height } = await sharp(await bytesOf(await admin.fetch(`${pages[1].url}${query}`))).metadata()
    sizes.push([format, width, height])
  }
  expect(sizes).toEqual([
    [800, 1200],
    [800, 1200],
    ['webp', 800, 1200],
    ['webp', 320, 480],
  ])
  expect((await admin.get('/api/thumbnails', { itemKey: volumeKey(volume), size: 'small' })).status).toBe(200)
})

test('a scan keeps the number of pages while the archive is the same, and ComicInfo.xml is not its business', async () => {
  expect((await admin.get('/api/items', { itemKey: volumeKey('extra.cbz') })).body.item.title).toBe('extra')
  await list('v02.cbr')
  writeFileSync(join(root, 'v09.cbr'), rar4([{ name: '1.jpg', data: pictures['1.jpg'] ?? Buffer.alloc(0) }]))
  const scan = await scene.scan('manga')
  expect(scan.added).toBe(1)
  // The folder's time has changed, and v01 was touched before.
  expect(scan.updated).toBeLessThanOrEqual(2)
  expect((await admin.get('/api/items', { itemKey: volumeKey('v02.cbr') })).body.item.pageCount).toBe(3)
  renameSync(join(root, 'v09.cbr'), join(root, 'v02.cbr'))
  await scene.scan('manga')
  expect((await list('v02.cbr')).body.pages).toHaveLength(1)
})

test('a refresh takes title, numbers and direction from ComicInfo.xml, and no scan takes them back', async () => {
  const itemKey = volumeKey('extra.cbz')
  const without = await scene.server.as('reader', { permissions: { editMetadata: false } })
  expect((await without.post('/api/manga/refresh', { itemKey })).status).toBe(403)
  const { status, body } = await admin.post('/api/manga/refresh', { itemKey })
  const expected = { title: 'The Black Swordsman', volumeNumber: 3, chapterNumber: 7, readingDirection: 'rtl', pageCount: 1 }
  expect(status).toBe(200)
  expect(body.item).toMatchObject(expected)
  const latest = {
    libraryId: scene.idOf('manga'),
    parentKey: `manga_series:${scene.idOf('manga')}:Berserk`,
    sort: 'updated',
    order: 'desc',
  }
  expect((await admin.get('/api/browse', latest)).body.entries[0].itemKey).toBe(itemKey)
  writeFileSync(join(root, 'another.txt'), 'so that the folder is read again')
  expect((await scene.scan('manga')).status).toBe('done')
  expect((await admin.get('/api/items', { itemKey })).body.item).toMatchObject(expected)
})

test('chapters of a volume that only ComicInfo.xml tells of are read in its order, before the next volume', async () => {
  const folder = join(scene.rootOf('manga'), 'Told')
  mkdirSync(folder)
  const chapters = { 'x-apple': [1, 2], 'y-zebra': [1, 1], 'z-moon': [2, 1] }
  for (const [name, [volume, number]] of Object.entries(chapters)) {
    const comicInfo = `<ComicInfo><Volume>${volume}</Volume><Number>${number}</Number><Title>${name.slice(2)}</Title></ComicInfo>`
    await makeZip(join(folder, `${name}.cbz`), { '1.jpg': pictures['1.jpg'] ?? Buffer.alloc(0), 'ComicInfo.xml': comicInfo })
  }
  await scene.scan('manga')
  const keyOf = (name: string): string => `manga_volume:${scene.idOf('manga')}:Told/${name}.cbz`
  for (const name of Object.keys(chapters)) expect((await admin.post('/api/manga/refresh', { itemKey: keyOf(name) })).status).toBe(200)
  const { entries } = (
    await admin.get('/api/browse', { libraryId: scene.idOf('manga'), parentKey: `manga_series:${scene.idOf('manga')}:Told` })
  ).body
  expect(entries.map(({ title }: Json) => title)).toEqual(['zebra', 'apple', 'moon'])
})

test('a volume whose ComicInfo.xml has no title is called what its file is, also once that is renamed', async () => {
  const comicInfo = '<ComicInfo><Volume>8</Volume></ComicInfo>'
  await makeZip(join(root, 'special.cbz'), { '1.jpg': pictures['1.jpg'] ?? Buffer.alloc(0), 'ComicInfo.xml': comicInfo })
  await scene.scan('manga')
  expect((await admin.post('/api/manga/refresh', { itemKey: volumeKey('special.cbz') })).body.item).toMatchObject({
    title: 'special',
    volumeNumber: 8,
  })
  renameSync(join(root, 'special.cbz'), join(root, 'finale.cbz'))
  expect(await scene.scan('manga')).toMatchObject({ moved: 1 })
  expect((await admin.get('/api/items', { itemKey: volumeKey('finale.cbz') })).body.item).toMatchObject({
    title: 'finale',
    volumeNumber: 8,
  })
})

test('a volume that is called like another one until the next scan tells nothing of that one', async () => {
  const folder = join(scene.rootOf('manga'), 'Renamed')
  mkdirSync(folder)
  const page = pictures['1.jpg'] ?? Buffer.alloc(0)
  await makeZip(join(folder, 'v30.cbz'), { '1.jpg': page })
  await makeZip(join(folder, 'v31.cbz'), { '1.jpg': page, '2.jpg': page, 'ComicInfo.xml': COMIC_INFO })
  await scene.scan('manga')
  const keyOf = (name: string): string => `manga_volume:${scene.idOf('manga')}:Renamed/${name}.cbz`
  const itemOf = async (name: string) => (await admin.get('/api/items', { itemKey: keyOf(name) })).body.item
  const pagesOf = async (name: string) => (await admin.get('/api/manga/pages', { itemKey: keyOf(name) })).body.pages.length
  await waitFor(
    async () => ((await itemOf('v30')).pageCount === 1 && (await itemOf('v31')).pageCount === 2 ? true : undefined),
    60_000,
    () => 'The pages are not counted',
  )
  renameSync(join(folder, 'v30.cbz'), join(folder, 'v39.cbz'))
  renameSync(join(folder, 'v31.cbz'), join(folder, 'v30.cbz'))
  expect(await pagesOf('v30')).toBe(2)
  expect((await scene.scan('manga')).moved).toBe(2)
  expect(await itemOf('v39')).toMatchObject({ readingDirection: null, pageCount: 1 })
  expect([await pagesOf('v39'), await pagesOf('v30')]).toEqual([1, 2])
})
