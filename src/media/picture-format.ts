/** Which picture format a file really has: by its first bytes, never by its name. */

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif' | 'heic' | 'bmp' | 'jxl' | 'svg'

/** As many bytes of a file as `sniffPicture` wants; an SVG may start with a long comment. */
export const SNIFF_BYTES = 4096

/** The size of the header that follows tells a bitmap from a text that starts with "BM". */
const BITMAP_HEADER_BYTES: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124])

/** By the bytes at the start, as Latin-1 text. */
const SIGNATURES: readonly [PictureFormat, (head: string) => boolean][] = [
  ['jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['webp', (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8)],
  ['gif', (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a')],
  ['tiff', (head) => ['II*\0', 'II+\0', 'MM\0*', 'MM\0+'].includes(head.slice(0, 4))],
  ['jxl', (head) => head.startsWith('\xff\x0a') || head.startsWith('\0\0\0\x0cJXL \r\n\x87\n')],
  ['bmp', (head) => head.startsWith('BM') && BITMAP_HEADER_BYTES.has(head.charCodeAt(14)) && head.startsWith('\0\0\0', 15)],
]

/** The brands of ISO/IEC 23000-22 (MIAF) and 23008-12 annex B; `mif1` and `msf1` only say "some HEIF". */
const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis'])
const HEIC_BRANDS: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** All brands of an ISO media file: the major one, and after four bytes of version the compatible ones. */
const brandsOf = (head: string): string[] => {
  if (head.slice(4, 8) !== 'ftyp') return []
  const end = Math.min(head.length, head.charCodeAt(2) * 256 + head.charCodeAt(3))
  const brands = [head.slice(8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.slice(at, at + 4))
  return brands
}

/** An `svg` element behind nothing but what XML allows before it (XML 1.0, production 22: declaration, comments, doctype). */
const SVG =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>\s*)*<(?:svg:)?svg[\s>]/i

/** Undefined for what is no picture that we decode. */
export const sniffPicture = (head: Uint8Array): PictureFormat | undefined => {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SNIFF_BYTES)).toString('latin1')
  const signature = SIGNATURES.find(([, matches]) => matches(text))
  if (signature) return signature[0]
  const brands = brandsOf(text)
  if (brands.some((brand) => AVIF_BRANDS.has(brand))) return 'avif'
  if (brands.some((brand) => HEIC_BRANDS.has(brand))) return 'heic'
  return SVG.test(text) ? 'svg' : undefined
}

/** What browsers show, and what cannot run in our origin: everything else is made into WebP. */
const SHOWN: Partial<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  bmp: 'image/bmp',
}

/** The media type of a picture that browsers show as it is; undefined for any other. */
export const shownTypeOf = (bytes: Uint8Array): string | undefined => SHOWN[sniffPicture(bytes) ?? 'svg']

/** Pixels, by its header (14 bytes of the file, then its own): decoding takes a program. A negative height says that it runs downwards. */
export const sizeOfBitmap = (head: Uint8Array): { width: number; height: number } | undefined => {
  if (sniffPicture(head) !== 'bmp' || head.length < 26) return undefined
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  const [width, height] =
    view.getUint32(14, true) === 12
      ? [view.getUint16(18, true), view.getUint16(20, true)]
      : [view.getInt32(18, true), Math.abs(view.getInt32(22, true))]
  return width > 0 && height > 0 ? { width, height } : undefined
}
