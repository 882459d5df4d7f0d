import { errorMessage } from '../domain/thrown-error.ts'
import type { Log } from '../log.ts'
import { isAway } from './busy.ts'

/** Every request and all that goes on in the background meets a database that is away, some of it each second. */
const INTERVAL_MS = 60_000

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : errorMessage(error)

/**
 * Of each event that a database which is away is the reason of, one line a minute, with how many more there were; and no stack, which is
 * always the same.
 */
export const withoutEachAway = (log: Log, intervalMs = INTERVAL_MS): Log => {
  const told = new Map<string, { at: number; unsaid: number }>()
  const at =
    (name: keyof Log): Log[keyof Log] =>
    (event, fields = {}) => {
      const { error, ...others } = fields
      if (!isAway(error)) return log[name](event, fields)
      const { at: toldAt, unsaid } = told.get(event) ?? { at: -Infinity, unsaid: 0 }
      const now = performance.now()
      const isSoon = now - toldAt < intervalMs
      told.set(event, isSoon ? { at: toldAt, unsaid: unsaid + 1 } : { at: now, unsaid: 0 })
      if (!isSoon) log[name](event, { ...others, reason: reasonOf(error), ...(unsaid > 0 && { unsaid }) })
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
