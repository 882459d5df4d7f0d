/** Raw photographs as cameras build them: a stamp where other TIFF files have their picture, data, and a finished JPEG. */

const LONG = 4
const SHORT = 3
const ENTRY_BYTES = 12
const STAMP = { width: 16, height: 12 }

type Entry = [tag: number, type: typeof LONG | typeof SHORT, value: number]

const directory = (entries: readonly Entry[], isLittle: boolean): Buffer => {
  const bytes = new DataView(new ArrayBuffer(2 + entries.length * ENTRY_BYTES + 4))
  bytes.setUint16(0, entries.length, isLittle)
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 2 + index * ENTRY_BYTES
    bytes.setUint16(at, tag, isLittle)
    bytes.setUint16(at + 2, type, isLittle)
    bytes.setUint32(at + 4, 1, isLittle)
    if (type === SHORT) bytes.setUint16(at + 8, value, isLittle)
    else bytes.setUint32(at + 8, value, isLittle)
  }
  return Buffer.from(bytes.buffer)
}

interface RawContainer {
  isLittle?: boolean
  orientation?: number
  /** What Exif tells of the whole photograph. */
  fullSize?: { width: number; height: number }
  /** Where the container says that Exif's directory is, if not where it lies. */
  exifAt?: number
}

/** A TIFF file whose own picture is a grey stamp. */
export const rawContainer = ({ isLittle = true, orientation = 1, fullSize, exifAt }: RawContainer = {}): Buffer => {
  const stamp = Buffer.alloc(STAMP.width * STAMP.height, 0x80)
  const header = Buffer.alloc(8)
  header.write(isLittle ? 'II*\0' : 'MM\0*', 'latin1')
  if (isLittle) header.writeUInt32LE(8, 4)
  else header.writeUInt32BE(8, 4)
  const main = (exifOffset: number, stampAt: number): Buffer =>
    directory(
      [
        [0x00fe, LONG, 1],
        [0x0100, LONG, STAMP.width],
        [0x0101, LONG, STAMP.height],
        [0x0102, SHORT, 8],
        [0x0103, SHORT, 1],
        [0x0106, SHORT, 1],
        [0x0111, LONG, stampAt],
        [0x0112, SHORT, orientation],
        [0x0115, SHORT, 1],
        [0x0116, LONG, STAMP.height],
        [0x0117, LONG, stamp.length],
        [0x8769, LONG, exifOffset],
      ],
      isLittle,
    )
  const exif = directory(
    fullSize
      ? [
          [0xa002, LONG, fullSize.width],
          [0xa003, LONG, fullSize.height],
        ]
      : [],
    isLittle,
  )
  const behindMain = header.length + main(0, 0).length
  return Buffer.concat([header, main(exifAt ?? behindMain, behindMain + exif.length), exif, stamp])
}

/** What a camera compresses without loss begins like a JPEG too (ITU-T T.81, table B.1: SOF3); it is not for showing. */
export const sensorData = (bytes: number): Buffer => {
  const head = Buffer.from('\xff\xd8\xff\xc4\0\x04\0\0\xff\xc3\0\x0b\x0e\x17\x70\x23\x28\x01\x01\x11\0', 'latin1')
  // Numbers without a marker in them, the same in every run.
  return Buffer.concat([head, Uint8Array.from({ length: bytes }, (_, index) => (index * 7919) % 251)])
}
