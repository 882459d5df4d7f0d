import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/** How long a connection may be silent: the longest that Bun allows. */
export const IDLE_TIMEOUT_SECONDS = 255

/**
 * Lets the work for an answer take as long as it takes. From then on the connection may be silent for no longer than any other: Bun
 * 1.4.5 keeps what is said for one request for those that follow, and one without a limit, whose client has gone without a word, for ever.
 */
export const unhurried = async <T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> => {
  c.env.timeout(c.req.raw, 0)
  try {
    return await work()
  } finally {
    c.env.timeout(c.req.raw, IDLE_TIMEOUT_SECONDS)
  }
}
