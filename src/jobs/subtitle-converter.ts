/** The main thread's side of subtitles: a thread of its own, in which nobody waits for the seconds that a large file takes. */

import type { Deps, SubtitleConverter } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { SubtitleAnswer, SubtitleRequest } from '../workers/protocol.ts'
import { createWorkerPool } from './worker-pool.ts'

/** The largest file takes some five seconds on a slow machine. */
const REQUEST_TIMEOUT_MS = 60_000

export const createSubtitleConverter = ({ log }: Pick<Deps, 'log'>): SubtitleConverter & { close(): void } => {
  const pool = createWorkerPool<SubtitleRequest, SubtitleAnswer>({
    url: new URL('../workers/subtitles.ts', import.meta.url).href,
    size: 1,
    timeoutMs: REQUEST_TIMEOUT_MS,
  })
  return {
    asVtt: async (bytes, source) => {
      try {
        return (await pool.ask({ type: 'subtitles', bytes, source })).text
      } catch (error) {
        log.warn('subtitles_not_converted', { error })
        throw new AppError('unavailable', 'The subtitles cannot be converted.', { cause: error })
      }
    },
    close: () => pool.close(),
  }
}
