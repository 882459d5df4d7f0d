/** The directories of a TIFF file, and of what is built like one: Exif, and most raw photographs (TIFF 6.0, Exif 2.32). */

import { type IndexedFile, readAt } from './read-at.ts'

/** Byte order and magic number: TIFF, Panasonic's RW2, and the two of Olympus' ORF. */
const HEADS: ReadonlySet<string> = new Set(['II*\0', 'MM\0*', 'IIU\0', 'IIRO', 'IIRS', 'MMOR'])
const HEADER_BYTES = 8
const EXIF_DIRECTORY = 0x8769
const SHORT = 3
const ENTRY_BYTES = 12

export const isTiffAt = (bytes: Buffer, at: number): boolean => HEADS.has(bytes.toString('latin1', at, at + 4))

/** Whole numbers, and the places of what is longer, by tag. */
export type TiffDirectory = ReadonlyMap<number, number>

interface Tiff {
  main: TiffDirectory
  exif: TiffDirectory
  textAt: (place: number, length: number) => Promise<string>
}

/** `start`: of the header, from which places are counted. Directories have nothing in them where the file ends before they do. */
export const readTiff = async (file: IndexedFile, start: number): Promise<Tiff> => {
  const header = await readAt(file, start, HEADER_BYTES)
  const isLittle = header.byteLength > 0 && header.getUint8(0) === 0x49

  const directoryAt = async (place: number | undefined): Promise<TiffDirectory> => {
    const numbers = new Map<number, number>()
    if (place === undefined) return numbers
    const count = await readAt(file, start + place, 2)
    if (count.byteLength < 2) return numbers
    const entries = await readAt(file, start + place + 2, count.getUint16(0, isLittle) * ENTRY_BYTES)
    for (let at = 0; at + ENTRY_BYTES <= entries.byteLength; at += ENTRY_BYTES) {
      const isShort = entries.getUint16(at + 2, isLittle) === SHORT
      numbers.set(entries.getUint16(at, isLittle), isShort ? entries.getUint16(at + 8, isLittle) : entries.getUint32(at + 8, isLittle))
    }
    return numbers
  }

  const main = await directoryAt(header.byteLength < HEADER_BYTES ? undefined : header.getUint32(4, isLittle))
  const textAt = async (place: number, length: number): Promise<string> => {
    const { buffer, byteLength } = await readAt(file, start + place, length)
    return Buffer.from(buffer, 0, byteLength).toString('latin1')
  }
  return { main, exif: await directoryAt(main.get(EXIF_DIRECTORY)), textAt }
}
