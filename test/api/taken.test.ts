import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ORDERS, type Order } from '../../src/services/browse-sort.ts'
import type { Json } from '../support/http-client.ts'
import { runProgram } from '../support/program.ts'
import { drawnPicture, makeClip } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'

setDefaultTimeout(120_000)

/** When a picture was taken: `takenAt` of an item, and the order by it. */

const photo = (exif?: Record<string, string>): Promise<Buffer> => {
  const picture = drawnPicture({ width: 64, height: 48 })
  return (exif ? picture.withExif({ IFD2: exif }) : picture).jpeg().toBuffer()
}

/** By when they were taken; what does not tell stands where its file was changed. */
const IN_ORDER = [
  'old scan.jpg',
  'VID_20110102_030405.mp4',
  'offset.jpg',
  'clock.jpg',
  'note.txt',
  'IMG-20140102-WA0003.jpg',
  'clip.mp4',
  'plain.jpg',
  'nonsense.jpg',
  'Log 2008-01-02.txt',
  'new.jpg',
  'IMG_20020103_040506.jpg',
]
const CHANGED: Record<string, string> = {
  'Log 2008-01-02.txt': '2019-06-01',
  'note.txt': '2013-06-01',
  'plain.jpg': '2017-06-01',
  'nonsense.jpg': '2018-06-01',
}
const TAKEN: Record<string, string | null> = {
  'old scan.jpg': '1961-02-03T04:05:06.000Z',
  'offset.jpg': '2012-05-04T01:02:01.000Z',
  'clock.jpg': '2012-05-04T03:02:01.000Z',
  'note.txt': null,
  'clip.mp4': '2015-01-02T03:04:05.000Z',
  'plain.jpg': null,
  'nonsense.jpg': null,
  'new.jpg': '2024-05-04T03:02:01.000Z',
  'VID_20110102_030405.mp4': '2011-01-02T03:04:05.000Z',
  'IMG-20140102-WA0003.jpg': '2014-01-02T12:00:00.000Z',
  'Log 2008-01-02.txt': null,
  'IMG_20020103_040506.jpg': '2025-05-04T03:02:01.000Z',
}

let scene: ScanScene

beforeAll(async () => {
  await using sources = await temporaryFolder('taken')
  const clip = join(sources.path, 'clip.mp4')
  const source = await makeClip(join(sources.path, 'source.mp4'), { seconds: 1 })
  await runProgram(['ffmpeg', '-v', 'error', '-i', source, '-c', 'copy', '-metadata', 'creation_time=2015-01-02T03:04:05Z', clip])
  const film = { 'film.mp4': await Bun.file(clip).bytes(), 'poster.jpg': await photo({ DateTimeOriginal: '2024:05:04 03:02:01' }) }
  scene = await startScene(
    {
      mixed: {
        'old scan.jpg': await photo({ DateTimeOriginal: '0000:00:00 00:00:00', DateTimeDigitized: '1961:02:03 04:05:06' }),
        'offset.jpg': await photo({ DateTimeOriginal: '2012:05:04 03:02:01', OffsetTimeOriginal: '+02:00' }),
        'clock.jpg': await photo({ DateTimeOriginal: '2012:05:04 03:02:01' }),
        'note.txt': 10,
        'clip.mp4': await Bun.file(clip).bytes(),
        'VID_20110102_030405.mp4': await Bun.file(source).bytes(),
        'IMG-20140102-WA0003.jpg': await photo(),
        'Log 2008-01-02.txt': 10,
        'IMG_20020103_040506.jpg': await photo({ DateTimeOriginal: '2025:05:04 03:02:01' }),
        'plain.jpg': await photo(),
        'nonsense.jpg': await photo({ DateTimeOriginal: '9999:99:99 99:99:99' }),
        'new.jpg': await photo({ DateTimeOriginal: '2024:05:04 03:02:01' }),
      },
      movies: { Alien: film, Brazil: film },
    },
    { hasVideos: true },
  )
  for (const [name, time] of Object.entries(CHANGED)) utimesSync(pathOf(name), new Date(time), new Date(time))
  await scene.scan('mixed')
  await isInspected()
})
afterAll(() => scene?.[Symbol.asyncDispose]())

const pathOf = (name: string): string => join(scene.rootOf('mixed'), name)
const itemOf = async (name: string): Promise<Json> =>
  (await scene.admin.get('/api/items', { itemKey: `mixed_file:${scene.idOf('mixed')}:${name}` })).body.item
const isInspected = () =>
  waitFor(
    async () =>
      (await scene.index.query('SELECT 1 FROM media_items WHERE inspected_version IS NULL AND missing_since IS NULL')).length === 0 ||
      undefined,
    60_000,
    () => 'The background has not looked at everything',
  )

const walk = async (query: Record<string, string | number>, limit: number): Promise<string[]> => {
  const titles: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await scene.admin.get('/api/browse', { sort: 'taken', ...query, limit, cursor })
    expect([status, body.entries?.length > 0]).toEqual([200, true])
    titles.push(...body.entries.map(({ title }: Json) => title))
    if (body.nextCursor === null) return titles
    cursor = body.nextCursor
  }
}
const ordered = (order: Order): string[] => (order === 'asc' ? IN_ORDER : IN_ORDER.toReversed()).map((name) => name.replace(/\.\w+$/, ''))
const walked = async (order: Order, limit: number): Promise<string[]> =>
  (await walk({ libraryId: scene.idOf('mixed'), order }, limit)).map((title) => title.replace(/\.\w+$/, ''))
const dates = async (): Promise<Record<string, string | null>> =>
  Object.fromEntries(await Promise.all(IN_ORDER.map(async (name) => [name, (await itemOf(name)).takenAt])))

/** Every picture that was made, and when. */
const pictures = (): string[] => {
  const folder = join(scene.folder, 'data/thumbnails')
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  return names.flatMap((name) => (name.endsWith('.webp') ? `${name} ${statSync(join(folder, name)).mtimeMs}` : [])).toSorted()
}

test('an item tells when it was taken, where its file or its name does', async () => {
  expect(await dates()).toEqual(TAKEN)
  expect((await itemOf('plain.jpg')).modifiedAt).toBe('2017-06-01T00:00:00.000Z')
})

describe('lists', () => {
  test.each(ORDERS)('are ordered by it, %s, page by page', async (order) => {
    for (const limit of [1, 3, 100]) expect(await walked(order, limit)).toEqual(ordered(order))
  })

  test('tell the date that each of their entries stands at', async () => {
    const { body } = await scene.admin.get('/api/browse', { libraryId: scene.idOf('mixed'), sort: 'taken', order: 'asc' })
    const expected = IN_ORDER.map((name) => TAKEN[name] ?? `${CHANGED[name]}T00:00:00.000Z`)
    expect(body.entries.map(({ sortDate }: Json) => sortDate)).toEqual(expected)
  })

  test('begin around an item, and go back', async () => {
    const around = (await itemOf('clip.mp4')).itemKey
    const query = { libraryId: scene.idOf('mixed'), sort: 'taken', order: 'asc', limit: 2 }
    const { body } = await scene.admin.get('/api/browse', { ...query, around })
    expect([body.position, body.entries.map(({ itemKey }: Json) => itemKey).includes(around)]).toEqual([IN_ORDER.indexOf('clip.mp4'), true])
    const before = (await scene.admin.get('/api/browse', { ...query, cursor: body.prevCursor })).body
    expect([before.position, before.entries.length]).toEqual([IN_ORDER.indexOf('clip.mp4') - 2, 2])
  })

  test('of other libraries have an order too, to which a poster adds nothing', async () => {
    const libraryId = scene.idOf('movies')
    for (const order of ORDERS) expect((await walk({ libraryId, order }, 1)).toSorted()).toEqual(['Alien', 'Brazil'])
    const taken = await scene.index.query("SELECT 1 FROM media_items WHERE item_type <> 'mixed_file' AND taken_at IS NOT NULL")
    expect(taken).toEqual([])
    expect((await scene.admin.get('/api/items', { itemKey: `movie:${libraryId}:Alien` })).body.item).not.toHaveProperty('takenAt')
  })

  test('can begin with it for a person', async () => {
    expect((await scene.admin.patch('/api/user-settings', { defaultSort: 'taken' })).status).toBe(200)
  })
})

test('what an older version has looked at is read once, and no picture is made anew', async () => {
  const before = pictures()
  expect(before.length).toBeGreaterThan(0)
  await scene.index.query(
    "UPDATE media_items SET taken_at = NULL, inspected_version = NULL WHERE item_type = 'mixed_file' AND thumbnail_kind IS NOT NULL",
  )
  await scene.restart()
  await isInspected()
  expect(await dates()).toEqual(TAKEN)
  expect(pictures()).toEqual(before)
})

test('a file that moves keeps it, and one that changes is read again', async () => {
  mkdirSync(pathOf('sub'))
  renameSync(pathOf('new.jpg'), pathOf('sub/new.jpg'))
  await scene.scan('mixed')
  expect((await itemOf('sub/new.jpg')).takenAt).toBe(TAKEN['new.jpg'])
  writeFileSync(pathOf('offset.jpg'), await photo({ DateTimeOriginal: '2020:02:02 02:02:02' }))
  writeFileSync(pathOf('clock.jpg'), await photo())
  await scene.scan('mixed')
  await isInspected()
  expect([(await itemOf('offset.jpg')).takenAt, (await itemOf('clock.jpg')).takenAt]).toEqual(['2020-02-02T02:02:02.000Z', null])
})

describe('a name', () => {
  const rename = async (name: string, to: string): Promise<string | null> => {
    renameSync(pathOf(name), pathOf(to))
    await scene.scan('mixed')
    return (await itemOf(to)).takenAt
  }

  test('counts once the file has it, and no longer', async () => {
    expect(await rename('plain.jpg', 'Screenshot_20210504-101112.png')).toBe('2021-05-04T10:11:12.000Z')
    expect(await rename('Screenshot_20210504-101112.png', 'Screenshot_20210505-101112.png')).toBe('2021-05-05T10:11:12.000Z')
    expect(await rename('Screenshot_20210505-101112.png', 'DSC_20201399.jpg')).toBeNull()
  })

  test('takes nothing of what stands in the file', async () => {
    expect(await rename('IMG_20020103_040506.jpg', 'Screenshot_20210504-101112.jpg')).toBe('2025-05-04T03:02:01.000Z')
    expect(await rename('clip.mp4', '2003-04-05 06.07.08.mp4')).toBe('2015-01-02T03:04:05.000Z')
  })

  test('counts as long as the file says nothing', async () => {
    const name = 'IMG-20140102-WA0003.jpg'
    const fill = async (exif?: Record<string, string>): Promise<string | null> => {
      writeFileSync(pathOf(name), await photo(exif))
      await scene.scan('mixed')
      await isInspected()
      return (await itemOf(name)).takenAt
    }
    expect(await fill({ DateTimeOriginal: '2013:12:31 23:00:00' })).toBe('2013-12-31T23:00:00.000Z')
    expect(await fill()).toBe('2014-01-02T12:00:00.000Z')
  })
})
