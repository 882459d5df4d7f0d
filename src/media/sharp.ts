import type { SharpConstructor, SharpOptions } from 'sharp'

/** SECURITY, part 1 D. */
export const MAX_PIXELS = 100_000_000
/**
 * Of a JPEG that is shrunk while it is read: telephones take 108 and 200 megapixels. It takes 100 MiB however large it is; one
 * in several scans is kept whole until the last, 650 MiB at 100 megapixels.
 */
export const MAX_SHRUNK_PIXELS = 210_000_000

export const OPTIONS: SharpOptions = { failOn: 'none', limitInputPixels: MAX_PIXELS, sequentialRead: true }

/** sharp loads libvips, which takes 60 ms and 16 MiB: only a thread that decodes pictures pays for it. */
export const loadSharp = async (): Promise<SharpConstructor> => {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
