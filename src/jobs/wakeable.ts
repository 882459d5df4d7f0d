/**
 * Background work that is looked for again whenever somebody says that there may be some: never twice at once, and no
 * call is lost, however close to the end of the last look it comes.
 */

/** After which what failed since a disk or the database was away is tried again. */
export const RETRY_MS = 30_000

export interface Wakeable {
  wake(): void
  /** Resolves once the work that goes on has ended; `work` asks `isStopped` in between. */
  stop(): Promise<void>
}

export interface WakeableOptions {
  work: (isStopped: () => boolean) => Promise<void>
  /** What a look that failed says; the next call looks again. */
  onError: (error: unknown) => void
  /** Without a call, a look that failed is made again after so long: what nobody calls for by the clock. */
  retryMs?: number
}

interface AwaitedWakeable extends Wakeable {
  /** Resolves once all that was called for until now has been looked for. */
  rest(): Promise<void>
}

export const createWakeable = ({ work, onError, retryMs }: WakeableOptions): AwaitedWakeable => {
  let isStopped = false
  let isWanted = false
  let running: Promise<void> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const failed = (error: unknown): void => {
    onError(error)
    if (retryMs !== undefined && !isStopped) retry = setTimeout(wake, retryMs).unref()
  }

  const run = async (): Promise<void> => {
    while (isWanted && !isStopped) {
      isWanted = false
      clearTimeout(retry)
      await work(() => isStopped).catch(failed)
    }
    // In the same turn as the last look at `isWanted`: a call can only come before it, or find nothing running.
    running = undefined
  }

  const wake = (): void => {
    if (isStopped) return
    isWanted = true
    running ??= run()
  }

  return {
    wake,
    rest: async () => running,
    stop: async () => {
      isStopped = true
      clearTimeout(retry)
      await running
    },
  }
}
