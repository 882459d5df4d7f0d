/**
 * Raw photographs, as cameras write them. Developing the data of the sensor is a photographer's work; but each file also
 * holds a finished JPEG for the camera's own screen. Whatever the maker's container, it lies there in one piece, so it is
 * looked for by the markers of its own format (ITU-T T.81, annex B). How it is turned, and how large the whole photograph
 * is, stand in the container (TIFF 6.0, Exif 2.32; in Canon's CR3 in a box `CMT1`).
 */

import { bytesAt, placesIn, readAt, type SizedFile } from './read-at.ts'
import { isTiffAt, readTiff, type TiffDirectory } from './tiff.ts'

interface RawPreview {
  /** Ends with the JPEG or behind it: decoders stop at its last marker. */
  jpeg: Uint8Array
  /** Exif's 1 to 8, where the container says so. */
  orientation?: number
  /** Pixels of the whole photograph before it is turned, where they are told. */
  fullSize?: { width: number; height: number }
}

const HEAD_BYTES = 64 * 1024
/** A medium format of 100 megapixels without compression takes some 200 MB. What lies behind is not looked through. */
const MAX_SEARCHED_BYTES = 512 * 1024 * 1024
const MAX_PREVIEW_BYTES = 32 * 1024 * 1024

const START_OF_IMAGE = Buffer.of(0xff, 0xd8, 0xff)
/** Baseline, extended and progressive. The others, the lossless one among them, hold the sensor's data. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
/** What may stand before the frame: tables of Huffman and quantisation, restart interval, applications', comment. */
const isBeforeFrame = (marker: number): boolean =>
  marker === 0xc4 || marker === 0xdb || marker === 0xdd || marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)
const MAX_SEGMENTS = 100
/** Data that is compressed in tiles has one for each of them, of which a hundred megapixels have some 1,500. */
const MAX_STARTS = 5000

/** The longer side in pixels of the JPEG that begins here; 0 where none begins that anybody could show. */
const longerSideAt = async (file: SizedFile, start: number): Promise<number> => {
  let at = start + 2
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    const head = await readAt(file.handle, at, 10)
    if (head.byteLength < 10 || head.getUint8(0) !== 0xff) return 0
    const marker = head.getUint8(1)
    const length = head.getUint16(2)
    if (FRAMES.has(marker)) return head.getUint8(4) === 8 ? Math.max(head.getUint16(5), head.getUint16(7)) : 0
    if (!isBeforeFrame(marker) || length < 2) return 0
    at += 2 + length
  }
  return 0
}

/** The first JPEG that is large enough, else the largest: the rest of a file of 60 MB need not be read then. */
const findJpeg = async (file: SizedFile, enough: number): Promise<number | undefined> => {
  let best: { start: number; side: number } | undefined
  let starts = 0
  for await (const start of placesIn(file, START_OF_IMAGE, MAX_SEARCHED_BYTES)) {
    const side = await longerSideAt(file, start)
    if (side > (best?.side ?? 0)) best = { start, side }
    starts += 1
    if (side >= enough || starts === MAX_STARTS) break
  }
  return best?.start
}

const IMAGE_SIZE = [0x0100, 0x0101] as const
const ORIENTATION = 0x0112
const PIXEL_DIMENSIONS = [0xa002, 0xa003] as const

/** Fujifilm's RAF, Canon's CRW, Minolta's MRW and Sigma's X3F. */
const OTHER_HEADS = ['FUJIFILMCCD-RAW', 'II\x1a\0\0\0HEAPCCDR', '\0MRM', 'FOVb'] as const
/** Canon's CR3 keeps its directories in boxes, each with a header of its own: `CMT1` the main one, `CMT2` Exif's. */
const isCr3 = (head: Buffer): boolean => head.toString('latin1', 4, 12) === 'ftypcrx '

/** Whether these first bytes are a raw photograph's: some endings, `.raw` above all, are those of quite other files too. */
const isRawHead = (head: Buffer): boolean => {
  const text = head.toString('latin1', 0, 16)
  return isTiffAt(head, 0) || isCr3(head) || OTHER_HEADS.some((other) => text.startsWith(other))
}

/** Where the container's TIFF header stands; undefined where there is none. */
export const tiffStart = (head: Buffer, box: 'CMT1' | 'CMT2'): number | undefined => {
  if (isTiffAt(head, 0)) return 0
  const at = isCr3(head) ? head.indexOf(box) + box.length : -1
  return at >= box.length && isTiffAt(head, at) ? at : undefined
}

const sizeIn = (directory: TiffDirectory, [width, height]: readonly [number, number]): { width: number; height: number } => ({
  width: directory.get(width) ?? 0,
  height: directory.get(height) ?? 0,
})

type Facts = Omit<RawPreview, 'jpeg'>

const readFacts = async (file: SizedFile, start: number): Promise<Facts> => {
  const { main, exif } = await readTiff(file.handle, start)
  const orientation = main.get(ORIENTATION) ?? 0
  // The main picture is often a stamp, and not every camera writes Exif's size: the larger one is the photograph's.
  const sizes = [sizeIn(main, IMAGE_SIZE), sizeIn(exif, PIXEL_DIMENSIONS)]
  const [fullSize] = sizes.filter(({ width, height }) => width * height > 0).toSorted((a, b) => b.width * b.height - a.width * a.height)
  return { ...(orientation >= 1 && orientation <= 8 ? { orientation } : {}), ...(fullSize ? { fullSize } : {}) }
}

/** `enough`: pixels of the longer side beyond which no larger preview is looked for. Undefined where there is none at all. */
export const previewOfRaw = async (file: SizedFile, enough: number): Promise<RawPreview | undefined> => {
  const head = await bytesAt(file, 0, HEAD_BYTES)
  const start = isRawHead(head) ? await findJpeg(file, enough) : undefined
  if (start === undefined) return undefined
  const container = tiffStart(head, 'CMT1')
  const facts = container === undefined ? {} : await readFacts(file, container)
  return { jpeg: await bytesAt(file, start, MAX_PREVIEW_BYTES), ...facts }
}

/** The JPEG with an orientation of its own, in a segment `APP1` right behind its start (Exif 2.32, 4.5). */
export const turnedJpeg = (jpeg: Uint8Array, orientation: number): Uint8Array => {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
  tiff.writeUInt16BE(orientation, 18)
  const segment = Buffer.concat([Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), tiff])
  segment.writeUInt16BE(segment.length - 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}
