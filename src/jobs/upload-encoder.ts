/** The main thread's side of uploaded pictures: threads of their own, so that no thumbnail keeps an upload waiting. */

import type { Deps, UploadEncoder } from '../deps.ts'
import type { EncodeAnswer, EncodeRequest } from '../workers/protocol.ts'
import { threadUrl } from './thread-url.ts'
import { createWorkerPool } from './worker-pool.ts'

/** As many as uploads are taken in at once. */
const THREADS = 2
/** The decoder's own limit comes first, unless it hangs. */
const REQUEST_TIMEOUT_MS = 20_000

export const createUploadEncoder = ({ log }: Pick<Deps, 'log'>): UploadEncoder & { close(): void } => {
  const pool = createWorkerPool<EncodeRequest, EncodeAnswer>({
    url: threadUrl('encoder'),
    size: THREADS,
    timeoutMs: REQUEST_TIMEOUT_MS,
  })
  return {
    encode: async (bytes) => {
      try {
        return await pool.ask({ type: 'encode', bytes }, { handOver: [bytes.buffer] })
      } catch (error) {
        // A picture that takes its thread down is as bad as one that cannot be decoded.
        log.warn('upload_encoder_failed', { error })
        return { ok: false, message: 'The picture could not be decoded.' }
      }
    },
    close: () => pool.close(),
  }
}
