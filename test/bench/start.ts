/** From the start of the process to its first answer, with a database of 1,000,000 items; and what it weighs then. */

import { join } from 'node:path'
import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { freePort } from './free-port.ts'
import { ITEMS, millionItems } from './million-items.ts'
import { residentMib } from './process-stats.ts'
import { interleave, median } from './rounds.ts'
import { atMost, ratioAtMost } from './table.ts'

const REPOSITORY = join(import.meta.dir, '../..')
const STARTS_A_ROUND = 5
const LIMIT_MS = 30_000
const IDLE_MS = 3000
const RETRY_MS = 1

/** Milliseconds until the health check answers; the process is killed then. */
const firstAnswer = async (command: string[], port: number): Promise<number> => {
  const start = performance.now()
  const child = Bun.spawn(command, { cwd: REPOSITORY, env: environment(port), stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  try {
    for (;;) {
      const status = await fetch(`http://127.0.0.1:${port}/api/health`).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) return performance.now() - start
      if (performance.now() - start > LIMIT_MS) throw new Error(`${command.join(' ')} does not answer.`)
      await Bun.sleep(RETRY_MS)
    }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
}

const environment = (port: number): Record<string, string> => {
  const { PATH = '', HOME = '/tmp' } = process.env
  return { PATH, HOME, PORT: String(port), HOST: '127.0.0.1', SCAN_ON_START: '0', VITRINE_COMPILED: '1' }
}

/** The median of several starts: one alone says little. */
const startsOf = async (command: readonly string[]): Promise<number> => {
  const times: number[] = []
  for (let start = 0; start < STARTS_A_ROUND; start += 1) times.push(await firstAnswer([process.execPath, ...command], freePort()))
  return median(times)
}

export const startBench: Bench = async ({ rounds }) => {
  const dataDir = await millionItems()
  const times = await interleave(rounds, {
    vitrine: { measure: () => startsOf(['src/main.ts', '--data', dataDir]) },
    minimal: { measure: () => startsOf(['test/bench/minimal-server.ts', join(dataDir, 'vitrine.db')]) },
  })
  const idle: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
    await Bun.sleep(IDLE_MS)
    idle.push(residentMib(server.pid))
  }
  return [
    {
      what: `first answer of /api/health, ${ITEMS} items`,
      unit: 'ms',
      vitrine: median(times.vitrine),
      peer: { name: 'minimal Hono + libSQL server', value: median(times.minimal) },
      reach: ratioAtMost(3),
    },
    { what: `resident memory ${IDLE_MS / 1000} s after the start`, unit: 'MiB', vitrine: median(idle), reach: atMost(120) },
  ]
}
