import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DecodeError } from '../../src/media/decode-error.ts'
import { type Picture, pictureOfFile } from '../../src/media/picture.ts'
import { rawContainer, sensorData } from '../support/raw-photograph.ts'
import { drawnPicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('raw')
})
afterAll(() => folder.remove())

const SENSOR = sensorData(3_000_000)

const previewOf = (width: number, height: number, orientation?: number): Promise<Buffer> => {
  const picture = drawnPicture({ width, height })
  return (orientation === undefined ? picture : picture.withMetadata({ orientation })).jpeg().toBuffer()
}

const withPicture = async <T>(name: string, bytes: Uint8Array, look: (picture: Picture) => T | Promise<T>): Promise<T> => {
  const stablePath = join(folder.path, name)
  await writeFile(stablePath, bytes)
  const handle = await open(stablePath)
  try {
    return await look(await pictureOfFile({ handle, size: bytes.length, stablePath }, { name, ffmpegPath: null }))
  } finally {
    await handle.close()
  }
}

/** Its size, what is drawn of it, and in which corner of that the red mark is. */
const seen = (name: string, parts: readonly Uint8Array[]) =>
  withPicture(name, Buffer.concat(parts), async ({ open: pipeline, width, height }) => {
    const { data, info } = await pipeline().raw().toBuffer({ resolveWithObject: true })
    const redAt = (x: number, y: number): boolean => {
      const at = (y * info.width + x) * info.channels
      return (data[at] ?? 0) > 180 && (data[at + 1] ?? 255) < 90 && (data[at + 2] ?? 255) < 90
    }
    const corners = { topLeft: redAt(9, 9), topRight: redAt(info.width - 9, 9), bottomRight: redAt(info.width - 9, info.height - 9) }
    const red = Object.entries(corners).find(([, isRed]) => isRed)?.[0]
    return { size: [width, height], drawn: [info.width, info.height], red }
  })

const codeOf = async (name: string, parts: readonly Uint8Array[]): Promise<string> => {
  try {
    await withPicture(name, Buffer.concat(parts), () => undefined)
    return 'opened'
  } catch (error) {
    return error instanceof DecodeError ? error.code : String(error)
  }
}

describe('the picture that the camera made', () => {
  test('is shown in place of the stamp, turned as the container says', async () => {
    const preview = await previewOf(1616, 1080)
    for (const [isLittle, name] of [
      [true, 'sony.arw'],
      [false, 'NIKON.NEF'],
    ] as const) {
      const container = rawContainer({ isLittle, orientation: 6, fullSize: { width: 6000, height: 4000 } })
      expect(await seen(name, [container, SENSOR, preview, SENSOR])).toEqual({
        size: [4000, 6000],
        drawn: [1080, 1616],
        red: 'topRight',
      })
    }
  })

  test('tells by itself how it is turned where it can', async () => {
    const preview = await previewOf(1616, 1080, 3)
    expect(await seen('p.rw2', [rawContainer({ orientation: 6 }), preview, SENSOR])).toEqual({
      size: [1616, 1080],
      drawn: [1616, 1080],
      red: 'bottomRight',
    })
  })

  test('is the first that is large enough, or else the largest', async () => {
    const [small, middle, large, huge] = await Promise.all([
      previewOf(160, 120),
      previewOf(1024, 683),
      previewOf(1620, 1080),
      previewOf(3000, 2000),
    ])
    const container = rawContainer()
    expect((await seen('a.cr2', [container, small, SENSOR, large, SENSOR, huge])).drawn).toEqual([1620, 1080])
    expect((await seen('b.dng', [container, small, SENSOR, middle, small])).drawn).toEqual([1024, 683])
  })

  test.each([
    ['fuji.raf', 'FUJIFILMCCD-RAW 0201'],
    ['canon.crw', 'II\x1a\0\0\0HEAPCCDR'],
    ['minolta.mrw', '\0MRM\0\0\0\0'],
    ['sigma.x3f', 'FOVb\0\0\0\0'],
    ['olympus.orf', 'IIRO\x08\0\0\0\0\0'],
    ['canon.cr3', '\0\0\0\x18ftypcrx \0\0\0\x01crx isom'],
  ])('of %s', async (name, head) => {
    expect(await seen(name, [Buffer.from(head, 'latin1'), SENSOR, await previewOf(1620, 1080)])).toEqual({
      size: [1620, 1080],
      drawn: [1620, 1080],
      red: 'topLeft',
    })
  })

  test('of CR3 is turned as its box of metadata says', async () => {
    const head = Buffer.from('\0\0\0\x18ftypcrx \0\0\0\x01crx isom\0\0\x01\0CMT1', 'latin1')
    const { red, drawn } = await seen('turned.cr3', [head, rawContainer({ orientation: 6 }), SENSOR, await previewOf(1620, 1080)])
    expect([red, drawn]).toEqual(['topRight', [1080, 1620]])
  })

  test('is found across the border of two reads', async () => {
    const container = rawContainer()
    const preview = await previewOf(1620, 1080)
    for (const before of [1, 2, 3])
      expect((await seen('border.dng', [container, Buffer.alloc(1024 * 1024 - container.length - before), preview])).drawn).toEqual([
        1620, 1080,
      ])
  })
})

describe('where there is none', () => {
  test('nothing but the data and a stamp is no picture', async () => {
    expect(await codeOf('bare.dng', [rawContainer(), SENSOR])).toBe('unsupported')
    expect(await codeOf('empty.nef', [])).toBe('broken')
    expect(await codeOf('short.arw', [Buffer.from('II*\0', 'latin1')])).toBe('unsupported')
  })

  test('the JPEG in the image of a disk is nobody’s preview', async () => {
    expect(await codeOf('disk.raw', [Buffer.alloc(4096), await previewOf(1620, 1080)])).toBe('unsupported')
  })

  test('directories that lie hide no picture', async () => {
    const preview = await previewOf(1620, 1080)
    const far = Buffer.from('II*\0\xff\xff\xff\xff', 'latin1')
    const many = Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1')
    expect((await seen('lost.dng', [rawContainer({ orientation: 6, exifAt: 0x7fff_ffff }), preview])).red).toBe('topRight')
    for (const head of [far, many]) expect((await seen('liar.nef', [head, SENSOR, preview])).drawn).toEqual([1620, 1080])
    expect(await seen('odd.nef', [rawContainer({ orientation: 77 }), preview])).toMatchObject({ red: 'topLeft' })
  })

  test('what is a picture under such a name is shown as it is', async () => {
    expect((await seen('really.nef', [await previewOf(800, 600)])).drawn).toEqual([800, 600])
  })
})

test('a TIFF file by another name keeps its own picture', async () => {
  expect(await withPicture('scan.tif', Buffer.concat([rawContainer(), await previewOf(1620, 1080)]), ({ width }) => width)).toBe(16)
})
