/** Files to the server. `fetch` does not tell how far an upload has come, so this is the older way. */

import { apiUrl, problemFrom, unreachable } from './http.ts'

export interface UploadOptions {
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void
}

export const upload = (path: string, fields: Record<string, string | File>, { onProgress }: UploadOptions = {}): Promise<void> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => reject(unreachable()))
    request.addEventListener('load', () => {
      if (request.status < 300) resolve()
      else reject(problemFrom(request.status, request.responseText))
    })
    request.open('POST', apiUrl(path))
    request.send(form)
  })
}
