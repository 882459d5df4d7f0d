import { crc32 } from 'node:zlib'

/**
 * RAR archives written byte by byte, without compression: no free program makes them. Version 4 as in the technical note
 * of WinRAR 4 (technote.txt), version 5 as in "RAR 5.0 archive format" (rarlab.com/technote.htm).
 */
export interface RarFileSpec {
  name: string
  data: Uint8Array
  /** What the header claims. */
  size?: number
  crc?: number
  flags?: number
  /** Version 5: compression information (version, solid, method, dictionary); 0 stores. */
  compression?: number
}

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >>> 8])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

const header4 = (type: number, flags: number, fields: Buffer): Buffer => {
  const rest = Buffer.concat([Buffer.from([type]), u16(flags), u16(fields.length + 7), fields])
  return Buffer.concat([u16(crc32(rest) & 0xffff), rest])
}

export const rar4 = (files: readonly RarFileSpec[], { archiveFlags = 0 } = {}): Buffer =>
  Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x00', 'latin1'),
    header4(0x73, archiveFlags, Buffer.alloc(6)),
    ...files.flatMap(({ name, data, size = data.length, crc = crc32(data), flags = 0 }) => {
      const nameBytes = Buffer.from(name)
      const fields = [
        u32(data.length),
        u32(size),
        Buffer.from([3]),
        u32(crc),
        u32(0x5a8e_6c00),
        Buffer.from([20, 0x30]),
        u16(nameBytes.length),
        u32(0o100644),
        nameBytes,
      ]
      return [header4(0x74, 0x8000 | flags, Buffer.concat(fields)), Buffer.from(data)]
    }),
    header4(0x7b, 0x4000, Buffer.alloc(0)),
  ])

const vint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest % 128) | (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.from(bytes)
}

const header5 = (fields: Buffer[]): Buffer => {
  const body = Buffer.concat(fields)
  const sized = Buffer.concat([vint(body.length), body])
  return Buffer.concat([u32(crc32(sized)), sized])
}

export const rar5 = (files: readonly RarFileSpec[], { archiveFlags = 0 } = {}): Buffer =>
  Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'),
    header5([vint(1), vint(0), vint(archiveFlags)]),
    ...files.flatMap(({ name, data, size = data.length, crc = crc32(data), compression = 0 }) => {
      const nameBytes = Buffer.from(name)
      const fields = [
        vint(2),
        vint(2),
        vint(data.length),
        vint(4),
        vint(size),
        vint(0o100644),
        u32(crc),
        vint(compression),
        vint(1),
        vint(nameBytes.length),
        nameBytes,
      ]
      return [header5(fields), Buffer.from(data)]
    }),
    header5([vint(5), vint(0), vint(0)]),
  ])
