/** wrk as the client, and what it says at its end. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface WrkPlan {
  url: string
  seconds: number
  connections: number
  headers?: Record<string, string>
  /** Lua that makes the requests where they differ: a global `request` function. */
  script?: string
}

export interface WrkOutcome {
  requests: number
  seconds: number
  /** Of the answers, headers included. */
  bytes: number
  p50Ms: number
  p99Ms: number
}

const SUMMARY = `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nwrk-summary [%d,%d,%d,%f,%f,%d]\\n', summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`

/** Throws where any request failed or was answered with a status of 400 or more. */
export const runWrk = async (program: string, { url, seconds, connections, headers = {}, script = '' }: WrkPlan): Promise<WrkOutcome> => {
  await using folder = await temporaryFolder('wrk')
  const file = join(folder.path, 'requests.lua')
  await writeFile(file, script + SUMMARY)
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const output = await runProgram([program, '-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', file, ...given, url])
  const [, summary] = /^wrk-summary (\[.*\])$/m.exec(output.toString()) ?? []
  if (summary === undefined) throw new Error(`wrk said:\n${output}`)
  const [requests = 0, micros = 0, bytes = 0, p50 = 0, p99 = 0, errors = 0]: number[] = JSON.parse(summary)
  if (errors > 0 || requests === 0) throw new Error(`wrk counted ${errors} errors in ${requests} requests to ${url}.`)
  return { requests, seconds: micros / 1e6, bytes, p50Ms: p50 / 1000, p99Ms: p99 / 1000 }
}
