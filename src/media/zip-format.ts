/**
 * Zip archives without compression, written from front to back: an entry's sizes and checksum follow its bytes
 * (APPNOTE.TXT 4.3.9, data descriptors), so that nothing has to be read twice. fflate writes them below its limits; it
 * knows no ZIP64 and puts a wrong archive out above them without a word (SECURITY, S7).
 */

import { Zip, type ZipInputFile } from 'fflate'

export interface ZipEntry {
  /** With "/" between segments, and one at the end of a folder's. */
  name: string
  /** As `stat` tells it: the type and the permissions. */
  mode: number
  /** Milliseconds since the epoch. */
  modifiedAtMs: number
  /** Bytes of the content: a file's bytes, a link's target. */
  size: number
}

/** The pieces of an archive, in order: each entry is begun and then filled, the last of its chunks with its checksum. */
export interface ZipFormat {
  begin(entry: ZipEntry): Uint8Array[]
  /** `crc` is that of everything in the entry so far. */
  fill(chunk: Uint8Array<ArrayBuffer>, options: { crc: number; isLast: boolean }): Uint8Array[]
  end(): Iterable<Uint8Array>
}

/** APPNOTE.TXT 4.4.2.2, upper byte: external attributes are Unix modes. */
export const UNIX_HOST = 3
const FOLDER_TYPE = 0o040000
const TYPE_BITS = 0o170000
/** What MS-DOS calls a folder; some programs look at nothing else. */
const DOS_FOLDER = 0x10

export const attributesOf = ({ mode }: ZipEntry): number => ((mode << 16) | ((mode & TYPE_BITS) === FOLDER_TYPE ? DOS_FOLDER : 0)) >>> 0

/** MS-DOS times begin in 1980 and are local; a day inside the range, whatever the time zone. */
const FIRST_DOS_MS = Date.UTC(1980, 0, 2)
const LAST_DOS_MS = Date.UTC(2099, 11, 30)

export const dosTimeOf = ({ modifiedAtMs }: ZipEntry): Date => new Date(Math.min(Math.max(modifiedAtMs, FIRST_DOS_MS), LAST_DOS_MS))

/** Info-ZIP's "universal time" (APPNOTE.TXT 4.5.2, proginfo/extrafld.txt): to the second, in UTC, which MS-DOS times are not. */
export const TIME_EXTRA = 0x5455
export const TIME_EXTRA_BYTES = 5
const HAS_MODIFICATION_TIME = 1
const MAX_INT32 = 0x7fff_ffff

export const timeExtraOf = ({ modifiedAtMs }: ZipEntry): Uint8Array => {
  const extra = Buffer.alloc(TIME_EXTRA_BYTES)
  extra.writeUInt8(HAS_MODIFICATION_TIME, 0)
  extra.writeInt32LE(Math.min(Math.max(Math.floor(modifiedAtMs / 1000), 0), MAX_INT32), 1)
  return extra
}

/** Below 4 GiB and 65,535 entries, with room to spare. */
const MAX_PLAIN_BYTES = 4 * 1024 ** 3 - 64 * 1024 ** 2
const MAX_PLAIN_ENTRIES = 65_000

const EXTRA_HEADER_BYTES = 4
const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER_BYTES = 46
const DESCRIPTOR_BYTES = 16
const END_BYTES = 22
const PLAIN_ENTRY_BYTES = LOCAL_HEADER_BYTES + DESCRIPTOR_BYTES + CENTRAL_HEADER_BYTES + 2 * (EXTRA_HEADER_BYTES + TIME_EXTRA_BYTES)

/** The length in bytes of an archive by `plainZip`, or undefined where that format cannot hold the entries. */
export const plainZipLength = (entries: readonly ZipEntry[]): number | undefined => {
  const length = entries.reduce((sum, { name, size }) => sum + PLAIN_ENTRY_BYTES + 2 * Buffer.byteLength(name) + size, END_BYTES)
  return length < MAX_PLAIN_BYTES && entries.length < MAX_PLAIN_ENTRIES ? length : undefined
}

/** By fflate, whose own checksum in JavaScript would be the slowest part: it takes any object of this form in place of its own. */
export const plainZip = (): ZipFormat => {
  let pieces: Uint8Array[] = []
  let input: ZipInputFile | undefined
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const take = (): Uint8Array[] => {
    const taken = pieces
    pieces = []
    return taken
  }
  return {
    begin: (entry) => {
      input = {
        filename: entry.name,
        size: entry.size,
        crc: 0,
        compression: 0,
        os: UNIX_HOST,
        attrs: attributesOf(entry),
        mtime: dosTimeOf(entry),
        extra: { [TIME_EXTRA]: timeExtraOf(entry) },
      }
      zip.add(input)
      return take()
    },
    fill: (chunk, { crc, isLast }) => {
      if (input) input.crc = crc
      input?.ondata?.(null, chunk, isLast)
      return take()
    },
    end: () => {
      zip.end()
      return take()
    },
  }
}
