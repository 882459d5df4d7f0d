/**
 * The built client: every file is read when the first of them is asked for, and kept, compressed too where that helps,
 * since all of it is a few hundred kilobytes. Any other path outside `/api` that can be one is a page of the client and
 * gets `index.html`.
 */

import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { acceptsGzip } from './accept-encoding.ts'
import { listsEtag } from './if-none-match.ts'

interface ClientFile {
  body: Uint8Array<ArrayBuffer>
  gzipped: Uint8Array<ArrayBuffer> | null
  type: string
  etag: string
  isImmutable: boolean
}

export interface ClientFiles {
  /** The answer for a path relative to the base path, without a leading slash; undefined where there is none. */
  respond(path: string, request: Request): Promise<Response | undefined>
}

/** Vite puts files whose names carry a hash of their content here. */
const HASHED_FOLDER = 'assets/'
/** In these folders, and beside them under a name with a dot, lie files alone: further down an item's name may have one. */
const FILES_ONLY = /^(?:assets\/|icons\/|[^/]*\.)/
const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json|manifest\+json)|image\/svg)/

const NOT_BUILT = `<!doctype html><html lang="en"><title>Vitrine</title><h1>The client is not built</h1><p>Run <code>bun run start</code>, or <code>bun run build</code>.</p></html>`

const toFile = (body: Uint8Array<ArrayBuffer>, type: string, isImmutable: boolean): ClientFile => ({
  body,
  gzipped: COMPRESSIBLE.test(type) ? Bun.gzipSync(body) : null,
  type,
  etag: `"${Bun.hash(body).toString(36)}"`,
  isImmutable,
})

const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
}

const withBase = (html: string, basePath: string): string => html.replace('<head>', `<head><base href="${basePath}/">`)

interface LoadedFiles {
  files: ReadonlyMap<string, ClientFile>
  index: ClientFile
}

const load = async (folder: string, basePath: string): Promise<LoadedFiles> => {
  const files = new Map<string, ClientFile>()
  for (const name of await listFiles(folder)) {
    const file = Bun.file(join(folder, name))
    files.set(name, toFile(new Uint8Array(await file.arrayBuffer()), file.type, name.startsWith(HASHED_FOLDER)))
  }
  const encoder = new TextEncoder()
  const html = new TextDecoder().decode(files.get('index.html')?.body ?? encoder.encode(NOT_BUILT))
  const index = toFile(encoder.encode(withBase(html, basePath)), 'text/html; charset=utf-8', false)
  files.set('index.html', index)
  return { files, index }
}

const toResponse = (file: ClientFile, request: Request): Response => {
  const gzipped = acceptsGzip(request.headers.get('Accept-Encoding')) ? file.gzipped : null
  // A strong validator stands for these very bytes (RFC 9110, 8.8.3.3).
  const etag = gzipped ? file.etag.replace(/"$/, '-gzip"') : file.etag
  const headers = new Headers({
    'Content-Type': file.type,
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  if (listsEtag(request.headers.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  if (gzipped) headers.set('Content-Encoding', 'gzip')
  const body = gzipped ?? file.body
  if (request.method !== 'HEAD') return new Response(body, { headers })
  headers.set('Content-Length', String(body.byteLength))
  return new Response(null, { headers })
}

export const createClientFiles = (folder: string, basePath: string): ClientFiles => {
  let loading: Promise<LoadedFiles> | undefined
  return {
    respond: async (path, request) => {
      loading ??= load(folder, basePath).catch((error: unknown) => {
        // Too many open files now need not be so at the next request.
        loading = undefined
        throw error
      })
      const { files, index } = await loading
      const file = files.get(path) ?? (FILES_ONLY.test(path) ? undefined : index)
      return file && toResponse(file, request)
    },
  }
}
