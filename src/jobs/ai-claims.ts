/** Which jobs the queue looks for next, by what runs now, and whether a look can find any. */

import { AI_JOB_PRIORITY } from '../domain/ai-job.ts'
import {
  type AiLane,
  type Claim,
  type ClaimedJob,
  type ClaimStatements,
  claimStatements,
  claimSuspectStatements,
} from '../services/ai-job-queue.ts'

/**
 * The searches that a transaction may make: for the next jobs of a lane; for those of them that somebody waits for
 * (`urgent`); and for one job during which a server ended (`suspect`), of both lanes, or of recognition alone while no more
 * questions to models may be asked.
 */
const SEARCHES = ['recognition', 'urgent recognition', 'model', 'urgent model', 'suspect', 'suspect recognition'] as const
type Search = (typeof SEARCHES)[number]

export interface LaneJob {
  lane: AiLane
  job: Pick<ClaimedJob, 'priority'>
}

interface Room {
  /** Questions to models at a time; 0 where none is to be asked. */
  model: number
  /** Jobs to claim on top of those (ai-pace.ts). */
  ahead: number
}

interface AskedClaim {
  search: Search
  limit: number
  statements: ClaimStatements
}

interface AiClaims {
  /** There may be jobs that were not found before. */
  news(): void
  /** What a transaction is to ask for now. */
  next(claim: Claim, running: Iterable<LaneJob>, room: Room): { asked: AskedClaim[]; found: (counts: readonly number[]) => void }
}

const isUrgent = ({ job }: LaneJob): boolean => job.priority >= AI_JOB_PRIORITY.interactive

export const createAiClaims = (): AiClaims => {
  /** Searches that may find something: one that found less than it asked for waits for news. */
  const mayFind = new Set<Search>(SEARCHES)
  let newsCount = 0

  const wantedOf = (running: readonly LaneJob[], room: Room) => {
    const [models, recognitions] = [running.filter(({ lane }) => lane === 'model'), running.filter(({ lane }) => lane === 'recognition')]
    const ordinary = room.model === 0 ? 0 : Math.max(0, room.model + room.ahead - models.length)
    // What was claimed ahead does not hold up what somebody waits for: that gets the next free place.
    const isAhead = ordinary === 0 && models.length > room.model
    const overtaking = isAhead ? Math.max(0, room.model - models.filter(isUrgent).length) : 0
    // Recognition: one after the other, for it fills a core; and somebody who waits need not wait for a whole volume.
    const besides = recognitions.length === 1 && !recognitions.some(isUrgent) ? 1 : 0
    return [
      { search: 'recognition', lane: 'recognition', limit: recognitions.length === 0 ? 1 : 0, minPriority: 0 },
      { search: 'urgent recognition', lane: 'recognition', limit: besides, minPriority: AI_JOB_PRIORITY.interactive },
      { search: 'model', lane: 'model', limit: ordinary, minPriority: 0 },
      { search: 'urgent model', lane: 'model', limit: overtaking, minPriority: AI_JOB_PRIORITY.interactive },
    ] as const
  }

  return {
    news: () => {
      newsCount += 1
      for (const search of SEARCHES) mayFind.add(search)
    },
    next: (claim, running, room) => {
      const wanted = wantedOf([...running], room).filter(({ limit }) => limit > 0)
      const asked: AskedClaim[] = wanted
        .filter(({ search }) => mayFind.has(search))
        .map((jobs) => ({ search: jobs.search, limit: jobs.limit, statements: claimStatements(claim, jobs) }))
      const lanes = new Set(wanted.map(({ search }) => search))
      const suspects = lanes.has('model') ? 'suspect' : 'suspect recognition'
      if (mayFind.has(suspects) && (lanes.has('recognition') || lanes.has('model')))
        asked.push({ search: suspects, limit: 1, statements: claimSuspectStatements(claim, lanes.has('model')) })
      const seen = newsCount
      return {
        asked,
        found: (counts) => {
          if (seen !== newsCount) return
          asked.forEach(({ search, limit }, index) => {
            if ((counts[index] ?? 0) < limit) mayFind.delete(search)
          })
        },
      }
    },
  }
}
