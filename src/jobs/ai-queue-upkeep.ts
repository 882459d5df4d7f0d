/** What keeps the AI queue going by the clock: leases, jobs that nobody works on any more, delays that end, old rows. */

import type { Deps } from '../deps.ts'
import { endDelays, forgetOldJobs, heartbeat, nextDelayEnd, reclaim } from '../services/ai-job-queue.ts'
import { createAlarm } from './alarm.ts'
import { type ClockWatch, MOST_SKEW_MS } from './clock-watch.ts'

/** A lease ends at most 15 seconds after the last heartbeat, the look at what has run out included (API.md, 9). */
export const JOB_LEASE_MS = 12_000
const HEARTBEAT_MS = 3_000
const RECLAIM_MS = 2_000
/** Other servers add jobs and change settings; also one that is started later changes settings. */
const LOOK_MS = 1_000
/** In a database that was ours alone at the start this is for what nobody has thought of. */
const OWN_LOOK_MS = 60_000
const FORGET_MS = 3_600_000
/** No clock that is only slowed down or sped up is off by so much in two seconds. */
const SET_BACK_MS = 1_000
/** Delays that end soon after each other are one. */
const MIN_DELAY_MS = 200
/** After a transaction that failed. */
const RETRY_MS = 1_000

interface AiQueueUpkeep {
  start(): Promise<void>
  /** Something went wrong: it is tried again in a moment. */
  retry(): void
  /** A job may be started again at this time (milliseconds since the epoch). */
  setAlarm(time: number): void
  /** Renews the leases now, and finds out what was cancelled. */
  beat(): void
  stop(): void
}

export interface AiQueueUpkeepParts {
  owner: string
  isShared: boolean
  clock: Pick<ClockWatch, 'isSettled'>
  /** The jobs that we work on. */
  running: () => number[]
  /** A job is not ours any more, or not wanted. */
  lost: (id: number) => void
  /** Reads the settings anew. */
  look: () => Promise<void>
  /** Somebody else has changed the settings. Cheap. */
  isOutOfDate: () => Promise<boolean>
  /** There may be something to claim. */
  wake: () => void
}

type UpkeepDeps = Pick<Deps, 'db' | 'write' | 'log'>

export const createAiQueueUpkeep = (
  deps: UpkeepDeps,
  { owner, isShared, clock, running, lost, look, isOutOfDate, wake }: AiQueueUpkeepParts,
): AiQueueUpkeep => {
  const timers: ReturnType<typeof setInterval>[] = []
  let clockOffset = Date.now() - performance.now()

  const quietly = (name: string, work: () => Promise<unknown>) => (): void =>
    void work().catch((error: unknown) => deps.log.warn('ai_queue_upkeep_failed', { work: name, error }))

  const every = (ms: number, name: string, work: () => Promise<unknown>): void => {
    timers.push(setInterval(quietly(name, work), ms))
  }

  const beat = async (): Promise<void> => {
    const ids = running()
    if (ids.length === 0) return
    const ours = await heartbeat(deps, { owner, ids, leaseUntil: Date.now() + JOB_LEASE_MS })
    for (const id of ids) if (!ours.has(id)) lost(id)
  }

  const takeUp = async (isAll: boolean): Promise<void> => {
    const now = Date.now()
    if ((await reclaim(deps, { now, latest: now + JOB_LEASE_MS + MOST_SKEW_MS, running: running(), isOurs: isAll })) > 0) wake()
  }

  /** Delays are kept as times of day: on a clock that is set back by a year they would last for a year. */
  const heedClock = async (): Promise<void> => {
    const before = clockOffset
    clockOffset = Date.now() - performance.now()
    if (clockOffset > before - SET_BACK_MS) return
    await endDelays(deps)
    wake()
  }

  const wind = async (): Promise<void> => {
    const time = await nextDelayEnd(deps, Date.now())
    if (time !== null) alarm.setTo(Math.max(time, Date.now() + MIN_DELAY_MS))
  }

  const alarm = createAlarm(() => {
    wake()
    quietly('delays', wind)()
  })

  return {
    start: async () => {
      // In a database file that is ours alone, whatever runs now is not run by anybody.
      await takeUp(!isShared)
      await wind()
      every(HEARTBEAT_MS, 'heartbeat', beat)
      // Also of servers that are started later, and of our own where a claim was written and not heard of.
      every(RECLAIM_MS, 'reclaim', () => takeUp(false))
      every(RECLAIM_MS, 'clock', heedClock)
      every(isShared ? LOOK_MS : OWN_LOOK_MS, 'look', async () => {
        await look()
        await wind()
      })
      every(LOOK_MS, 'settings', async () => {
        if (await isOutOfDate()) await look()
      })
      every(FORGET_MS, 'forget', async () => {
        if (clock.isSettled()) await forgetOldJobs(deps, Date.now())
      })
    },
    retry: () => alarm.setTo(Date.now() + RETRY_MS),
    setAlarm: alarm.setTo,
    beat: quietly('cancel', beat),
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      alarm.stop()
    },
  }
}
