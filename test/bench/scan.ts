/** The first scan of 100,000 files, until they can be browsed. */

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Bench } from './bench.ts'
import { scanWithMinidlna } from './minidlna.ts'
import { mixedTree, SET } from './mixed-tree.ts'
import { runOpenLoop } from './open-loop.ts'
import { findPeer } from './peers.ts'
import { interleave, median, medianOrNull, quantile, secondsOf } from './rounds.ts'
import { addLibrary, type FirstScan, firstScan, scanLibrary, startQuietServer } from './scan-run.ts'
import { atMost, type Row, ratioAtMost } from './table.ts'

const MINIDLNA_ROUNDS = 2
const OTHER_REQUESTS_PER_SECOND = 200

/** `find` into a table of SQLite, without any key: as little as an index can be. */
const importWithSqlite = async (tree: string): Promise<number> => {
  await using folder = await temporaryFolder('import')
  const table = '-cmd ".mode tabs" -cmd "CREATE TABLE items (path TEXT, size INTEGER, modified REAL)"'
  const command = `find "$1" -type f -printf '%p\\t%s\\t%T@\\n' | sqlite3 ${table} "$2" '.import /dev/stdin items'`
  return await secondsOf(async () => {
    const child = Bun.spawn(['sh', '-c', command, 'sh', tree, join(folder.path, 'items.db')], { stdout: 'ignore', stderr: 'inherit' })
    if ((await child.exited) !== 0) throw new Error('find | sqlite3 failed.')
  })
}

interface Others {
  p99Ms: number
  maxMs: number
  count: number
  errors: number
}

/** What others feel while a scan runs: a page of the library and the health by turns, 200 requests a second. */
const measureOthers = async (tree: string): Promise<Others> => {
  await using server = await startQuietServer()
  const admin = await server.as('admin')
  const libraryId = await addLibrary(admin, tree)
  const other = admin.copy()
  let isScanned = false
  const paths = [`/api/browse?libraryId=${libraryId}&limit=100`, '/api/health']
  const send = async (count: number): Promise<boolean> => {
    const response = await other.fetch(paths[count % paths.length] ?? '')
    await response.arrayBuffer()
    return response.ok
  }
  const [others] = await Promise.all([
    runOpenLoop({ requestsPerSecond: OTHER_REQUESTS_PER_SECOND, send, isOver: () => isScanned }),
    scanLibrary(server, { libraryId, files: SET.files }).finally(() => {
      isScanned = true
    }),
  ])
  await server.kill()
  const { latenciesMs, errors } = others
  return { p99Ms: quantile(latenciesMs, 0.99), maxMs: Math.max(...latenciesMs), count: latenciesMs.length, errors }
}

const minidlnaSeconds = async (program: string, media: string): Promise<number> => {
  await using folder = await temporaryFolder('minidlna')
  await mkdir(join(folder.path, 'db'))
  const seconds = await scanWithMinidlna(program, { folder: folder.path, media, mode: '-R' })
  await rm(join(folder.path, 'db'), { recursive: true })
  return seconds
}

export const scanBench: Bench = async ({ rounds, say }) => {
  const tree = await mixedTree(1)
  const minidlna = await findPeer('minidlnad')
  const sqlite = await findPeer('sqlite3')
  const scans: FirstScan[] = []
  say(`minidlna takes about a minute a round; it has ${Math.min(rounds, MINIDLNA_ROUNDS)} and no warm-up.`)
  const seconds = await interleave(rounds, {
    vitrine: {
      measure: async () => {
        const scan = await firstScan(tree, SET.files)
        scans.push(scan)
        return scan.seconds
      },
    },
    sqlite: sqlite ? { measure: () => importWithSqlite(tree) } : null,
    minidlna: minidlna ? { measure: () => minidlnaSeconds(minidlna, tree), mostRounds: MINIDLNA_ROUNDS, isWarmedUp: false } : null,
  })
  const others: Others[] = []
  for (let round = 0; round < rounds; round += 1) others.push(await measureOthers(tree))
  const errors = others.reduce((sum, other) => sum + other.errors, 0)
  const peak = Math.max(...scans.map((scan) => scan.peakMib))
  const vitrine = median(seconds.vitrine)
  const what = `first scan of ${SET.files} files in ${SET.folders} folders`
  return [
    { what, unit: 's', vitrine, peer: { name: 'minidlna -R', value: medianOrNull(seconds.minidlna) }, reach: ratioAtMost(0.025) },
    {
      ...{ what, unit: 's', vitrine, peer: { name: 'find | sqlite3 .import', value: medianOrNull(seconds.sqlite) }, reach: ratioAtMost(3) },
      note: `processor time of the server ${median(scans.map((scan) => scan.cpuSeconds)).toFixed(2)} s`,
    },
    { what: 'peak memory of the server, highest round', unit: 'MiB', vitrine: peak, reach: atMost(200) },
    {
      what: `other requests meanwhile, ${OTHER_REQUESTS_PER_SECOND}/s: p99`,
      unit: 'ms',
      vitrine: median(others.map((other) => other.p99Ms)),
      reach: atMost(50),
      note: `slowest ${Math.max(...others.map((other) => other.maxMs)).toFixed(0)} ms of ${others.reduce((sum, other) => sum + other.count, 0)}`,
    },
    { what: 'other requests meanwhile: errors', unit: '', vitrine: errors, reach: atMost(0) },
  ] satisfies Row[]
}
