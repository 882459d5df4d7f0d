/** The size of a JPEG XL, by its header: decoding takes a program (ISO/IEC 18181-1, D.2 and D.3; its boxes: 18181-2). */

import { sniffPicture } from './picture-format.ts'

/** Where the codestream begins: at once, or in the first box that holds any of it. Undefined where that lies further back. */
const codestreamOf = (head: Uint8Array): Uint8Array | undefined => {
  if (head[0] === 0xff) return head
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  for (let at = 0; at + 16 <= head.length; ) {
    const size = view.getUint32(at)
    const type = view.getUint32(at + 4)
    const content = at + (size === 1 ? 16 : 8)
    if (type === 0x6a786c63) return head.subarray(content) // jxlc
    if (type === 0x6a786c70) return head.subarray(content + 4) // jxlp, behind its number
    const length = size === 1 ? Number(view.getBigUint64(at + 8)) : size
    if (length < 8) return undefined
    at += length
  }
  return undefined
}

/** Bits from the lowest one of each byte on. Behind the end are zeros. */
const createBits = (bytes: Uint8Array) => {
  let at = 0
  return (count: number): number => {
    let value = 0
    for (let bit = 0; bit < count; bit += 1, at += 1) value += (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) * 2 ** bit
    return value
  }
}

const SIDE_BITS = [9, 13, 18, 30]
/** Width to height, by their number. */
const RATIOS = [1, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2]

/** Pixels, turned upright; undefined for what is none, or does not tell within these bytes. */
export const sizeOfJpegXl = (head: Uint8Array): { width: number; height: number } | undefined => {
  const codestream = sniffPicture(head) === 'jxl' ? codestreamOf(head) : undefined
  // Neither header is longer.
  if (codestream === undefined || codestream.length < 16) return undefined
  const read = createBits(codestream.subarray(2))
  const isSmall = read(1) === 1
  const readSide = (): number => (isSmall ? 8 * (read(5) + 1) : read(SIDE_BITS[read(2)] ?? 0) + 1)
  const height = readSide()
  const ratio = read(3)
  const width = ratio === 0 ? readSide() : Math.floor(height * (RATIOS[ratio] ?? 1))
  const isPlain = read(1) === 1 || read(1) === 0
  const orientation = isPlain ? 1 : read(3) + 1
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
