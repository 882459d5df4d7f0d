/** Form bodies as bytes, with file names that no browser would send. */

export interface Part {
  name: string
  content: string | Uint8Array
  /** As it stands between the quotes of the header; without it the part is a plain field. */
  fileName?: string
  type?: string
}

const BOUNDARY = '----vitrine-test-7MA4YWxkTrZu0gW'

export const multipart = (parts: readonly Part[]): { body: Buffer<ArrayBuffer>; headers: Record<string, string> } => {
  const pieces = parts.flatMap(({ name, content, fileName, type = 'image/jpeg' }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  const body = Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)))
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
}
