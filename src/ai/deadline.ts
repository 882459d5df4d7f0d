/** Work that has so much time and no more. */

/** What the signal of work whose time is up is aborted with. */
export class TimeUp extends DOMException {
  constructor() {
    super('The time is up.', 'TimeoutError')
  }
}

/**
 * What the work comes to. Rejects with the signal's reason once that is aborted, or with `TimeUp` after so many milliseconds,
 * whatever the work does about its own signal, which is aborted then: some bodies never end. `AbortSignal.timeout` would keep
 * its timer until the time is up: thousands of them in a batch.
 */
export const withinTime = <T>(ms: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stopper = new AbortController()
    const clear = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    const end = (reason: unknown): void => {
      clear()
      stopper.abort(reason)
      reject(reason)
    }
    const onAbort = (): void => end(signal.reason)
    const timer = setTimeout(() => end(new TimeUp()), ms)
    signal.addEventListener('abort', onAbort)
    work(stopper.signal).then(
      (value) => {
        clear()
        resolve(value)
      },
      (error: unknown) => {
        clear()
        reject(error)
      },
    )
  })
