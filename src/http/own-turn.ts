/**
 * For routes that look through many rows: SQLite does so on the thread that answers everybody, so whoever asks for fifty such
 * answers at once would hold up all others until the last one is there.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

/** How long answers may take together before others have their turn: most take a fraction of it. */
const LONGEST_MS = 5

/** Stands after the route's guard. Two answers of one person are made at once, the others wait. Throws `rate_limited` while too many do. */
export const inOwnTurn = (): MiddlewareHandler<AppEnv> => {
  let begun = performance.now()
  return (c, next) => {
    const { deps, viewer } = c.var
    const work = async (): Promise<void> => {
      if (performance.now() - begun > LONGEST_MS) {
        await nextTurn()
        begun = performance.now()
      }
      await next()
    }
    return deps.places.inListOf(viewer.userId)(work, c.req.raw.signal)
  }
}
