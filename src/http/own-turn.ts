/**
 * For routes that look through many rows: SQLite does so on the thread that answers everybody, so whoever asks for fifty such
 * answers at once would hold up all others until the last one is there.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

/** For so long, in a turn of the event loop, answers of one person are made right away; most take a fraction of it. */
const TURN_MS = 5
/** One that takes longer is made by pieces, with turns for others in between, and the next ones of that person for a while as well. */
const LONG_MS = 20
const KNOWN_MS = 1000

interface Asker {
  /** The turn in which the last answer was made, and what answers have taken of it. */
  turn: number
  spentMs: number
  /** Until when it is known that their answers take long. */
  slowUntil: number
}

/**
 * Stands after the route's guard. Whoever asks for much at once has two answers made at once, and each after a turn for everybody
 * else. Throws `rate_limited` while too many wait. All else goes its way: to wait costs a fifth of a page.
 */
export const inOwnTurn = (): MiddlewareHandler<AppEnv> => {
  const askers = new Map<number, Asker>()
  let turn = 0
  let isEnding = false
  const endTurn = (): void => {
    turn += 1
    isEnding = false
  }
  return async (c, next) => {
    const { deps, viewer } = c.var
    const asker = askers.getOrInsertComputed(viewer.userId, () => ({ turn, spentMs: 0, slowUntil: 0 }))
    const answer = async (): Promise<void> => {
      if (!isEnding) {
        isEnding = true
        setImmediate(endTurn)
      }
      const begun = performance.now()
      await next()
      const ended = performance.now()
      asker.spentMs = ended - begun + (asker.turn === turn ? asker.spentMs : 0)
      asker.turn = turn
      if (ended - begun > LONG_MS) asker.slowUntil = ended + KNOWN_MS
    }
    const hasHadEnough = (asker.turn === turn && asker.spentMs > TURN_MS) || performance.now() < asker.slowUntil
    return hasHadEnough ? deps.places.inListOf(viewer.userId)(() => nextTurn().then(answer), c.req.raw.signal) : answer()
  }
}
