/** What is read from: a `FileHandle` of node, as far as it is used here. */
export interface IndexedFile {
  read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
}

/** Bytes at a place of a file; fewer at its end. */
export const readAt = async (file: IndexedFile, position: number, length: number): Promise<DataView<ArrayBuffer>> => {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return new DataView(bytes.buffer, 0, filled)
}

export interface SizedFile {
  handle: IndexedFile
  /** Bytes. */
  size: number
}

/** The same as a buffer. A length that no file has is none that memory is taken for. */
export const bytesAt = async ({ handle, size }: SizedFile, position: number, length: number): Promise<Buffer<ArrayBuffer>> => {
  const { buffer, byteLength } = await readAt(handle, position, Math.max(0, Math.min(size - position, length)))
  return Buffer.from(buffer, 0, byteLength)
}

const WINDOW_BYTES = 1024 * 1024

/** Every place where these bytes stand, in windows that begin before `end`. */
export async function* placesIn(file: SizedFile, wanted: Uint8Array, end: number): AsyncGenerator<number> {
  const step = WINDOW_BYTES - wanted.length + 1
  for (let position = 0; position < Math.min(file.size, end); position += step) {
    const window = await bytesAt(file, position, WINDOW_BYTES)
    for (let at = window.indexOf(wanted); at >= 0; at = window.indexOf(wanted, at + 1)) yield position + at
  }
}
