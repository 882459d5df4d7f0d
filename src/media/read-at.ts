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
