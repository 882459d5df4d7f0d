/** Pictures that people upload, as plain JPEG: nothing of what was sent but its pixels reaches a library. */

import { DecodeError } from './decode-error.ts'
import { toDecodeError } from './picture.ts'
import { type PictureFormat, sniffPicture } from './picture-format.ts'
import { loadSharp } from './sharp.ts'

/** SECURITY, part 4, 19. */
const MAX_PIXELS = 50_000_000
const TIMEOUT_SECONDS = 15
/** The format's own limit. */
const MAX_JPEG_SIDE = 65_535
const ALLOWED: ReadonlySet<PictureFormat | undefined> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif'])

/**
 * Text in screenshots shows the coarser colours that are usual in JPEG. Codes that fit the picture would make it some percent smaller,
 * and take 300 MB for 25 megapixels: they are known only when all of it has been seen.
 */
const JPEG = { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false } as const

/**
 * The first frame, upright, in sRGB, on black where it is transparent, without metadata. Throws `DecodeError`: for other
 * formats than jpeg, png, webp, gif and avif (by their first bytes), for damaged pictures and for those above 50
 * megapixels.
 */
export const uploadedJpeg = async (bytes: Uint8Array): Promise<Uint8Array> => {
  if (bytes.length === 0) throw new DecodeError('broken', 'The file is empty.')
  if (!ALLOWED.has(sniffPicture(bytes))) throw new DecodeError('unsupported', 'The file is no JPEG, PNG, WebP, GIF or AVIF picture.')
  const sharp = await loadSharp()
  try {
    const picture = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS, sequentialRead: true })
    const { width, height } = await picture.metadata()
    if (Math.max(width, height) > MAX_JPEG_SIDE) throw new DecodeError('too_large', `${width} x ${height} pixels are too many for a JPEG.`)
    return await picture
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .jpeg(JPEG)
      .toBuffer()
  } catch (error) {
    throw toDecodeError(error, MAX_PIXELS)
  }
}
