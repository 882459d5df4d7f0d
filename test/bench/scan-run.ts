/** One scan through the running server, as somebody who waits for it sees it. */

import type { HttpClient } from '../support/http-client.ts'
import { startServer, type TestServer } from '../support/test-server.ts'
import { cpuSeconds, peakMib } from './process-stats.ts'

const POLL_INTERVAL_MS = 20
const LIMIT_MS = 900_000

export interface FinishedScan {
  seconds: number
  /** Processor seconds of the server meanwhile, its scanner thread included. */
  cpuSeconds: number
  added: number
  updated: number
  warningCount: number
}

/** A server that scans only when it is asked to. */
export const startQuietServer = (): Promise<TestServer> => startServer({ env: { SCAN_ON_START: '0', LOG_LEVEL: 'info' } })

/** A library that the server has not looked at yet. */
export const addLibrary = async (admin: HttpClient, path: string): Promise<number> => {
  const { status, body } = await admin.post('/api/libraries', { name: 'Album', type: 'mixed', path })
  if (status !== 201) throw new Error(`The library could not be made: ${status} ${JSON.stringify(body)}`)
  return body.library.id
}

const PAGE = 100

/** How many items the library's list says that it has; 0 where the first page does not bear it out. */
const browsableCount = async (admin: HttpClient, libraryId: number): Promise<number> => {
  const { body } = await admin.get('/api/browse', { libraryId, limit: PAGE })
  return body.entries.length === Math.min(PAGE, body.total) ? body.total : 0
}

/** From the request until the scan is `done` and a page of the library says that `files` items are in it. */
export const scanLibrary = async (
  server: TestServer,
  { libraryId, files }: { libraryId: number; files: number },
): Promise<FinishedScan> => {
  const admin = await server.as('admin')
  const cpuBefore = cpuSeconds(server.pid)
  const start = performance.now()
  const [{ id }] = (await admin.post('/api/scans', { libraryId })).body.scans
  for (;;) {
    const { scan } = (await admin.get(`/api/scans/${id}`)).body
    if (scan.status === 'done') {
      const total = await browsableCount(admin, libraryId)
      const seconds = (performance.now() - start) / 1000
      if (total !== files) throw new Error(`${total} of ${files} items can be browsed.`)
      const { added, updated, warningCount } = scan
      return { seconds, cpuSeconds: cpuSeconds(server.pid) - cpuBefore, added, updated, warningCount }
    }
    if (scan.status !== 'queued' && scan.status !== 'running') throw new Error(`The scan is ${scan.status}: ${scan.error}`)
    if (performance.now() - start > LIMIT_MS) throw new Error(`The scan took longer than ${LIMIT_MS / 1000} s.`)
    await Bun.sleep(POLL_INTERVAL_MS)
  }
}

export interface FirstScan extends FinishedScan {
  /** Of the whole server, from its start until the scan was done. */
  peakMib: number
}

/** The first scan of a tree by a fresh server, which is killed afterwards: its background work is not to meet the next round. */
export const firstScan = async (path: string, files: number): Promise<FirstScan> => {
  await using server = await startQuietServer()
  const libraryId = await addLibrary(await server.as('admin'), path)
  const scan = await scanLibrary(server, { libraryId, files })
  const peak = peakMib(server.pid)
  await server.kill()
  return { ...scan, peakMib: peak }
}
