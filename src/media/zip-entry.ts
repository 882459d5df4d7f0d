/**
 * One whole entry of a zip in two reads and one inflation, which takes a fraction of the time of a stream of small chunks
 * (APPNOTE.TXT, 4.3.7). The sizes are those of the central directory: the local header may say nothing.
 */

import { constants, inflateRaw, type ZlibOptions } from 'node:zlib'
import { promised } from '../domain/promised.ts'
import { DecodeError } from './decode-error.ts'
import type { OpenedFile } from './inside.ts'

const LOCAL_HEADER_BYTES = 30
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const NAME_LENGTH_AT = 26
const EXTRA_LENGTH_AT = 28
const STORED = 0
const DEFLATED = 8
/** Of the head of a picture. */
const MAX_EXPANSION = 64

const inflate = (data: Uint8Array, options: ZlibOptions): Promise<Buffer> => promised((done) => inflateRaw(data, options, done))

export interface ZipEntryPlace {
  /** Bytes of the entry's name, in both of its headers. */
  nameLength: number
  relativeOffsetOfLocalHeader: number
  compressionMethod: number
  compressedSize: number
  uncompressedSize: number
}

const damaged = (cause?: unknown): DecodeError => new DecodeError('broken', 'The archive is damaged.', cause)

const readExactly = async ({ handle, size }: OpenedFile, position: number, length: number): Promise<Buffer> => {
  if (position + length > size) throw damaged()
  // Every byte of it is read, or nobody sees it.
  const bytes = Buffer.allocUnsafeSlow(length)
  const { bytesRead } = await handle.read(bytes, 0, length, position)
  if (bytesRead < length) throw damaged()
  return bytes
}

/** What most local headers have behind the name at most: times, or the padding that aligns the data. */
const USUAL_EXTRA_BYTES = 64

/** The first `length` bytes of the entry's data: in one read where the header in front of it is as most are. */
const readData = async (
  file: OpenedFile,
  { relativeOffsetOfLocalHeader: start, nameLength }: ZipEntryPlace,
  length: number,
): Promise<Buffer> => {
  const usual = LOCAL_HEADER_BYTES + nameLength + USUAL_EXTRA_BYTES + length
  const bytes = await readExactly(file, start, Math.max(LOCAL_HEADER_BYTES, Math.min(usual, file.size - start)))
  if (bytes.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) throw damaged()
  const from = LOCAL_HEADER_BYTES + bytes.readUInt16LE(NAME_LENGTH_AT) + bytes.readUInt16LE(EXTRA_LENGTH_AT)
  return from + length <= bytes.length ? bytes.subarray(from, from + length) : readExactly(file, start + from, length)
}

/** The caller has looked at the uncompressed size. Throws `DecodeError('broken')`. */
export const readZipEntry = async (file: OpenedFile, entry: ZipEntryPlace): Promise<Uint8Array> => {
  const { compressionMethod, compressedSize, uncompressedSize } = entry
  // Deflate never makes much more of what it cannot shrink; an entry that says so is made to take memory.
  if (compressedSize > uncompressedSize + uncompressedSize / 100 + 1024) throw damaged()
  const data = await readData(file, entry, compressedSize)
  if (compressionMethod === STORED && compressedSize === uncompressedSize) return data
  if (compressionMethod !== DEFLATED) throw damaged()
  const bytes = await inflate(data, { maxOutputLength: Math.max(1, uncompressedSize) }).catch((error: unknown) => {
    throw damaged(error)
  })
  if (bytes.length !== uncompressedSize) throw damaged()
  return bytes
}

/** What the first bytes of an entry's data unpack to: about as many, or more. Throws `DecodeError('broken')`. */
export const readZipEntryHead = async (file: OpenedFile, entry: ZipEntryPlace, bytes: number): Promise<Uint8Array> => {
  const { compressionMethod, compressedSize } = entry
  const data = await readData(file, entry, Math.min(compressedSize, bytes))
  if (compressionMethod === STORED) return data
  if (compressionMethod !== DEFLATED) throw damaged()
  // With this flush what is cut off is no error; one that unpacks to far more is read whole or not at all.
  return inflate(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: bytes * MAX_EXPANSION }).catch((error: unknown) => {
    throw damaged(error)
  })
}
