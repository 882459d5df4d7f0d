/**
 * Background work that is looked for again whenever somebody says that there may be some: never twice at once, and no
 * call is lost, however close to the end of the last look it comes.
 */

export interface Wakeable {
  wake(): void
  /** Resolves once the work that goes on has ended; `work` asks `isStopped` in between. */
  stop(): Promise<void>
}

export interface WakeableOptions {
  work: (isStopped: () => boolean) => Promise<void>
  /** What a look that failed says; the next call looks again. */
  onError: (error: unknown) => void
}

export const createWakeable = ({ work, onError }: WakeableOptions): Wakeable => {
  let isStopped = false
  let isWanted = false
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (isWanted && !isStopped) {
      isWanted = false
      await work(() => isStopped).catch(onError)
    }
    // In the same turn as the last look at `isWanted`: a call can only come before it, or find nothing running.
    running = undefined
  }

  return {
    wake: () => {
      if (isStopped) return
      isWanted = true
      running ??= run()
    },
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
