import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { DecodeError } from '../../src/media/decode-error.ts'
import { uploadedJpeg } from '../../src/media/upload-image.ts'
import { bombPng, gifOf } from '../support/picture-bombs.ts'
import { runProgram } from '../support/program.ts'
import { drawnPicture, makePicture } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LIMIT_MS = 5000

const picture = (width = 64, height = 48) => drawnPicture({ width, height })

const bombs: [name: string, make: () => Promise<Uint8Array> | Uint8Array][] = [
  ['PNG of 16,000 x 16,000 pixels', () => bombPng(16_000, 16_000)],
  ['PNG of 65,535 x 65,535 pixels', () => bombPng(65_535, 65_535)],
  ['PNG of 2,000,000,000 x 1 pixels', () => bombPng(2_000_000_000, 1)],
  ['PNG one row above the limit of 50 megapixels', () => bombPng(10_000, 5001)],
  ['PNG of a side that no JPEG has', () => bombPng(70_000, 10)],
  [
    'PNG with a profile that unfolds to a gigabyte',
    () => bombPng(40_000, 4000, [['iCCP', Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(64 * 1024 * 1024))])]]),
  ],
  ['GIF of 65,535 x 65,535 pixels', () => gifOf(65_535, 65_535, 1)],
  [
    'JPEG of 60 megapixels',
    () =>
      sharp({ create: { width: 10_000, height: 6000, channels: 3, background: '#123' } })
        .jpeg()
        .toBuffer(),
  ],
  [
    'WebP of 60 megapixels',
    () =>
      sharp({ create: { width: 10_000, height: 6000, channels: 3, background: '#123' } })
        .webp({ effort: 0 })
        .toBuffer(),
  ],
]

describe('refused within five seconds, without taking memory', () => {
  for (const [name, make] of bombs)
    test(name, async () => {
      const bytes = await make()
      Bun.gc(true)
      const before = process.memoryUsage.rss()
      const start = performance.now()
      await expect(uploadedJpeg(bytes)).rejects.toBeInstanceOf(DecodeError)
      expect(performance.now() - start).toBeLessThan(LIMIT_MS)
      expect((process.memoryUsage.rss() - before) / 1024 ** 2).toBeLessThan(100)
    })
})

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')

const heic = async (): Promise<Buffer> => {
  await using folder = await temporaryFolder('heic')
  return Buffer.from(await Bun.file(await makePicture(`${folder.path}/a.heic`, { width: 64, height: 64 })).arrayBuffer())
}

const others: [name: string, make: () => Promise<Uint8Array> | Uint8Array][] = [
  ['nothing at all', () => Buffer.alloc(0)],
  ['text', () => Buffer.from('cover.jpg')],
  ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['SVG', () => svg],
  ['SVG that starts like a picture', () => Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), svg])],
  ['TIFF', () => picture().tiff().toBuffer()],
  ['HEIC', heic],
  ['BMP', () => Buffer.from('BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0', 'latin1')],
  ['PDF', () => Buffer.from('%PDF-1.7\n')],
  ['a script behind the signature of a GIF', () => Buffer.from('GIF89a/*;*/=1;alert(1)')],
  ['a zip behind the signature of a PNG', () => Buffer.from('\x89PNG\r\n\x1a\nPK\x03\x04', 'latin1')],
  ['a film', () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')],
  ['an AVIF of nothing but its brand', () => Buffer.from('\0\0\0\x18ftypavif\0\0\0\0avifmif1', 'latin1')],
]

test('what is no JPEG, PNG, WebP, GIF or AVIF picture is refused, whatever it begins with', async () => {
  for (const [name, make] of others) {
    const outcome = await uploadedJpeg(await make()).then(
      () => 'taken',
      (error: unknown) => (error instanceof DecodeError ? 'refused' : error),
    )
    expect([name, outcome]).toEqual([name, 'refused'])
  }
})

const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const

test('a picture that ends too soon is refused, in every format and wherever it ends', async () => {
  for (const format of FORMATS) {
    const whole = await picture(300, 200).toFormat(format).toBuffer()
    for (const share of [0.1, 0.5, 0.9]) {
      const outcome = await uploadedJpeg(whole.subarray(0, Math.floor(whole.length * share))).then(
        () => 'taken',
        (error: unknown) => (error instanceof DecodeError ? error.message : error),
      )
      expect([format, share, outcome]).toEqual([format, share, 'The picture is damaged or incomplete.'])
    }
  }
})

test('a picture of too many pixels is told how many are taken', async () => {
  await expect(uploadedJpeg(bombPng(10_000, 5001))).rejects.toThrow('The picture has more than 50 megapixels.')
})

test('every format becomes a JPEG of the same size', async () => {
  for (const format of FORMATS) {
    const {
      format: made,
      width,
      height,
      space,
    } = await sharp(await uploadedJpeg(await picture(301, 203).toFormat(format).toBuffer())).metadata()
    expect([format, made, width, height, space]).toEqual([format, 'jpeg', 301, 203, 'srgb'])
  }
})

/** The colours of the four corners, roughly: which of red, green and blue is bright. */
const corners = async (bytes: Uint8Array): Promise<string[]> => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number): string =>
    [0, 1, 2].map((channel) => ((data[(y * info.width + x) * info.channels + channel] ?? 0) > 150 ? 'RGB'[channel] : '-')).join('')
  const [right, bottom] = [info.width - 3, info.height - 3]
  return [at(2, 2), at(right, 2), at(2, bottom), at(right, bottom)]
}

test('a picture comes out upright, whichever way the camera was held', async () => {
  const upright = await picture(300, 200).jpeg().toBuffer()
  const [topLeft, topRight, bottomLeft] = await corners(upright)
  expect([topLeft, topRight, bottomLeft]).toEqual(['R--', '-G-', '--B'])
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const marked = await sharp(upright).withMetadata({ orientation }).toBuffer()
    const made = await uploadedJpeg(marked)
    expect([orientation, await corners(made)]).toEqual([orientation, await corners(await sharp(marked).autoOrient().jpeg().toBuffer())])
    expect((await sharp(made).metadata()).orientation).toBeUndefined()
  }
})

test('nothing but pixels comes through: no metadata, and nothing that was hidden behind the picture', async () => {
  const secret = 'Quokka-secret'
  const marked = await picture()
    .withExif({ IFD0: { Artist: secret, ImageDescription: secret }, IFD3: { GPSLatitude: '1/1 2/1 3/1' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
    .jpeg()
    .toBuffer()
  expect(marked.includes(secret)).toBe(true)
  const made = await uploadedJpeg(Buffer.concat([marked, Buffer.from(`<script>${secret}</script>PK\x03\x04`)]))
  expect(Buffer.from(made).includes(secret)).toBe(false)
  const { exif, icc, xmp, iptc, comments } = await sharp(made).metadata()
  expect([exif, icc, xmp, iptc, comments]).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('a long animation is its first picture, and takes no longer than one', async () => {
  const start = performance.now()
  const { width, height } = await sharp(await uploadedJpeg(gifOf(40, 30, 10_000))).metadata()
  expect([width, height]).toEqual([40, 30])
  expect(performance.now() - start).toBeLessThan(LIMIT_MS)
})

test('transparency, sixteen bits, grey and the colours of print become plain pixels', async () => {
  const clear = sharp({ create: { width: 8, height: 8, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } })
  const inputs = {
    clear: await clear.png().toBuffer(),
    deep: await picture().toColourspace('rgb16').png().toBuffer(),
    grey: await picture().greyscale().png().toBuffer(),
    print: await picture().toColourspace('cmyk').jpeg().toBuffer(),
  }
  for (const [name, bytes] of Object.entries(inputs)) {
    const { format, depth, hasAlpha, space } = await sharp(await uploadedJpeg(bytes)).metadata()
    expect([name, format, depth, hasAlpha, space === 'srgb' || space === 'b-w']).toEqual([name, 'jpeg', 'uchar', false, true])
  }
  const { dominant } = await sharp(await uploadedJpeg(inputs.clear)).stats()
  expect(Math.max(dominant.r, dominant.g, dominant.b)).toBeLessThan(16)
})

/** A generator of numbers below one, the same ones every time (Mulberry32). */
const numbersFrom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

test('two hundred damaged pictures are refused or become pictures, each in time', async () => {
  for (const format of FORMATS) {
    const whole = await picture(120, 90).toFormat(format).toBuffer()
    for (let seed = 0; seed < 40; seed += 1) {
      const next = numbersFrom(seed)
      const damaged = Buffer.from(whole)
      for (let hits = 1 + Math.floor(next() * 8); hits > 0; hits -= 1)
        damaged[Math.floor(next() * damaged.length)] = Math.floor(next() * 256)
      const start = performance.now()
      const outcome = await uploadedJpeg(damaged).then(
        async (bytes) => (await sharp(bytes).metadata()).format,
        (error: unknown) => (error instanceof DecodeError ? 'jpeg' : error),
      )
      expect([format, seed, outcome]).toEqual([format, seed, 'jpeg'])
      expect(performance.now() - start).toBeLessThan(LIMIT_MS)
    }
  }
}, 60_000)

test('the largest picture that is taken needs no memory for all of its pixels at once', async () => {
  await using folder = await temporaryFolder('large-upload')
  const file = `${folder.path}/a.png`
  await sharp({ create: { width: 10_000, height: 5000, channels: 3, background: '#123' } })
    .png({ compressionLevel: 1 })
    .toFile(file)
  const script = `import { uploadedJpeg } from './src/media/upload-image.ts'
    await uploadedJpeg(new Uint8Array(await Bun.file(${JSON.stringify(file)}).arrayBuffer()))
    console.log(await Bun.file('/proc/self/status').text())`
  // From the repository, where the script's import begins.
  const status = await runProgram(['env', `--chdir=${join(import.meta.dir, '../..')}`, process.execPath, '-e', script])
  expect(Number(/VmHWM:\s+(\d+) kB/.exec(status.toString())?.[1]) / 1024).toBeLessThan(200)
})
