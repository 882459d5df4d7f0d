/**
 * How much memory a RAR 5 archive makes its reader take: the largest dictionary that any of its files asks for, which
 * may be 4 GiB and is taken before a byte is unpacked (rarlab.com/technote.htm, "RAR 5.0 archive format").
 */

import { readSync } from 'node:fs'

const SIGNATURE = 'Rar!\x1a\x07\x01\x00'
/** More than any header that matters here has in front of its compression information. */
const HEADER_BYTES = 256
const FILE = 2
const SERVICE = 3
const HAS_EXTRA = 0x01
const HAS_DATA = 0x02
const HAS_TIME = 0x02
const HAS_CRC = 0x04
const CRC_BYTES = 4
const TIME_BYTES = 4
/** Bits 10–14 of the compression information: 128 KiB, doubled so many times. */
const DICTIONARY_SHIFT = 10
const DICTIONARY_MASK = 0x1f
const SMALLEST_DICTIONARY_BYTES = 128 * 1024
/** Bits 7–9: 0 stores, and takes no dictionary. */
const METHOD_SHIFT = 7
const METHOD_MASK = 0x7

/** Reads numbers of seven bits a byte, lowest first; stands still at the end of its bytes. */
const createReader = (bytes: Uint8Array) => {
  let at = CRC_BYTES
  return {
    skip: (count: number): void => {
      at += count
    },
    position: (): number => at,
    number: (): number => {
      let value = 0
      for (let factor = 1; at < bytes.length; factor *= 128) {
        const byte = bytes[at++] ?? 0
        value += (byte & 127) * factor
        if (byte < 128) break
      }
      return value
    },
  }
}

interface Block {
  /** Bytes of header and data together. */
  length: number
  dictionaryBytes: number
}

const readBlock = (bytes: Uint8Array): Block => {
  const reader = createReader(bytes)
  const headerSize = reader.number()
  const headerStart = reader.position()
  const type = reader.number()
  const flags = reader.number()
  if (flags & HAS_EXTRA) reader.number()
  const dataSize = flags & HAS_DATA ? reader.number() : 0
  const length = headerStart + headerSize + dataSize
  if (type !== FILE && type !== SERVICE) return { length, dictionaryBytes: 0 }
  const fileFlags = reader.number()
  reader.number() // unpacked size
  reader.number() // attributes
  reader.skip((fileFlags & HAS_TIME ? TIME_BYTES : 0) + (fileFlags & HAS_CRC ? CRC_BYTES : 0))
  const compression = reader.number()
  const isStored = ((compression >>> METHOD_SHIFT) & METHOD_MASK) === 0
  const doubled = (compression >>> DICTIONARY_SHIFT) & DICTIONARY_MASK
  return { length, dictionaryBytes: isStored ? 0 : SMALLEST_DICTIONARY_BYTES * 2 ** doubled }
}

/** 0 for an archive of another version. Looks at no more than `maxBlocks` headers. */
export const largestDictionary = ({ fd, size }: { fd: number; size: number }, maxBlocks: number): number => {
  const bytes = new Uint8Array(HEADER_BYTES)
  const readAt = (position: number): Uint8Array => bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, position))
  if (!Buffer.from(readAt(0)).toString('latin1').startsWith(SIGNATURE)) return 0
  let largest = 0
  for (let at = SIGNATURE.length, block = 0; at < size && block < maxBlocks; block++) {
    const { length, dictionaryBytes } = readBlock(readAt(at))
    largest = Math.max(largest, dictionaryBytes)
    at += Math.max(1, length)
  }
  return largest
}
