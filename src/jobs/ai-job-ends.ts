/** What has ended and is not written yet: results, jobs without one, and pages that were read on the way. */

import type { InStatement } from '@libsql/client/sqlite3'
import { libsqlErrorIn } from '../db/busy.ts'
import type { Answer } from '../db/threaded-connection.ts'
import type { Deps } from '../deps.ts'
import { effectStatements, type FinishedJob } from '../services/ai-job-effects.ts'
import {
  type ClaimStatements,
  type FinishedPage,
  movedStatements,
  pagesStatement,
  statusesOf,
  statusStatement,
  type UnfinishedJob,
  unfinishedStatement,
} from '../services/ai-job-queue.ts'

/** `itemKey`: of the item as it was when its job was claimed. */
type DoneJob = FinishedJob & { itemKey: string }

/** What one transaction writes. */
interface Ends {
  done: DoneJob[]
  undone: UnfinishedJob[]
  pages: FinishedPage[]
}

interface AiJobEnds {
  finished(job: DoneJob): void
  unfinished(job: UnfinishedJob): void
  read(page: FinishedPage): void
  /** Jobs that wait for their end to be written. */
  count(): number
  /** The next ones, up to so many results and as many others. */
  take(most: number): Ends
  /** What waits of these jobs is not to be written. */
  forget(jobIds: ReadonlySet<number>): void
}

export const createAiJobEnds = (): AiJobEnds => {
  const waiting: Ends = { done: [], undone: [], pages: [] }
  return {
    finished: (job) => void waiting.done.push(job),
    unfinished: (job) => void waiting.undone.push(job),
    read: (page) => void waiting.pages.push(page),
    count: () => waiting.done.length + waiting.undone.length,
    take: (most) => ({ done: waiting.done.splice(0, most), undone: waiting.undone.splice(0, most), pages: waiting.pages.splice(0) }),
    forget: (jobIds) => {
      waiting.done = waiting.done.filter(({ id }) => !jobIds.has(id))
      waiting.undone = waiting.undone.filter(({ id }) => !jobIds.has(id))
      waiting.pages = waiting.pages.filter(({ jobId }) => !jobIds.has(jobId))
    },
  }
}

export const isNothing = ({ done, undone, pages }: Ends): boolean => done.length + undone.length + pages.length === 0

interface Base {
  owner: string
  now: number
}

const asMoved = ({ id, itemKey, result }: DoneJob) => ({ id, itemKey, hasPages: result.activity === 'extraction' })

const statementsOf = ({ done, undone, pages }: Ends, base: Base): InStatement[] => [
  ...(pages.length > 0 ? [pagesStatement(pages, base.owner)] : []),
  ...(done.length > 0 ? movedStatements(done.map(asMoved), base.owner) : []),
  ...effectStatements(done, base),
  ...(undone.length > 0 ? [unfinishedStatement(undone, base)] : []),
  statusStatement([...done, ...undone].map(({ id }) => id)),
]

/** Each by itself: pages before the ends of their jobs, which are not ours afterwards. */
const apart = ({ done, undone, pages }: Ends): (Ends & { jobId: number })[] => [
  ...pages.map((page) => ({ jobId: page.jobId, done: [], undone: [], pages: [page] })),
  ...done.map((job) => ({ jobId: job.id, done: [job], undone: [], pages: [] })),
  ...undone.map((job) => ({ jobId: job.id, done: [], undone: [job], pages: [] })),
]

/** The database does not take what is written; it is not busy, full or gone. */
const isRefusal = (error: unknown): boolean => /^SQLITE_(?:CONSTRAINT|TOOBIG|MISMATCH|ERROR)/.test(libsqlErrorIn(error)?.code ?? '')

interface Written {
  /** What has become of each job that was given. */
  ended: [id: number, status: string][]
  /** What each of the claims found (`claimedItems`); none where nothing was claimed. */
  claimed: Answer[]
  /** Jobs of which something was not taken. */
  refused: { jobId: number; error: unknown }[]
}

const writeApart = async (write: Deps['write'], ends: Ends, base: Base): Promise<Written> => {
  const written: Written = { ended: [], claimed: [], refused: [] }
  for (const { jobId, ...one } of apart(ends)) {
    try {
      // Not on the thread, where each that fails costs a connection.
      const results = await write.batch(statementsOf(one, base))
      written.ended.push(...results.slice(-1).flatMap(statusesOf))
    } catch (error) {
      if (!isRefusal(error)) throw error
      written.refused.push({ jobId, error })
    }
  }
  return written
}

/**
 * Writes the ends, and claims, in one transaction. Where the database refuses one of them, each is written by itself, and
 * nothing is claimed: the others are not to be done again for it.
 */
export const writeEnds = async (
  write: Deps['write'],
  ends: Ends,
  { claims, ...base }: Base & { claims: ClaimStatements[] },
): Promise<Written> => {
  const statements = statementsOf(ends, base)
  try {
    const results = await write.batchOnThread([...statements, ...claims.flatMap(({ read, take }) => [read, take])])
    const [ended, claimed] = [results.slice(0, statements.length), results.slice(statements.length)]
    return { ended: ended.slice(-1).flatMap(statusesOf), claimed: claimed.filter((_, at) => at % 2 === 0), refused: [] }
  } catch (error) {
    if (isNothing(ends) || !isRefusal(error)) throw error
    return writeApart(write, ends, base)
  }
}
