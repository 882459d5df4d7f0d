/** Pictures as recognition reads them best. What is done here was measured on the pages of test/support/ocr-pages.ts. */

import type { Sharp } from 'sharp'
import { type Picture, toDecodeError } from './picture.ts'
import { loadSharp } from './sharp.ts'

/** A page of 300 dots an inch; photographs have more, and nothing more to read. */
const MAX_PIXELS = 9_000_000
/** Below this letters may be ten pixels high: of such a page one letter in 30 is misread, of the same at twice the size none. */
const SMALL_PIXELS = 380_000
/** Of a grey value, between light and dark: less than this is an empty page. */
const MIN_RANGE = 12
/** A dark page is dark nearly everywhere; a scene with a box of light letters is not, and turned round it reads worse. */
const MOST = 0.85
const DARK_SHARE = 0.25
/** Of the mean step to the neighbours in the quieter half of the page. Drawn pages have 0, photographs of pages 10 and more. */
const NOISY = 6
const NOISE_BLUR = 1
/** Shares of pixels that may fall off at either end. */
const DARKEST = 0.005
const LIGHTEST = 0.995

interface Grey {
  data: Buffer
  width: number
  height: number
}

const rawGrey = async (pipeline: Sharp): Promise<Grey> => {
  const { data, info } = await pipeline.greyscale().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** The least value up to which more than this share of everything counted lies; -1 where nothing was counted. */
const quantileOf = (counts: Uint32Array, { share, total }: { share: number; total: number }): number => {
  let sum = 0
  return counts.findIndex((count) => {
    sum += count
    return sum > total * share
  })
}

const quantiles = ({ data }: Grey, shares: readonly number[]): number[] => {
  const counts = new Uint32Array(256)
  // A page has millions of pixels: an iterator over them takes more than ten times as long.
  for (let at = 0; at < data.length; at += 1) {
    const value = data[at] ?? 0
    counts[value] = (counts[value] ?? 0) + 1
  }
  return shares.map((share) => {
    const value = quantileOf(counts, { share, total: data.length })
    return value < 0 ? 255 : value
  })
}

/** The median of how far pixels are from the mean of their four neighbours, which letters hardly move: most of a page is paper. */
const noiseOf = ({ data, width, height }: Grey): number => {
  const counts = new Uint32Array(256)
  let seen = 0
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 1; x < width - 1; x += 2) {
      const at = y * width + x
      const around = ((data[at - 1] ?? 0) + (data[at + 1] ?? 0) + (data[at - width] ?? 0) + (data[at + width] ?? 0)) / 4
      const step = Math.round(Math.abs((data[at] ?? 0) - around))
      counts[step] = (counts[step] ?? 0) + 1
      seen += 1
    }
  }
  return Math.max(0, quantileOf(counts, { share: 0.5, total: seen }))
}

const sizeFor = ({ width, height }: Picture): { width: number; height: number } => {
  const pixels = width * height
  const scale = pixels > MAX_PIXELS ? Math.sqrt(MAX_PIXELS / pixels) : pixels < SMALL_PIXELS ? 2 : 1
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

interface Page {
  grey: Grey
  dark: number
  /** `MOST` of the pixels are no lighter. */
  mostly: number
  light: number
}

const pageOn = async (picture: Picture, background: string): Promise<Page> => {
  const grey = await rawGrey(
    picture
      .open()
      .flatten({ background })
      .resize({ ...sizeFor(picture), fit: 'fill', kernel: 'cubic' }),
  )
  const [dark = 0, mostly = 0, light = 255] = quantiles(grey, [DARKEST, MOST, LIGHTEST])
  return { grey, dark, mostly, light }
}

const isEmpty = ({ dark, light }: Page): boolean => light - dark < MIN_RANGE

/** White letters on nothing are seen on black alone. */
const openPage = async (picture: Picture): Promise<Page> => {
  const page = await pageOn(picture, '#fff')
  return isEmpty(page) ? pageOn(picture, '#000') : page
}

const blurred = async ({ data, width, height }: Grey): Promise<Grey> => {
  const sharp = await loadSharp()
  return rawGrey(sharp(data, { raw: { width, height, channels: 1 } }).blur(NOISE_BLUR))
}

/** https://netpbm.sourceforge.net/doc/pgm.html. The engine reads it as it is; to unpack a page from PNG costs it 25 ms and more. */
const pgmOf = ({ data, width, height }: Grey): Uint8Array => Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data])

/**
 * Upright, grey, stretched from black to white, dark on light, without the worst of the noise, small ones at twice their
 * size; as PGM. Throws `DecodeError`.
 */
export const ocrImage = async (picture: Picture): Promise<{ bytes: Uint8Array }> => {
  try {
    const { grey, dark, mostly, light } = await openPage(picture)
    const range = Math.max(MIN_RANGE, light - dark)
    const isDark = mostly - dark < DARK_SHARE * range
    const stretch = Array.from({ length: 256 }, (_, value) => {
      const share = Math.max(0, Math.min(1, (value - dark) / range))
      return Math.round(255 * (isDark ? 1 - share : share))
    })
    const stretched = Buffer.alloc(grey.data.length)
    for (let at = 0; at < stretched.length; at += 1) stretched[at] = stretch[grey.data[at] ?? 0] ?? 0
    const page = { ...grey, data: stretched }
    return { bytes: pgmOf(noiseOf(page) > NOISY ? await blurred(page) : page) }
  } catch (error) {
    throw toDecodeError(error)
  }
}
