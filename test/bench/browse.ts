/** A page of 100 entries anywhere in a library of 700,000, signed in. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpClient } from '../support/http-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { LARGE, millionItems } from './million-items.ts'
import { startMinimalServer } from './minimal-process.ts'
import { startNginx } from './nginx.ts'
import { runOpenLoop } from './open-loop.ts'
import { findPeer, needPeer } from './peers.ts'
import { cpuSeconds } from './process-stats.ts'
import { interleave, median, medianOrNull, quantile } from './rounds.ts'
import { seeded } from './seeded.ts'
import { atMost, type Row, ratioAtMost } from './table.ts'
import { runWrk, type WrkOutcome } from './wrk.ts'

const PAGE = 100
const WALKED_PAGE = 500
const WRK_SECONDS = 4
const WRK_CONNECTIONS = 8
const STEADY_PER_SECOND = 200
const STEADY_MS = 8000
/** CPU of the middle and last page may differ from the first by this much. */
const EVENNESS = 1.3

const pagePath = (cursor: string | null): string =>
  `/api/browse?libraryId=${LARGE.libraryId}&limit=${PAGE}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`

/** Somewhere in the order of the dates of photographs: behind the item that is in the middle by its title. */
const datedPath = async (admin: HttpClient, middle: string): Promise<string> => {
  const [{ itemKey }] = (await admin.get(pagePath(middle))).body.entries
  const query = { libraryId: LARGE.libraryId, limit: PAGE, sort: 'taken', order: 'desc' }
  const { nextCursor } = (await admin.get('/api/browse', { ...query, around: itemKey })).body
  return `${pagePath(nextCursor)}&sort=taken&order=desc`
}

/** Walks the whole library once; answers a cursor every 500 items, and the one before the last 100. */
const walk = async (admin: HttpClient): Promise<{ cursors: string[]; last: string }> => {
  const cursors: string[] = []
  let cursor: string | undefined
  let seen = 0
  const step = async (limit: number): Promise<void> => {
    const { body } = await admin.get('/api/browse', { libraryId: LARGE.libraryId, limit, cursor })
    seen += body.entries.length
    cursor = body.nextCursor ?? undefined
  }
  while (seen < LARGE.items - WALKED_PAGE) {
    await step(WALKED_PAGE)
    if (cursor !== undefined) cursors.push(cursor)
  }
  while (seen < LARGE.items - PAGE) await step(PAGE)
  const last = cursor
  await step(PAGE)
  if (last === undefined || seen !== LARGE.items || cursor !== undefined) throw new Error(`The walk met ${seen} of ${LARGE.items} items.`)
  return { cursors, last }
}

interface Load extends WrkOutcome {
  cpuMicros: number
}

export const browseBench: Bench = async ({ rounds, say }) => {
  const dataDir = await millionItems()
  const wrk = await needPeer('wrk')
  const nginxProgram = await findPeer('nginx')
  await using server = await startServer({ dataDir, env: { SCAN_ON_START: '0' } })
  const admin = await server.as('admin')
  const { cursors, last } = await walk(admin)
  const middle = cursors[Math.floor(cursors.length / 2)] ?? ''
  const middlePage = await (await admin.fetch(pagePath(middle))).text()
  await using folder = await temporaryFolder('pages')
  await writeFile(join(folder.path, 'page.json'), middlePage)
  await using nginx = nginxProgram === null ? undefined : await startNginx(nginxProgram, folder.path)
  await using minimal = await startMinimalServer(dataDir, folder.path)

  const load = async (url: string, cpu: () => number): Promise<Load> => {
    const before = cpu()
    const headers = { Cookie: admin.cookies() }
    const outcome = await runWrk(wrk, { url, seconds: WRK_SECONDS, connections: WRK_CONNECTIONS, headers })
    return { ...outcome, cpuMicros: ((cpu() - before) * 1e6) / outcome.requests }
  }
  const dated = await datedPath(admin, middle)
  const ours = (path: string) => ({ measure: () => load(server.url + path, () => cpuSeconds(server.pid)) })

  const random = seeded(3)
  const steady = async (): Promise<number> => {
    const end = performance.now() + STEADY_MS
    const send = async (): Promise<boolean> => {
      const response = await admin.fetch(pagePath(cursors[Math.floor(random() * cursors.length)] ?? null))
      await response.arrayBuffer()
      return response.ok
    }
    const isOver = (): boolean => performance.now() > end
    const { latenciesMs, errors } = await runOpenLoop({ requestsPerSecond: STEADY_PER_SECOND, send, isOver })
    if (errors > 0) throw new Error(`${errors} pages failed.`)
    return quantile(latenciesMs, 0.99)
  }

  const loads = await interleave<'first' | 'middle' | 'last' | 'dated' | 'nginx' | 'minimal' | 'kept', Load>(rounds, {
    first: ours(pagePath(null)),
    middle: ours(pagePath(middle)),
    last: ours(pagePath(last)),
    dated: ours(dated),
    nginx: nginx ? { measure: () => load(`${nginx.url}/page.json`, nginx.cpuSeconds) } : null,
    minimal: { measure: () => load(`${minimal.url}/page`, () => cpuSeconds(minimal.pid)) },
    kept: { measure: () => load(`${minimal.url}/kept/page.json`, () => cpuSeconds(minimal.pid)) },
  })
  say('Pages all over the library at a steady rate.')
  const p99s = await interleave(rounds, { steady: { measure: steady } })

  const cpuOf = (outcomes: readonly Load[]): number | null => medianOrNull(outcomes.map((outcome) => outcome.cpuMicros))
  const pages = [cpuOf(loads.first), cpuOf(loads.middle), cpuOf(loads.last)].map((cpu) => cpu ?? 0)
  const peer = { name: 'nginx, same bytes from a file', value: cpuOf(loads.nginx) }
  const rows: Row[] = ['first', 'middle', 'last'].map((name, place) => ({
    what: `CPU per ${name} page of ${PAGE} entries`,
    unit: 'us',
    vitrine: pages[place] ?? 0,
    peer,
    reach: ratioAtMost(10),
  }))
  return [
    ...rows,
    { what: 'dearest of the three pages / cheapest', unit: '', vitrine: Math.max(...pages) / Math.min(...pages), reach: atMost(EVENNESS) },
    { what: 'CPU per page by when things were taken', unit: 'us', vitrine: cpuOf(loads.dated) ?? 0, peer },
    { what: `pages at ${STEADY_PER_SECOND}/s: p99`, unit: 'ms', vitrine: median(p99s.steady), reach: atMost(10) },
    {
      what: 'CPU per first page',
      unit: 'us',
      vitrine: pages[0] ?? 0,
      peer: { name: 'Hono + libSQL, json_group_array', value: cpuOf(loads.minimal) },
      note: `${(median(loads.middle.map((outcome) => outcome.requests / outcome.seconds)) / 1000).toFixed(1)} thousand pages a second, ${(middlePage.length / 1000).toFixed(1)} KB each`,
    },
    {
      what: 'CPU per first page',
      unit: 'us',
      vitrine: pages[0] ?? 0,
      peer: { name: 'Hono, the same bytes from memory', value: cpuOf(loads.kept) },
    },
  ]
}
