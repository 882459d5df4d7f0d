/** An archive that is made while it is sent, as an HTTP answer: no ranges, and no promise of a length. */

import { contentDisposition } from './content-disposition.ts'

interface SentArchive {
  archive: {
    /** Bytes. */
    length: number
    stream(onError: (error: unknown) => void): ReadableStream<Uint8Array>
    close(): Promise<void>
  }
  name: string
}

/**
 * Takes over the archive. Bun sends a stream in chunks whatever `Content-Length` says, so the length stands in a header of
 * ours. Where the archive breaks off, so does the connection: the client cannot take what it has for the whole.
 */
export const archiveResponse = async (
  request: Request,
  { archive, name }: SentArchive,
  onError: (error: unknown) => void,
): Promise<Response> => {
  const headers = new Headers({
    'Accept-Ranges': 'none',
    'Cache-Control': 'private, no-store',
    'Content-Disposition': contentDisposition('attachment', name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Type': 'application/zip',
    'X-Estimated-Length': String(archive.length),
  })
  if (request.method !== 'HEAD') return new Response(archive.stream(onError), { headers })
  await archive.close()
  headers.set('Content-Length', String(archive.length))
  return new Response(null, { headers })
}
