/** Times of requests and queries, one after the other. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, createClient, type InStatement } from '@libsql/client'
import type { HttpClient } from '../support/http-client.ts'
import { cpuSeconds } from './process-stats.ts'
import { interleave, median, quantile } from './rounds.ts'
import { atMost, type Row, ratioAtMost } from './table.ts'

export interface Question {
  name: string
  /** What Vitrine is asked. */
  path: string
  /** What somebody would ask the same database who knows no better. */
  naive: InStatement[]
}

interface Limits {
  requests: number
  /** Of the naive queries, which take much longer. */
  naiveRuns: number
  /** Of rounds in which they are asked at all, and without a warm-up, where they take seconds. */
  naiveRounds?: number
  p95Ms: (question: Question) => number
  /** Vitrine's share of the naive time, at most; null where that only informs. */
  ratio: number | null
}

const timesOf = async (times: number, work: () => Promise<unknown>): Promise<number[]> => {
  const taken: number[] = []
  for (let n = 0; n < times; n += 1) {
    const start = performance.now()
    await work()
    taken.push(performance.now() - start)
  }
  return taken
}

const openNaive = (dataDir: string): Client =>
  createClient({ url: pathToFileURL(join(dataDir, 'vitrine.db')).href, concurrency: 1, timeout: 5000 })

/** Two rows a question: its slow requests against the limit, and its typical one against the naive queries. */
export const answerAll = async (
  { rounds, dataDir, client, pid }: { rounds: number; dataDir: string; client: HttpClient; pid: number },
  questions: readonly Question[],
  { requests, naiveRuns, naiveRounds, p95Ms, ratio }: Limits,
): Promise<Row[]> => {
  const naive = openNaive(dataDir)
  const ask = async (path: string): Promise<void> => {
    const response = await client.fetch(path)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  }
  const rows: Row[] = []
  try {
    for (const question of questions) {
      let cpu = 0
      const { ours, theirs } = await interleave<'ours' | 'theirs', number[]>(rounds, {
        ours: {
          measure: async () => {
            const before = cpuSeconds(pid)
            const times = await timesOf(requests, () => ask(question.path))
            cpu = ((cpuSeconds(pid) - before) * 1000) / requests
            return times
          },
        },
        theirs: {
          ...(naiveRounds === undefined ? {} : { mostRounds: naiveRounds, isWarmedUp: false }),
          measure: () =>
            timesOf(naiveRuns, async () => {
              for (const statement of question.naive) await naive.execute(statement)
            }),
        },
      })
      rows.push(
        {
          what: `${question.name}: p95`,
          unit: 'ms',
          vitrine: median(ours.map((times) => quantile(times, 0.95))),
          reach: atMost(p95Ms(question)),
        },
        {
          what: `${question.name}: median`,
          unit: 'ms',
          vitrine: median(ours.map(median)),
          peer: { name: 'naive SQL, in process', value: median(theirs.map(median)) },
          ...(ratio === null ? {} : { reach: ratioAtMost(ratio) }),
          note: `${cpu.toFixed(1)} ms of processor time a request in the last round`,
        },
      )
    }
  } finally {
    naive.close()
  }
  return rows
}
