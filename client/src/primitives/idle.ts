const LATEST_MS = 2000

/** When the browser has nothing better to do. Safari does not tell. */
export const whenIdle = (): Promise<unknown> =>
  new Promise((resolve) =>
    'requestIdleCallback' in window ? window.requestIdleCallback(resolve, { timeout: LATEST_MS }) : setTimeout(resolve),
  )
