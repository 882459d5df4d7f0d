/**
 * Zip archives of any size and number of entries: ZIP64, as APPNOTE.TXT 6.3.10 describes it in 4.3.14, 4.3.15 and 4.5.3.
 * Written here because yazl, the library for it, takes a time that grows with the square of the number of entries.
 */

import {
  attributesOf,
  dosTimeOf,
  TIME_EXTRA,
  TIME_EXTRA_BYTES,
  timeExtraOf,
  UNIX_HOST,
  type ZipEntry,
  type ZipFormat,
} from './zip-format.ts'

const LOCAL_SIGNATURE = 0x04034b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const CENTRAL_SIGNATURE = 0x02014b50
const END64_SIGNATURE = 0x06064b50
const LOCATOR64_SIGNATURE = 0x07064b50
const END_SIGNATURE = 0x06054b50

const VERSION_ZIP64 = 45
/** Bit 3: sizes and checksum follow the content; bit 11: the name is UTF-8. */
const FLAGS = 0x0808
/** Stands for a number that is found in the ZIP64 fields. */
const ELSEWHERE_32 = 0xffff_ffff
const ELSEWHERE_16 = 0xffff
const SIZES_EXTRA = 0x0001

const END64_BYTES = 56
const LOCATOR64_BYTES = 20
const END_BYTES = 22

/** Fields of a record in order, each with its length in bytes. */
type Field = readonly [value: number, bytes: 2 | 4 | 8]

const writeRecord = (fields: readonly Field[], ...tails: Uint8Array[]): Buffer => {
  const head = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of fields) {
    if (bytes === 8) head.writeBigUInt64LE(BigInt(value), at)
    else head.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return tails.length === 0 ? head : Buffer.concat([head, ...tails])
}

const isLarge = ({ size }: ZipEntry): boolean => size >= ELSEWHERE_32

const dosFields = (entry: ZipEntry): Field[] => {
  const time = dosTimeOf(entry)
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)
  const day = ((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate()
  return [
    [clock, 2],
    [day, 2],
  ]
}

// biome-ignore format: the head of an extra field is one line
const timeField = (entry: ZipEntry): Buffer => writeRecord([[TIME_EXTRA, 2], [TIME_EXTRA_BYTES, 2]], timeExtraOf(entry))

const zip64Field = (numbers: readonly number[]): Buffer =>
  numbers.length === 0
    ? Buffer.alloc(0)
    : writeRecord([[SIZES_EXTRA, 2], [numbers.length * 8, 2], ...numbers.map((value): Field => [value, 8])])

/** What the local header and the central one have in common: version needed … length of the extra fields. */
const commonFields = (
  entry: ZipEntry,
  { crc, size, nameBytes, extraBytes }: Record<'crc' | 'size' | 'nameBytes' | 'extraBytes', number>,
): Field[] => {
  const shownSize = isLarge(entry) ? ELSEWHERE_32 : size
  // biome-ignore format: as the table in 4.3.7 goes
  return [
    [VERSION_ZIP64, 2], [FLAGS, 2], [0, 2], ...dosFields(entry),
    [crc, 4], [shownSize, 4], [shownSize, 4], [nameBytes, 2], [extraBytes, 2],
  ]
}

const localHeader = (entry: ZipEntry): Buffer => {
  const name = Buffer.from(entry.name)
  // With the ZIP64 field here the descriptor's sizes have eight bytes (4.3.9.2).
  const extra = Buffer.concat([timeField(entry), zip64Field(isLarge(entry) ? [entry.size, entry.size] : [])])
  const common = commonFields(entry, { crc: 0, size: 0, nameBytes: name.length, extraBytes: extra.length })
  return writeRecord([[LOCAL_SIGNATURE, 4], ...common], name, extra)
}

const descriptor = (entry: ZipEntry, crc: number): Buffer => {
  const bytes = isLarge(entry) ? 8 : 4
  return writeRecord([
    [DESCRIPTOR_SIGNATURE, 4],
    [crc, 4],
    [entry.size, bytes],
    [entry.size, bytes],
  ])
}

interface Written {
  entry: ZipEntry
  crc: number
  offset: number
}

const centralHeader = ({ entry, crc, offset }: Written): Buffer => {
  const name = Buffer.from(entry.name)
  const isFar = offset >= ELSEWHERE_32
  const numbers = [...(isLarge(entry) ? [entry.size, entry.size] : []), ...(isFar ? [offset] : [])]
  const extra = Buffer.concat([timeField(entry), zip64Field(numbers)])
  const common = commonFields(entry, { crc, size: entry.size, nameBytes: name.length, extraBytes: extra.length })
  // biome-ignore format: as the table in 4.3.12 goes
  return writeRecord([
    [CENTRAL_SIGNATURE, 4], [(UNIX_HOST << 8) | VERSION_ZIP64, 2], ...common,
    [0, 2], [0, 2], [0, 2], [attributesOf(entry), 4], [isFar ? ELSEWHERE_32 : offset, 4],
  ], name, extra)
}

/** Three records: the ZIP64 end, its locator, and the end that older programs look for. */
const endRecords = ({ count, offset, bytes }: { count: number; offset: number; bytes: number }): Buffer =>
  // biome-ignore format: as the tables in 4.3.14 to 4.3.16 go
  writeRecord([
    [END64_SIGNATURE, 4], [END64_BYTES - 12, 8], [(UNIX_HOST << 8) | VERSION_ZIP64, 2], [VERSION_ZIP64, 2],
    [0, 4], [0, 4], [count, 8], [count, 8], [bytes, 8], [offset, 8],
    [LOCATOR64_SIGNATURE, 4], [0, 4], [offset + bytes, 8], [1, 4],
    [END_SIGNATURE, 4], [0, 2], [0, 2], [ELSEWHERE_16, 2], [ELSEWHERE_16, 2],
    [ELSEWHERE_32, 4], [ELSEWHERE_32, 4], [0, 2],
  ])

export const zip64 = (): ZipFormat => {
  const written: Written[] = []
  let offset = 0
  const count = (pieces: Uint8Array[]): Uint8Array[] => {
    for (const piece of pieces) offset += piece.length
    return pieces
  }
  return {
    begin: (entry) => {
      written.push({ entry, crc: 0, offset })
      return count([localHeader(entry)])
    },
    fill: (chunk, { crc, isLast }) => {
      const current = written.at(-1)
      if (!current || !isLast) return count([chunk])
      current.crc = crc
      return count([chunk, descriptor(current.entry, crc)])
    },
    end: function* () {
      let bytes = 0
      for (const one of written) {
        const header = centralHeader(one)
        bytes += header.length
        yield header
      }
      yield endRecords({ count: written.length, offset, bytes })
    },
  }
}

/** The length in bytes of an archive by `zip64`. */
export const zip64Length = (entries: readonly ZipEntry[]): number => {
  let offset = 0
  let central = 0
  for (const entry of entries) {
    central += centralHeader({ entry, crc: 0, offset }).length
    offset += localHeader(entry).length + entry.size + descriptor(entry, 0).length
  }
  return offset + central + END64_BYTES + LOCATOR64_BYTES + END_BYTES
}
