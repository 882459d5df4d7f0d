/**
 * HEIC pictures, as telephones make them: libheif in WebAssembly, since the libvips that sharp brings cannot read HEVC.
 * Turning and mirroring (`irot`, `imir`) are part of the format and done by libheif; an EXIF orientation beside them must
 * be ignored (ISO/IEC 23008-12, annex A.2.4).
 */

import { DecodeError } from './decode-error.ts'

interface HeicPixels {
  /** RGBA, 8 bits a channel. */
  data: Uint8Array
  width: number
  height: number
}

interface HeicImage {
  width: number
  height: number
  decode: () => Promise<{ width: number; height: number; data: Uint8ClampedArray }>
}

const isHeicImage = (value: unknown): value is HeicImage =>
  typeof value === 'object' && value !== null && 'decode' in value && 'width' in value && Number.isInteger(value.width)

/** The first picture of the file. `maxPixels` is compared before anything is decoded. Throws `DecodeError`. */
export const decodeHeic = async (bytes: Uint8Array, maxPixels: number): Promise<HeicPixels> => {
  // 1.6 MB of WebAssembly: loaded by those who meet such a picture.
  const { default: decoder } = await import('heic-decode')
  const images = await decoder.all({ buffer: bytes }).catch((error: unknown) => {
    throw new DecodeError('broken', 'The HEIC file cannot be read.', error)
  })
  try {
    const [image] = images
    if (!isHeicImage(image)) throw new DecodeError('broken', 'The HEIC file holds no picture.')
    if (image.width * image.height > maxPixels) throw new DecodeError('too_large', `${image.width} x ${image.height} pixels are too many.`)
    const { data, width, height } = await image.decode()
    return { data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), width, height }
  } catch (error) {
    throw error instanceof DecodeError ? error : new DecodeError('broken', 'The HEIC picture cannot be decoded.', error)
  } finally {
    // The decoder's memory is WebAssembly's, out of reach of garbage collection.
    if ('dispose' in images && typeof images.dispose === 'function') images.dispose()
  }
}
