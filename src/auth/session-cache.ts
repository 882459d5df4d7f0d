import { setNewest } from '../domain/bounded-map.ts'

/** How long a checked session or token is believed without asking the database again. */
const BELIEVED_MS = 2000
const MAX_ENTRIES = 10_000

export interface Remembered {
  userId: number
  /** Milliseconds since the epoch after which it is not believed, whatever the cache says; null for never. */
  expiresAt: number | null
}

interface SessionCache<Value extends Remembered> {
  /** What is remembered under the key, else what `load` finds. Nothing found is not remembered. */
  find(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** Drops whatever belongs to a person; the next request asks the database. */
  forgetUser(userId: number): void
}

export const createSessionCache = <Value extends Remembered>(): SessionCache<Value> => {
  const entries = new Map<string, { value: Value; believedUntil: number }>()
  /** Counts what was forgotten: a value that was being loaded meanwhile may be out of date. */
  let generation = 0

  return {
    find: async (key, load) => {
      const entry = entries.get(key)
      const isExpired = entry?.value.expiresAt != null && entry.value.expiresAt <= Date.now()
      if (entry && !isExpired && entry.believedUntil > performance.now()) return entry.value
      entries.delete(key)
      const before = generation
      const value = await load()
      if (value && before === generation) setNewest(entries, key, { value, believedUntil: performance.now() + BELIEVED_MS }, MAX_ENTRIES)
      return value
    },
    forgetUser: (userId) => {
      generation++
      for (const [key, { value }] of entries) if (value.userId === userId) entries.delete(key)
    },
  }
}
