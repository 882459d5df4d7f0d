import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from 'thumbhash'
import { THUMBNAIL_SIZE_NAMES, THUMBNAIL_SIZES, type ThumbnailSize } from '../../src/domain/thumbnail-size.ts'
import type { HashAnswer, ThumbnailAnswer, ThumbnailReady, ThumbnailRequest } from '../../src/workers/protocol.ts'
import { bombSvgs } from '../support/picture-bombs.ts'
import { processorMs } from '../support/processor-time.ts'
import { runProgram } from '../support/program.ts'
import { rawContainer, sensorData } from '../support/raw-photograph.ts'
import { drawnPages, drawnPicture, makeClip, makePicture, makeZip } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

type Answer = ThumbnailAnswer | ThumbnailReady | HashAnswer

let folder: TemporaryFolder
let root: string
let output: string
let worker: Worker
let lastId = 0
const waiting = new Map<number, (answer: Answer) => void>()

beforeAll(async () => {
  folder = await temporaryFolder('thumbnailer')
  root = join(folder.path, 'library')
  output = join(folder.path, 'thumbnails')
  for (const path of [root, output]) mkdirSync(path)
  worker = new Worker(new URL('../../src/workers/thumbnailer.ts', import.meta.url))
  worker.onmessage = ({ data }: MessageEvent<Answer>) => waiting.get(data.id)?.(data)
})
afterAll(async () => {
  worker.terminate()
  await folder.remove()
})

const pathOf = (name: string): string => join(root, name)
const targetOf = (size: ThumbnailSize): string => join(output, `${size}.webp`)
const TARGETS = THUMBNAIL_SIZE_NAMES.map((size) => ({
  size,
  get file() {
    return targetOf(size)
  },
}))

const ask = (request: object): Promise<Answer> => {
  lastId += 1
  const id = lastId
  const { promise, resolve } = Promise.withResolvers<Answer>()
  waiting.set(id, resolve)
  worker.postMessage({ ...request, id })
  return promise
}

const requestOf = (path: string, kind: ThumbnailRequest['kind']): Omit<ThumbnailRequest, 'id'> => ({
  type: 'thumbnail',
  root,
  path,
  kind,
  targets: TARGETS.map(({ size, file }) => ({ size, file })),
  ffmpegPath: Bun.which('ffmpeg'),
})

const make = async (path: string, kind: ThumbnailRequest['kind'] = 'image', more: object = {}): Promise<ThumbnailAnswer> => {
  const answer = await ask({ ...requestOf(path, kind), ...more })
  if (answer.type !== 'thumbnail') throw new Error('another answer')
  return answer
}

const codeOf = async (path: string, kind?: ThumbnailRequest['kind'], more?: object): Promise<string> => {
  const answer = await make(path, kind, more)
  return answer.ok ? 'made' : answer.code
}

const sizesMade = (): Promise<[number, number][]> =>
  Promise.all(
    THUMBNAIL_SIZE_NAMES.map(async (size): Promise<[number, number]> => {
      const { format, width, height } = await sharp(await Bun.file(targetOf(size)).bytes()).metadata()
      expect(format).toBe('webp')
      return [width, height]
    }),
  )

/** The colour at a place of a thumbnail, both from 0 to 1, by its strongest channels. */
const colourAt = async (x: number, y: number, size: ThumbnailSize = 'small'): Promise<[number, number, number]> => {
  const { data, info } = await sharp(await Bun.file(targetOf(size)).bytes())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * 3
  return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1]
}

const isRed = ([red, green, blue]: [number, number, number]): boolean => red > 180 && green < 90 && blue < 90
const isGreen = ([red, green, blue]: [number, number, number]): boolean => green > 180 && red < 90 && blue < 90
const isBlue = ([red, green, blue]: [number, number, number]): boolean => blue > 180 && red < 90 && green < 90

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A black and white PNG of any size in a few kilobytes (PNG specification, 5 and 11.2). */
const blackPng = (width: number, height: number, rows: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const pixels = deflateSync(new Uint8Array((Math.ceil(width / 8) + 1) * rows))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', new Uint8Array(0)),
  ])
}

/** The headers of a bitmap without its pixels. */
const bitmapHead = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(1000)
  bytes.write('BM', 'latin1')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  return bytes
}

/** A small JPEG that says it is a large one. */
const jpegHead = async (side: number, progressive: boolean): Promise<Buffer> => {
  const bytes = await drawnPicture({ width: 64, height: 64 }).jpeg({ progressive }).toBuffer()
  const frame = bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]))
  bytes.writeUInt16BE(side, frame + 5)
  bytes.writeUInt16BE(side, frame + 7)
  return bytes
}

/** The head of a square JPEG XL (ISO/IEC 18181-1, D.2 and D.3): a height of 30 bits, ratio 1:1, all else by default. */
const jxlHead = (side: number): Buffer => {
  const bytes = Buffer.alloc(1000)
  bytes.writeUInt16BE(0xff0a)
  bytes.writeBigUInt64LE((3n << 1n) | (BigInt(side - 1) << 3n) | (1n << 33n) | (3n << 36n), 2)
  return bytes
}

describe('what gives no picture is answered with its reason, and the thread goes on', () => {
  const files: [string, () => string | Uint8Array | Promise<Uint8Array>, string][] = [
    ['text.jpg', () => 'this is a text', 'unsupported'],
    ['page.png', () => '<!doctype html><html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>', 'unsupported'],
    ['paper.webp', () => '%PDF-1.7\n1 0 obj', 'unsupported'],
    ['archive.gif', () => 'PK\x03\x04 and so on', 'unsupported'],
    ['BM is how this text starts.bmp', () => 'BM is how this text starts, and it goes on a little', 'unsupported'],
    ['empty.jpg', () => '', 'broken'],
    ['head.jpg', () => Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF', 'latin1'), 'broken'],
    [
      'noise.webp',
      () => Buffer.concat([Buffer.from('RIFF\x10\x27\0\0WEBP', 'latin1'), crypto.getRandomValues(new Uint8Array(9000))]),
      'broken',
    ],
    [
      'noise.heic',
      () => Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), crypto.getRandomValues(new Uint8Array(9000))]),
      'broken',
    ],
    [
      'noise.avif',
      () => Buffer.concat([Buffer.from('\0\0\0\x18ftypavif\0\0\0\0mif1avif', 'latin1'), crypto.getRandomValues(new Uint8Array(9000))]),
      'broken',
    ],
    ['unclosed.svg', () => '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect', 'broken'],
    ['16k.png', () => blackPng(16_384, 16_384, 16_384), 'too_large'],
    ['20k.bmp', () => bitmapHead(20_000, 20_000), 'too_large'],
    ['20k.jxl', () => jxlHead(20_000), 'too_large'],
    ['15k.jpg', () => jpegHead(15_000, false), 'too_large'],
    ['11k, in several scans.jpg', () => jpegHead(11_000, true), 'too_large'],
    ['65k.png', () => blackPng(65_535, 65_535, 1), 'too_large'],
    [
      'wide.svg',
      () => '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect width="9" height="9"/></svg>',
      'too_large',
    ],
  ]
  test.each(files)('%s', async (name, content, code) => {
    writeFileSync(pathOf(name), await content())
    const startedAt = processorMs()
    expect(await codeOf(name)).toBe(code)
    expect(processorMs() - startedAt).toBeLessThan(5000)
    await makePicture(pathOf('good.jpg'))
    expect(await codeOf('good.jpg')).toBe('made')
  })

  test('a vector bomb ends, and gives nothing', async () => {
    const uses = Array.from({ length: 10 }, (_, level) => `<g id="g${level + 1}">${`<use href="#g${level}"/>`.repeat(10)}</g>`).join('')
    writeFileSync(
      pathOf('bomb.svg'),
      `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><defs><g id="g0"><rect width="9" height="9"/></g>${uses}</defs><use href="#g10"/></svg>`,
    )
    // librsvg gives up after 500,000 elements, which takes it seconds.
    expect(await codeOf('bomb.svg')).toBe('broken')
  })

  test.each([
    ['noise', 'too_large'],
    ['floods', 'broken'],
  ] as const)('a drawing of %s, which would take days or gigabytes, ends, and nothing goes on behind it', async (name, code) => {
    await makeZip(pathOf(`${name}.cbz`), { '1.svg': bombSvgs[name] })
    expect(await codeOf(`${name}.cbz`, 'pages')).toBe(code)
    const startedAt = processorMs()
    await Bun.sleep(1000)
    expect(processorMs() - startedAt).toBeLessThan(500)
  })

  test('a comment bomb in front of a drawing ends at once', async () => {
    writeFileSync(pathOf('comments.svg'), `${'<!---->'.repeat(580)}<nothing`)
    const startedAt = processorMs()
    expect(await codeOf('comments.svg')).toBe('unsupported')
    expect(processorMs() - startedAt).toBeLessThan(500)
  })

  test('a file that is not there, now, may be there later; one outside never is', async () => {
    writeFileSync(join(folder.path, 'outside.jpg'), await drawnPicture({}).jpeg().toBuffer())
    symlinkSync('../outside.jpg', pathOf('link.jpg'))
    expect(await codeOf('missing.jpg')).toBe('unavailable')
    expect(await codeOf('missing.mp4', 'video')).toBe('unavailable')
    expect(await codeOf('missing.cbz', 'pages')).toBe('unavailable')
    expect(await codeOf('link.jpg')).toBe('unsupported')
    expect(await codeOf('../outside.jpg')).toBe('unsupported')
    expect(await codeOf('', 'image')).toBe('unsupported')
  })

  test('a target that cannot be written is no fault of the picture', async () => {
    await makePicture(pathOf('good.jpg'))
    expect(await codeOf('good.jpg', 'image', { targets: [{ size: 'small', file: join(output, 'nowhere/small.webp') }] })).toBe(
      'unavailable',
    )
  })

  test('without ffmpeg videos, bitmaps and JPEG XL wait for one', async () => {
    await makeClip(pathOf('clip.mp4'))
    await runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', '-y', '-i', pathOf('good.jpg'), pathOf('good.bmp')])
    expect(await codeOf('clip.mp4', 'video', { ffmpegPath: null })).toBe('no_ffmpeg')
    expect(await codeOf('good.bmp', 'image', { ffmpegPath: null })).toBe('no_ffmpeg')
    writeFileSync(pathOf('good.jxl'), Buffer.from('\xff\x0a and so on', 'latin1'))
    expect(await codeOf('good.jxl', 'image', { ffmpegPath: null })).toBe('no_ffmpeg')
    expect(await codeOf('good.jxl')).toBe('broken')
  })

  test('a volume without pages, and a page that is no picture', async () => {
    await makeZip(pathOf('notes.cbz'), { 'readme.txt': 'x' })
    await makeZip(pathOf('liar.cbz'), { '001.jpg': 'x' })
    expect(await codeOf('notes.cbz', 'pages')).toBe('unsupported')
    expect(await codeOf('liar.cbz', 'pages')).toBe('unsupported')
  })

  test('requests that are not well formed are answered too', async () => {
    for (const request of [
      { type: 'thumbnail' },
      { type: 'nothing' },
      { ...requestOf('good.jpg', 'image'), kind: 'toString' },
      { ...requestOf('good.jpg', 'image'), targets: [{ size: 'huge', file: 'x' }] },
    ])
      expect(await ask(request)).toMatchObject({ ok: false, code: 'unsupported' })
    worker.postMessage(null)
    expect(await codeOf('good.jpg')).toBe('made')
  })

  test('nothing but thumbnails is left behind', () => {
    expect(readdirSync(output).sort()).toEqual(['large.webp', 'medium.webp', 'small.webp'])
  })
})

describe('a drawing is drawn from itself alone', () => {
  const drawing = (content: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="100" height="100"><rect width="100" height="100" fill="#00f"/>${content}</svg>`

  test('pictures, style sheets and entities from files and addresses are left out', async () => {
    const hits: string[] = []
    const canary = await sharp({ create: { width: 100, height: 100, channels: 3, background: '#f00' } })
      .png()
      .toBuffer()
    using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        hits.push(request.url)
        return new Response(canary)
      },
    })
    writeFileSync(pathOf('canary.png'), canary)
    const sources = [`file://${pathOf('canary.png')}`, pathOf('canary.png'), 'canary.png', `${server.url}canary.png`]
    const images = sources.map((source) => `<image href="${source}" xlink:href="${source}" width="100" height="100"/>`)
    const includes = ['<xi:include href="canary.svg"/>', `<style>@import url("${server.url}x.css")</style>`]
    writeFileSync(pathOf('canary.svg'), drawing('<rect width="100" height="100" fill="#f00"/>'))
    for (const content of [...images, ...includes]) {
      writeFileSync(pathOf('reaching.svg'), drawing(content))
      expect(await codeOf('reaching.svg')).toBe('made')
      expect([content, isBlue(await colourAt(0.5, 0.5))]).toEqual([content, true])
    }
    expect(hits).toEqual([])
  })

  test('a picture inside the drawing is part of it', async () => {
    const inside = (
      await sharp({ create: { width: 10, height: 10, channels: 3, background: '#f00' } })
        .png()
        .toBuffer()
    ).toString('base64')
    writeFileSync(pathOf('inside.svg'), drawing(`<image href="data:image/png;base64,${inside}" width="100" height="100"/>`))
    expect(await codeOf('inside.svg')).toBe('made')
    expect(isRed(await colourAt(0.5, 0.5))).toBe(true)
  })

  test('a small drawing is drawn as large as the thumbnail', async () => {
    writeFileSync(
      pathOf('icon.svg'),
      `<?xml version="1.0"?><!-- an icon --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"><rect width="24" height="12"/></svg>`,
    )
    expect(await make('icon.svg')).toMatchObject({ ok: true, width: 24, height: 12 })
    expect(await sizesMade()).toEqual([
      [320, 160],
      [640, 320],
      [1280, 640],
    ])
  })

  test.each([
    ['210mm', '297mm', 595, 842],
    ['8.5in', '11in', 612, 792],
    ['595pt', '842pt', 595, 842],
    ['50pc', '20mm', 600, 57],
    ['3000mm', '2000mm', 8504, 5669],
  ])('a drawing %s wide and %s high is drawn in full', async (across, down, width, height) => {
    writeFileSync(
      pathOf('sheet.svg'),
      `<svg xmlns="http://www.w3.org/2000/svg" width="${across}" height="${down}" viewBox="0 0 210 297"><rect width="210" height="297"/></svg>`,
    )
    expect(await make('sheet.svg')).toMatchObject({ ok: true, width, height })
    const [, , large] = await sizesMade()
    expect(Math.max(...(large ?? []))).toBeGreaterThanOrEqual(1280)
  })
})

describe('pictures', () => {
  test.each(['jpg', 'png', 'webp', 'gif', 'tiff', 'avif', 'heic'])('%s in three sizes, by content and not by name', async (ending) => {
    await makePicture(pathOf(`picture.${ending}`), { width: 1600, height: 1200 })
    symlinkSync(`picture.${ending}`, pathOf(`${ending}-by-another-name.xyz`))
    expect(await make(`${ending}-by-another-name.xyz`)).toMatchObject({ ok: true, width: 1600, height: 1200, durationSeconds: null })
    expect(await sizesMade()).toEqual([
      [320, 240],
      [640, 480],
      [1280, 960],
    ])
    expect([isRed(await colourAt(0.02, 0.02)), isGreen(await colourAt(0.98, 0.02)), isBlue(await colourAt(0.02, 0.98))]).toEqual([
      true,
      true,
      true,
    ])
  })

  test.each(['bmp', 'jxl'])('%s, through ffmpeg', async (ending) => {
    await makePicture(pathOf('picture.png'), { width: 1600, height: 1200 })
    await runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', '-y', '-i', pathOf('picture.png'), pathOf(`picture.${ending}`)])
    expect(await make(`picture.${ending}`)).toMatchObject({ ok: true, width: 1600, height: 1200 })
    expect([await sizesMade(), isRed(await colourAt(0.02, 0.02))]).toEqual([
      [
        [320, 240],
        [640, 480],
        [1280, 960],
      ],
      true,
    ])
  })

  test('raw photographs, by the picture that the camera put into them', async () => {
    const preview = await drawnPicture({ width: 1616, height: 1080 }).jpeg().toBuffer()
    const container = rawContainer({ orientation: 8, fullSize: { width: 6000, height: 4010 } })
    writeFileSync(pathOf('photograph.arw'), Buffer.concat([container, sensorData(1000), preview]))
    expect(await make('photograph.arw')).toMatchObject({ ok: true, width: 4010, height: 6000 })
    expect([(await sizesMade())[2], isRed(await colourAt(0.02, 0.98))]).toEqual([[1080, 1616], true])
  })

  /** Where EXIF 2.3 (4.6.4, tag 274) puts the stored picture's top left (red) and top right (green) corners. */
  const CORNERS: [number, [number, number], [number, number]][] = [
    [1, [0.02, 0.02], [0.98, 0.02]],
    [2, [0.98, 0.02], [0.02, 0.02]],
    [3, [0.98, 0.98], [0.02, 0.98]],
    [4, [0.02, 0.98], [0.98, 0.98]],
    [5, [0.02, 0.02], [0.02, 0.98]],
    [6, [0.98, 0.02], [0.98, 0.98]],
    [7, [0.98, 0.98], [0.98, 0.02]],
    [8, [0.02, 0.98], [0.02, 0.02]],
  ]
  test.each(CORNERS)('EXIF orientation %d is turned upright', async (orientation, red, green) => {
    await makePicture(pathOf('turned.jpg'), { width: 1600, height: 1200, orientation })
    const isTurned = orientation > 4
    expect(await make('turned.jpg')).toMatchObject(isTurned ? { width: 1200, height: 1600 } : { width: 1600, height: 1200 })
    expect((await sizesMade())[0]).toEqual(isTurned ? [320, 427] : [320, 240])
    expect([isRed(await colourAt(...red)), isGreen(await colourAt(...green))]).toEqual([true, true])
  })

  test('a picture that is smaller keeps its size in every thumbnail', async () => {
    await makePicture(pathOf('tiny.png'), { width: 100, height: 50 })
    await make('tiny.png')
    expect(await sizesMade()).toEqual([
      [100, 50],
      [100, 50],
      [100, 50],
    ])
    await makePicture(pathOf('middling.png'), { width: 700, height: 350 })
    await make('middling.png')
    expect(await sizesMade()).toEqual([
      [320, 160],
      [640, 320],
      [700, 350],
    ])
    await makePicture(pathOf('dot.png'), { width: 1, height: 1 })
    expect((await make('dot.png')).ok).toBe(true)
  })

  test('a strip that is far higher than wide stays within what WebP can hold', async () => {
    await makePicture(pathOf('strip.png'), { width: 800, height: 20_000 })
    expect(await make('strip.png')).toMatchObject({ ok: true, width: 800, height: 20_000 })
    for (const [width, height] of await sizesMade())
      expect([width <= 320 * 4, height <= 16_383, Math.round(height / width)]).toEqual([true, true, 25])
  })

  test('print colours, 16 bits, greys and transparency come out in the colours of a screen', async () => {
    const plain = drawnPicture({ width: 640, height: 480 })
    const variants: Record<string, Promise<Buffer>> = {
      'cmyk.jpg': plain.clone().toColourspace('cmyk').jpeg().toBuffer(),
      '16-bit.png': plain.clone().toColourspace('rgb16').png().toBuffer(),
      '16-bit.tiff': plain.clone().toColourspace('rgb16').tiff().toBuffer(),
    }
    for (const [name, bytes] of Object.entries(variants)) {
      writeFileSync(pathOf(name), await bytes)
      expect([name, (await make(name)).ok]).toEqual([name, true])
      const [red, , blue] = await colourAt(0.02, 0.02)
      expect([name, red > 150, blue < 120]).toEqual([name, true, true])
    }
    writeFileSync(pathOf('grey.png'), await plain.clone().toColourspace('b-w').png().toBuffer())
    expect((await make('grey.png')).ok).toBe(true)
    writeFileSync(
      pathOf('clear.png'),
      await sharp({ create: { width: 400, height: 400, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } })
        .png()
        .toBuffer(),
    )
    expect((await make('clear.png')).ok).toBe(true)
    expect((await sharp(await Bun.file(targetOf('small')).bytes()).stats()).isOpaque).toBe(false)
  })

  test('selections that were saved with a picture are not seen in it', async () => {
    const size = { width: 640, height: 480 }
    const selection = await sharp({ create: { ...size, channels: 3, background: '#000' } })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    const picture = await sharp({ create: { ...size, channels: 3, background: '#c83214' } })
      .joinChannel([selection, selection])
      .tiff({ compression: 'lzw' })
      .toBuffer()
    writeFileSync(pathOf('selections.tif'), picture)
    expect(await make('selections.tif')).toMatchObject({ ok: true, ...size })
    const { channels, isOpaque } = await sharp(await Bun.file(targetOf('large')).bytes()).stats()
    const [red, green, blue] = channels.map(({ mean }) => Math.round(mean / 10) * 10)
    expect([red, green, blue, isOpaque]).toEqual([200, 50, 20, true])
  })

  test.each(['gif', 'webp'] as const)('of an animated %s the first picture is shown', async (format) => {
    const frames = await Promise.all(
      ['#f00', '#00f', '#0f0'].map((background) =>
        sharp({ create: { width: 400, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    writeFileSync(
      pathOf(`moving.${format}`),
      await sharp(frames, { join: { animated: true } })
        [format]()
        .toBuffer(),
    )
    expect(await make(`moving.${format}`)).toMatchObject({ ok: true, width: 400, height: 300 })
    expect([isRed(await colourAt(0.5, 0.5)), (await sizesMade())[0]]).toEqual([true, [320, 240]])
  })

  test('a photograph of a telephone with 108 megapixels', async () => {
    const plain = sharp({ create: { width: 12_000, height: 9000, channels: 3, background: '#c06020' }, limitInputPixels: false })
    writeFileSync(pathOf('108.jpg'), await plain.withMetadata({ orientation: 6 }).jpeg().toBuffer())
    expect(await make('108.jpg')).toMatchObject({ ok: true, width: 9000, height: 12_000 })
    expect((await sizesMade()).at(-1)).toEqual([1280, 1707])
  })

  test('of a picture that breaks off, what is there is shown', async () => {
    await makePicture(pathOf('cut.jpg'), { width: 1600, height: 1200 })
    truncateSync(pathOf('cut.jpg'), Math.floor(Bun.file(pathOf('cut.jpg')).size * 0.6))
    expect(await make('cut.jpg')).toMatchObject({ ok: true, width: 1600, height: 1200 })
    expect(isRed(await colourAt(0.02, 0.02))).toBe(true)
  })

  test('no place where a photograph was taken is handed on', async () => {
    const withPlace = await drawnPicture({ width: 800, height: 600 })
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .jpeg()
      .toBuffer()
    writeFileSync(pathOf('place.jpg'), withPlace)
    expect((await sharp(withPlace).metadata()).exif).toBeDefined()
    await make('place.jpg')
    for (const size of THUMBNAIL_SIZE_NAMES) expect((await sharp(await Bun.file(targetOf(size)).bytes()).metadata()).exif).toBeUndefined()
  })

  test('the thumbhash has the shape and the colour of the picture', async () => {
    writeFileSync(
      pathOf('orange.png'),
      await sharp({ create: { width: 900, height: 300, channels: 3, background: '#ff8000' } })
        .png()
        .toBuffer(),
    )
    const answer = await make('orange.png')
    const hash = Buffer.from(answer.type === 'thumbnail' && answer.ok ? (answer.thumbhash ?? '') : '', 'base64')
    expect(thumbHashToApproximateAspectRatio(hash)).toBeGreaterThan(2)
    const { r, g, b } = thumbHashToAverageRGBA(hash)
    expect([r > 0.9, Math.abs(g - 0.5) < 0.1, b < 0.1]).toEqual([true, true, true])
  })
})

test('of a video a frame is shown, with its size and length', async () => {
  await makeClip(pathOf('clip.mkv'), { width: 1920, height: 1080, seconds: 3 })
  expect(await make('clip.mkv', 'video')).toMatchObject({ ok: true, width: 1920, height: 1080, durationSeconds: expect.closeTo(3, 0) })
  expect(await sizesMade()).toEqual([
    [320, 180],
    [640, 360],
    [1280, 720],
  ])
})

test('of a volume the first page is shown, or the cover, be it an archive or a folder', async () => {
  const pages = await drawnPages(3)
  await makeZip(pathOf('volume.cbz'), pages)
  mkdirSync(pathOf('volume'))
  for (const [name, bytes] of Object.entries(pages)) writeFileSync(pathOf(`volume/${name}`), bytes)
  for (const path of ['volume.cbz', 'volume']) {
    expect(await make(path, 'pages')).toMatchObject({ ok: true, width: 300, height: 420, durationSeconds: null })
    expect(isRed(await colourAt(0.02, 0.02))).toBe(true)
  }
  const cover = await sharp({ create: { width: 200, height: 300, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  await makeZip(pathOf('covered.cbz'), { ...pages, 'cover.png': cover })
  expect(await make('covered.cbz', 'pages')).toMatchObject({ ok: true, width: 200, height: 300 })
})

test('a volume whose first pages are damaged shows one behind them, and one that is damaged throughout is not read to its end', async () => {
  const page = await drawnPicture({ width: 300, height: 420 }).png().toBuffer()
  await makeZip(pathOf('damaged.cbz'), { '1.jpg': 'x', '2.png': page, 'cover.jpg': 'x' })
  expect(await make('damaged.cbz', 'pages')).toMatchObject({ ok: true, width: 300, height: 420, pageCount: 3 })
  await makeZip(pathOf('hopeless.cbz'), { '1.jpg': 'x', '2.jpg': 'x', '3.jpg': 'x', '4.png': page })
  expect(await codeOf('hopeless.cbz', 'pages')).toBe('unsupported')
})

test('hashes come in the order asked, null for what cannot be read', async () => {
  await makePicture(pathOf('good.jpg'))
  const { hashes } = (await ask({
    type: 'hash',
    root,
    paths: ['good.jpg', 'missing', 'link.jpg', '../outside.jpg', 'good.jpg'],
  })) as HashAnswer
  expect(hashes).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), null, null, null, hashes[0] ?? ''])
})

test('requests that arrive together are answered one after the other, each with its own id', async () => {
  await makePicture(pathOf('good.jpg'))
  const answers = await Promise.all(Array.from({ length: 12 }, (_, number) => make(number % 3 === 0 ? 'missing.jpg' : 'good.jpg')))
  expect(answers.map(({ ok }) => ok)).toEqual(Array.from({ length: 12 }, (_, number) => number % 3 !== 0))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(12)
})

test('only the sizes asked for are written', async () => {
  const file = join(output, 'alone.webp')
  await makePicture(pathOf('good.jpg'), { width: 1600, height: 1200 })
  expect(await codeOf('good.jpg', 'image', { targets: [{ size: 'medium', file }] })).toBe('made')
  expect((await sharp(await Bun.file(file).bytes()).metadata()).width).toBe(THUMBNAIL_SIZES.medium)
})

test.each(THUMBNAIL_SIZE_NAMES)('%s is made first where somebody waits for it, and said to be ready', async (first) => {
  await makePicture(pathOf('wanted.jpg'), { width: 1600, height: 1200 })
  const answers: Answer[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  lastId += 1
  waiting.set(lastId, (answer) => {
    answers.push(answer)
    if (answer.type === 'thumbnail') resolve()
  })
  worker.postMessage({ ...requestOf('wanted.jpg', 'image'), first, id: lastId })
  await promise
  expect(answers).toEqual([
    { type: 'ready', id: lastId },
    expect.objectContaining({ type: 'thumbnail', ok: true, width: 1600, height: 1200 }),
  ])
  expect((await sizesMade()).map(([width]) => width)).toEqual([320, 640, 1280])
  const madeAt = THUMBNAIL_SIZE_NAMES.map((size) => ({ size, at: statSync(targetOf(size), { bigint: true }).mtimeNs }))
  // Small ones may be written within the same tick of the disk's clock.
  const firstAt = madeAt.find(({ size }) => size === first)?.at ?? 0n
  expect(madeAt.filter(({ at }) => at < firstAt)).toEqual([])
})
