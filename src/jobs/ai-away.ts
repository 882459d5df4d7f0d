/**
 * Libraries whose folders are away, as a job has found: their jobs wait. Every few seconds they may be claimed again, and
 * the first of them finds out whether the folder is back: to look may take long, and its thread can wait.
 */

import type { Claim } from '../services/ai-job-queue.ts'

const WAIT_MS = 5_000

type Left = Pick<Claim, 'modelOnlyLibraries' | 'modelOffLibraries'>

interface AiAway {
  /** `reason` is for people. */
  found(libraryId: number, reason: string): void
  /** Why the jobs of this library wait; null where it is not known to be away. */
  reason(libraryId: number): string | null
  /** So that none of their jobs are claimed: as if only a model could read their pictures, and none were to be asked. */
  leftOut(libraries: Left): Left
  /** Nothing is known of any. */
  forget(): void
}

/** `changed`: their jobs may be claimed again. */
export const createAiAway = (changed: () => void): AiAway => {
  const away = new Map<number, { reason: string; wait: ReturnType<typeof setTimeout> }>()
  return {
    found: (libraryId, reason) => {
      if (away.has(libraryId)) return
      const over = (): void => {
        away.delete(libraryId)
        changed()
      }
      away.set(libraryId, { reason, wait: setTimeout(over, WAIT_MS).unref() })
    },
    reason: (libraryId) => away.get(libraryId)?.reason ?? null,
    leftOut: ({ modelOnlyLibraries, modelOffLibraries }) => ({
      modelOnlyLibraries: [...modelOnlyLibraries, ...away.keys()],
      modelOffLibraries: [...modelOffLibraries, ...away.keys()],
    }),
    forget: () => {
      for (const { wait } of away.values()) clearTimeout(wait)
      away.clear()
    },
  }
}
