import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * A HEIC picture the way phones write them, without a HEIF encoder: one HEVC key frame by ffmpeg, its decoder
 * configuration taken from the MP4 that ffmpeg wrote, both put into the boxes of ISO/IEC 23008-12 (6.2, 10.2).
 */

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const box = (type: string, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
/** A box with a version and no flags (ISO/IEC 14496-12, 4.2). */
const fullBox = (type: string, version: number, ...parts: Uint8Array[]): Buffer => box(type, Buffer.from([version, 0, 0, 0]), ...parts)

/** The content of the first box of this type, searched by its name: good enough for a file that we just wrote. */
const boxContent = (bytes: Buffer, type: string): Buffer => {
  const at = bytes.indexOf(type, 0, 'latin1')
  if (at < 4) throw new Error(`ffmpeg wrote no ${type} box`)
  return bytes.subarray(at + 4, at - 4 + bytes.readUInt32BE(at - 4))
}

const ITEM_ID = uint16(1)

const metaBox = (decoderConfiguration: Buffer, size: { width: number; height: number }, frame: { offset: number; bytes: number }): Buffer =>
  fullBox(
    'meta',
    0,
    fullBox('hdlr', 0, uint32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
    fullBox('pitm', 0, ITEM_ID),
    // Offsets and lengths of four bytes, no base offset; one item of one extent in this file.
    fullBox('iloc', 0, Buffer.from([0x44, 0x00]), uint16(1), ITEM_ID, uint16(0), uint16(1), uint32(frame.offset), uint32(frame.bytes)),
    fullBox('iinf', 0, uint16(1), fullBox('infe', 2, ITEM_ID, uint16(0), Buffer.from('hvc1\0', 'latin1'))),
    box(
      'iprp',
      box('ipco', box('hvcC', decoderConfiguration), fullBox('ispe', 0, uint32(size.width), uint32(size.height))),
      // Item 1 has property 1 (essential) and property 2.
      fullBox('ipma', 0, uint32(1), ITEM_ID, Buffer.from([2, 0x81, 0x02])),
    ),
  )

/** Writes `pixels` (RGB, 8 bits a channel, both sides even) as a HEIC file. */
export const writeHeic = async (path: string, pixels: Uint8Array, size: { width: number; height: number }): Promise<void> => {
  await using folder = await temporaryFolder('heic')
  const film = join(folder.path, 'frame.mp4')
  await runProgram(
    // biome-ignore format: one option and its value a pair
    ['ffmpeg', '-nostdin', '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${size.width}x${size.height}`, '-i', 'pipe:0',
      '-frames:v', '1', '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:pools=1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1', '-y', film],
    pixels,
  )
  const bytes = Buffer.from(await Bun.file(film).arrayBuffer())
  const frame = boxContent(bytes, 'mdat')
  const header = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const metaBytes = metaBox(boxContent(bytes, 'hvcC'), size, { offset: 0, bytes: frame.length }).length
  const offset = header.length + metaBytes + 8
  await writeFile(
    path,
    Buffer.concat([header, metaBox(boxContent(bytes, 'hvcC'), size, { offset, bytes: frame.length }), box('mdat', frame)]),
  )
}
