/**
 * The main thread's side of subtitles: threads of their own, in which nobody waits for the seconds that a large file takes.
 * One file at a time for each person, so that none who has many, or one that never ends, holds up another.
 */

import type { Deps, SubtitleConverter } from '../deps.ts'
import { setNewest } from '../domain/bounded-map.ts'
import { createGateOfEach } from '../domain/gate.ts'
import { AppError } from '../errors.ts'
import type { SubtitleAnswer, SubtitleRequest } from '../workers/protocol.ts'
import { threadUrl } from './thread-url.ts'
import { createWorkerPool, ThreadError } from './worker-pool.ts'

const THREADS = 2
/** The largest file takes some five seconds on a slow machine. */
const REQUEST_TIMEOUT_MS = 60_000
/** What a thread died of is not tried again for so long: the machine may have been busy. */
const LEFT_ALONE_MS = 600_000
const MAX_LEFT_ALONE = 1000

export const createSubtitleConverter = (
  { log }: Pick<Deps, 'log'>,
  { timeoutMs = REQUEST_TIMEOUT_MS } = {},
): SubtitleConverter & { close(): void } => {
  const pool = createWorkerPool<SubtitleRequest, SubtitleAnswer>({
    url: threadUrl('subtitles'),
    size: THREADS,
    timeoutMs,
  })
  const inTurnOf = createGateOfEach<number>(1)
  /** When they failed. */
  const leftAlone = new Map<string, number>()

  const convert: SubtitleConverter['asVtt'] = async (bytes, source, { key, signal }) => {
    if (signal.aborted) throw new Error('Nobody waits for these subtitles any more.')
    const failedAt = leftAlone.get(key)
    if (failedAt !== undefined && performance.now() - failedAt < LEFT_ALONE_MS) throw new Error('Their conversion has failed before.')
    try {
      return (await pool.ask({ type: 'subtitles', bytes, source }, { signal })).text
    } catch (error) {
      if (error instanceof ThreadError) setNewest(leftAlone, key, performance.now(), MAX_LEFT_ALONE)
      if (!signal.aborted) log.warn('subtitles_not_converted', { error })
      throw error
    }
  }

  return {
    asVtt: async (bytes, source, asker) => {
      try {
        return await inTurnOf(asker.userId)(() => convert(bytes, source, asker))
      } catch (error) {
        throw new AppError('unavailable', 'The subtitles cannot be converted.', { cause: error })
      }
    },
    close: () => pool.close(),
  }
}
