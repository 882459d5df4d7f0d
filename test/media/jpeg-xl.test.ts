import { expect, test } from 'bun:test'
import { sizeOfJpegXl } from '../../src/media/jpeg-xl.ts'
import { runProgram } from '../support/program.ts'
import { drawnPicture } from '../support/real-media.ts'

/** Small sides and large ones, multiples of eight and not, all the ratios that have a number, and some that have none. */
const SIZES = [
  [8, 8],
  [64, 128],
  [1, 1],
  [36, 30],
  [40, 30],
  [45, 30],
  [160, 90],
  [50, 40],
  [60, 30],
  [31, 77],
  [5, 700],
  [3, 9000],
] as const

const encode = async ([width, height]: readonly [number, number]): Promise<Buffer> =>
  runProgram(
    ['ffmpeg', '-nostdin', '-loglevel', 'error', '-f', 'png_pipe', '-i', 'pipe:0', '-c:v', 'libjxl', '-f', 'image2pipe', 'pipe:1'],
    await drawnPicture({ width, height }).resize(width, height, { fit: 'fill' }).png().toBuffer(),
  )

const box = (type: string, content: Uint8Array, size = content.length + 8): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(size)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}
const SIGNATURE = box('JXL ', Buffer.from('\r\n\x87\n', 'latin1'))
const FILE_TYPE = box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1'))

test('the header of a JPEG XL tells its size, bare, in a box, and in the first of several', async () => {
  for (const size of SIZES) {
    const bare = await encode(size)
    const [width, height] = size
    const parts = [bare, Buffer.concat([SIGNATURE, FILE_TYPE, box('jxlc', bare, 0)])]
    parts.push(Buffer.concat([SIGNATURE, FILE_TYPE, box('Exif', Buffer.alloc(99)), box('jxlp', Buffer.concat([Buffer.alloc(4), bare]))]))
    for (const part of parts) expect(sizeOfJpegXl(part)).toEqual({ width, height })
  }
})

test('one that is turned is told upright', () => {
  /** Height 100 and width 200 of nine bits each, no ratio; not all by default, with more fields, of which orientation 6 is the first. */
  const bits = [...['0', '00', '110001100', '000', '00', '111000110'], ...['0', '1', '101']].join('')
  const bytes = Buffer.alloc(16)
  for (const [at, bit] of [...bits].entries()) bytes[2 + (at >> 3)] = (bytes[2 + (at >> 3)] ?? 0) | (Number(bit) << (at & 7))
  bytes.writeUInt16BE(0xff0a)
  expect(sizeOfJpegXl(bytes)).toEqual({ width: 100, height: 200 })
})

test('what is none, or is cut off, tells nothing, and ends', () => {
  expect(sizeOfJpegXl(Buffer.from('GIF89a and so on, and so on', 'latin1'))).toBeUndefined()
  expect(sizeOfJpegXl(Buffer.from('\xff\x0a', 'latin1'))).toBeUndefined()
  expect(sizeOfJpegXl(Buffer.concat([SIGNATURE, FILE_TYPE]))).toBeUndefined()
  for (const size of [0, 1, 7, 2 ** 32 - 1])
    expect(sizeOfJpegXl(Buffer.concat([SIGNATURE, FILE_TYPE, box('free', Buffer.alloc(40), size)]))).toBeUndefined()
})
