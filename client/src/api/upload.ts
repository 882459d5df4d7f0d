/** Files to the server. `fetch` does not tell how far an upload has come, so this is the older way. */

import { ApiProblem, apiUrl, ofOwner, problemFrom, unreachable } from './http.ts'

export interface UploadOptions {
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

/** A proxy that lets less through than the server says so in a page of its own. */
export const tooLarge = (): ApiProblem =>
  new ApiProblem(413, 'too_large', 'That is too large for the server, or for the proxy in front of it.')

export const upload = (path: string, fields: Record<string, string | File>, { onProgress, signal }: UploadOptions = {}): Promise<void> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => reject(unreachable()))
    request.addEventListener('abort', () => reject(signal?.reason))
    signal?.addEventListener('abort', () => request.abort())
    request.addEventListener('load', () => {
      if (request.status >= 300) reject(request.status === 413 ? tooLarge() : problemFrom(request.status, request.responseText))
      // The sign-in of whatever stands before the server: nothing has come through.
      else if (request.getResponseHeader('content-type')?.startsWith('text/html')) reject(unreachable())
      else resolve()
    })
    request.open('POST', apiUrl(path))
    for (const [name, value] of ofOwner()) request.setRequestHeader(name, value)
    request.send(form)
  })
}
