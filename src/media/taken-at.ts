/** When a picture was taken, or a video recorded, by what stands in the file: nothing is decoded. */

import { type ExifTime, plausibleTime, takenAt } from '../domain/taken-at.ts'
import { mp4CreatedAt } from './mp4-boxes.ts'
import { type PictureFile, toDecodeError } from './picture.ts'
import { sniffPicture } from './picture-format.ts'
import { tiffStart } from './raw-photograph.ts'
import { bytesAt, type IndexedFile, placesIn } from './read-at.ts'
import { loadSharp } from './sharp.ts'
import { isTiffAt, readTiff } from './tiff.ts'

const HEAD_BYTES = 64 * 1024
/** What stands before Exif's TIFF header in JPEG and HEIC files. */
const MARK = Buffer.from('Exif\0\0', 'latin1')
/** A telephone's HEIC picture has a few MB, and its Exif near the beginning. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024

const ORIGINAL = { time: 0x9003, offset: 0x9011 } as const
const DIGITIZED = { time: 0x9004, offset: 0x9012 } as const
const TIME_LENGTH = 19
const OFFSET_LENGTH = 6

/** A file, or bytes of it, and where its TIFF header stands there. */
interface ExifPlace {
  file: IndexedFile
  start: number
}

const inBuffer = (bytes: Buffer): IndexedFile => ({
  read: async (target, offset, length, position) => {
    const part = bytes.subarray(position, position + length)
    target.set(part, offset)
    return { bytesRead: part.length }
  },
})

const findMarked = async (file: PictureFile): Promise<ExifPlace | undefined> => {
  for await (const place of placesIn(file, MARK, MAX_SEARCHED_BYTES)) {
    const start = place + MARK.length
    if (isTiffAt(await bytesAt(file, start, 4), 0)) return { file: file.handle, start }
  }
  return undefined
}

/** libvips knows where Exif stands in JPEG, PNG, WebP and AVIF files. */
const findBySharp = async ({ stablePath }: PictureFile): Promise<ExifPlace | undefined> => {
  const sharp = await loadSharp()
  const { exif } = await sharp(stablePath)
    .metadata()
    .catch((error: unknown) => {
      throw toDecodeError(error)
    })
  return exif && { file: inBuffer(exif), start: exif.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0 }
}

const BY_SHARP: ReadonlySet<string | undefined> = new Set(['jpeg', 'png', 'webp', 'avif'])
/** No format of its own: a raw photograph. */
const SEARCHED: ReadonlySet<string | undefined> = new Set(['heic', undefined])

const findExif = async (file: PictureFile): Promise<ExifPlace | undefined> => {
  const head = await bytesAt(file, 0, HEAD_BYTES)
  const start = tiffStart(head, 'CMT2')
  if (start !== undefined) return { file: file.handle, start }
  const format = sniffPicture(head)
  if (BY_SHARP.has(format)) return findBySharp(file)
  return SEARCHED.has(format) ? findMarked(file) : undefined
}

/** Milliseconds since the epoch; null where the picture does not tell. Throws `DecodeError` for a broken one. */
export const pictureTakenAt = async (file: PictureFile): Promise<number | null> => {
  const place = await findExif(file)
  if (!place) return null
  const { main, exif, textAt } = await readTiff(place.file, place.start)
  const textOf = (tag: number, length: number): Promise<string> | undefined => {
    const at = exif.get(tag) ?? main.get(tag)
    return at === undefined ? undefined : textAt(at, length)
  }
  const timeOf = async (tags: typeof ORIGINAL | typeof DIGITIZED): Promise<ExifTime> => ({
    time: await textOf(tags.time, TIME_LENGTH),
    offset: await textOf(tags.offset, OFFSET_LENGTH),
  })
  return takenAt([await timeOf(ORIGINAL), await timeOf(DIGITIZED)], Date.now())
}

/** The same of a video: MP4, QuickTime and 3GP, as telephones and cameras write them. Throws `RangeError` for a broken one. */
export const videoTakenAt = async ({ handle }: Pick<PictureFile, 'handle'>): Promise<number | null> => {
  const ms = await mp4CreatedAt(handle)
  return ms === null ? null : plausibleTime(ms, Date.now())
}
