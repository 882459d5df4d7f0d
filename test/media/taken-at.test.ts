import { afterAll, beforeAll, expect, test } from 'bun:test'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pictureTakenAt, videoTakenAt } from '../../src/media/taken-at.ts'
import { writeHeic } from '../support/heic-file.ts'
import { runProgram } from '../support/program.ts'
import { drawnPicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('taken-at')
})
afterAll(() => folder.remove())

const TAKEN = { DateTimeOriginal: '2019:05:04 03:02:01', OffsetTimeOriginal: '+02:00' }
const TOLD = '2019-05-04T01:02:01.000Z'

const readWith = async (read: typeof pictureTakenAt, name: string, bytes?: Uint8Array): Promise<string | null> => {
  const stablePath = join(folder.path, name)
  if (bytes) await writeFile(stablePath, bytes)
  const handle = await open(stablePath)
  try {
    const ms = await read({ handle, size: (await handle.stat()).size, stablePath })
    return ms === null ? null : new Date(ms).toISOString()
  } finally {
    await handle.close()
  }
}
const picture = (name: string, bytes?: Uint8Array) => readWith(pictureTakenAt, name, bytes)
const video = (name: string, bytes?: Uint8Array) => readWith(videoTakenAt, name, bytes)

const plain = () => drawnPicture({ width: 64, height: 48 })
const dated = (exif: Record<string, string> = TAKEN) => plain().withExif({ IFD2: exif })

/** What of a picture's Exif is a TIFF file by itself. */
const tiffOf = async (exif?: Record<string, string>): Promise<Buffer> => {
  const jpeg = await dated(exif).jpeg().toBuffer()
  const at = jpeg.indexOf('Exif\0\0', 0, 'latin1')
  return jpeg.subarray(at + 6, at + jpeg.readUInt16BE(at - 2) - 2)
}

const box = (type: string, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const head = Buffer.from(`\0\0\0\0${type}`, 'latin1')
  head.writeUInt32BE(content.length + 8)
  return Buffer.concat([head, content])
}

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('of a %s picture', async (format) => {
  expect(await picture(`a.${format}`, await dated().toFormat(format).toBuffer())).toBe(TOLD)
  expect(await picture(`none.${format}`, await plain().toFormat(format).toBuffer())).toBeNull()
})

test('of a TIFF file, wherever its directories stand', async () => {
  const tiff = await tiffOf()
  expect(await picture('a.tif', tiff)).toBe(TOLD)
  expect(await picture('none.tif', await plain().tiff().toBuffer())).toBeNull()
  expect(await picture('a.nef', Buffer.concat([tiff, Buffer.alloc(200_000)]))).toBe(TOLD)
})

test('of a HEIC picture, whose Exif stands among its data', async () => {
  const size = { width: 64, height: 48 }
  await writeHeic(join(folder.path, 'plain.heic'), await drawnPicture(size).raw().toBuffer(), size)
  expect(await picture('plain.heic')).toBeNull()
  const bytes = await Bun.file(join(folder.path, 'plain.heic')).bytes()
  const exif = Buffer.concat([Buffer.from('\0\0\0\x06Exif\0\0', 'latin1'), await tiffOf()])
  expect(
    await picture('exif.heic', Buffer.concat([bytes, box('mdat', Buffer.from('Exif\0\0 is no mark'), Buffer.alloc(1_500_000), exif)])),
  ).toBe(TOLD)
})

test('of raw photographs that are no TIFF files', async () => {
  const boxes = box('moov', box('uuid', box('CMT1', await tiffOf({})), box('CMT2', await tiffOf())))
  expect(await picture('a.cr3', Buffer.concat([box('ftyp', Buffer.from('crx \0\0\0\x01crx isom', 'latin1')), boxes]))).toBe(TOLD)
  const raf = Buffer.concat([Buffer.from('FUJIFILMCCD-RAW 0201'.padEnd(148, '\0'), 'latin1'), await dated().jpeg().toBuffer()])
  expect(await picture('a.raf', raf)).toBe(TOLD)
})

test('when it was made digital, where nothing else is told', async () => {
  const scan = { DateTimeOriginal: '0000:00:00 00:00:00', DateTimeDigitized: '2001:02:03 04:05:06', OffsetTimeDigitized: '-01:00' }
  expect(await picture('scan.jpg', await dated(scan).jpeg().toBuffer())).toBe('2001-02-03T05:05:06.000Z')
})

test('nothing of what is broken, or no picture', async () => {
  const tiff = await tiffOf()
  const lost = Buffer.from(tiff)
  lost.writeUInt32LE(0xffff_fff0, 4)
  expect(await picture('lost.tif', lost)).toBeNull()
  for (let length = 0; length < tiff.length; length += 7)
    expect(['string', 'object']).toContain(typeof (await picture('cut.tif', tiff.subarray(0, length))))
  expect(await picture('empty.jpg', new Uint8Array())).toBeNull()
  expect(await picture('text.jpg', Buffer.from('this is no picture at all'))).toBeNull()
  expect(await picture('a.gif', await plain().gif().toBuffer())).toBeNull()
})

test('of a video, by its header', async () => {
  const make = async (name: string, ...more: string[]): Promise<string> => {
    const path = join(folder.path, name)
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=5', '-t', '1', '-c:v', 'mpeg4']
    await runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', ...source, ...more, '-y', path])
    return name
  }
  const at = ['-metadata', 'creation_time=2019-05-04T01:02:01Z']
  expect(await video(await make('behind.mp4', ...at))).toBe(TOLD)
  expect(await video(await make('before.mov', ...at, '-movflags', '+faststart'))).toBe(TOLD)
  expect(await video(await make('silent.mp4'))).toBeNull()
  expect(await video(await make('future.mp4', '-metadata', 'creation_time=2035-01-01T00:00:00Z'))).toBeNull()
  expect(await video(await make('other.avi', ...at))).toBeNull()
})
