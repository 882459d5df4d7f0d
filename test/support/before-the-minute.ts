import { join } from 'node:path'

const MINUTE_MS = 60_000

/** The environment of a server whose next full minute comes this soon after its start. */
export const beforeTheMinute = (soonMs: number): Record<string, string> => ({
  BUN_OPTIONS: `--preload ${join(import.meta.dir, 'shifted-clock.ts')}`,
  CLOCK_OFFSET_MS: String(MINUTE_MS - soonMs - (Date.now() % MINUTE_MS)),
})
