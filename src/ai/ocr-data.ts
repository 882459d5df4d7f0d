/** Looks at a `.traineddata` file before the engine does: one that cannot be used ends the engine's whole thread. */

import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

/** The largest of tesseract's own has 75 MB. */
const MAX_BYTES = 128 * 1024 * 1024
/** Tesseract's `TessdataManager`: a count, then that many offsets; entry 17 is the network that recognises, 21 its characters. */
const MAX_ENTRIES = 64
const NEEDED_ENTRIES = [17, 21] as const
const COUNT_BYTES = 4
const OFFSET_BYTES = 8

const unpack = (bytes: Buffer): Buffer =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes

/** Throws where the file cannot be read, or is no data of the kind that the engine uses. */
export const checkOcrData = async (file: string): Promise<void> => {
  const data = unpack(await readFile(file))
  const entries = data.length < COUNT_BYTES ? 0 : data.readUInt32LE(0)
  const headBytes = COUNT_BYTES + entries * OFFSET_BYTES
  if (entries <= Math.max(...NEEDED_ENTRIES) || entries > MAX_ENTRIES || data.length < headBytes)
    throw new Error(`${file} is no recognition data.`)
  const offsets = Array.from({ length: entries }, (_, entry) => Number(data.readBigInt64LE(COUNT_BYTES + entry * OFFSET_BYTES)))
  const isWhole = offsets.every((offset) => offset === -1 || (offset >= headBytes && offset < data.length))
  const isNeededThere = NEEDED_ENTRIES.every((entry) => (offsets[entry] ?? -1) > 0)
  if (!isWhole || !isNeededThere) throw new Error(`${file} is damaged, or of the older kind of recognition.`)
}
