/** One page of a 200-page volume of 300 MB: the first of it that a running server is asked for, and any of them after it. */

import { join } from 'node:path'
import { runProgram } from '../support/program.ts'
import { drawnPicture, makeZip } from '../support/real-media.ts'
import type { Bench } from './bench.ts'
import { cachedFolder } from './cached-folder.ts'
import { needPeer } from './peers.ts'
import { interleave, median, quantile, secondsOf } from './rounds.ts'
import { startQuietServer } from './scan-run.ts'
import { atMost, ratioAtMost } from './table.ts'

const PAGES = 200
const PAGE_BYTES = 1_500_000
const FOLDER = 'Volume'
const ARCHIVE = 'v01.cbz'
const OTHER = 'v02.cbz'
const OTHER_PAGES = 3
const WARM_REQUESTS = 400
/** The background makes the volumes' thumbnails first. */
const REST_MS = 3000
const MS = 1000

const nameOf = (index: number): string => `pages/${String(index).padStart(3, '0')}.jpg`

/** Real pictures, filled up behind their end with bytes that do not compress, each another one. */
const makeVolume = async (folder: string): Promise<void> => {
  const picture = await drawnPicture({ width: 1600, height: 2400 }).jpeg().toBuffer()
  const entries: Record<string, Uint8Array> = {}
  for (let index = 0; index < PAGES; index++) {
    const page = new Uint8Array(PAGE_BYTES)
    for (let at = 0; at < PAGE_BYTES; at += 65_536) crypto.getRandomValues(page.subarray(at, Math.min(PAGE_BYTES, at + 65_536)))
    page.set(picture)
    entries[nameOf(index)] = page
  }
  await makeZip(join(folder, FOLDER, ARCHIVE), entries)
  await makeZip(join(folder, FOLDER, OTHER), Object.fromEntries(Object.entries(entries).slice(0, OTHER_PAGES)))
}

export const pagesBench: Bench = async ({ rounds }) => {
  const unzip = await needPeer('unzip')
  const folder = await cachedFolder('cbz-300m', 'v2', makeVolume)
  const archive = join(folder, FOLDER, ARCHIVE)
  const warm: number[] = []

  /** The volume was never asked for, and another one was. */
  const coldPage = async (): Promise<number> => {
    await using server = await startQuietServer()
    const admin = await server.as('admin')
    const { body } = await admin.post('/api/libraries', { name: 'Manga', type: 'manga', path: folder })
    const libraryId: number = body.library.id
    await server.scanAndWait(libraryId)
    await Bun.sleep(REST_MS)
    const fetchPage = async (index: number, name = ARCHIVE): Promise<void> => {
      const itemKey = `manga_volume:${libraryId}:${FOLDER}/${name}`
      const response = await admin.fetch(`/api/manga/page?itemKey=${encodeURIComponent(itemKey)}&index=${index}`)
      const { byteLength } = await response.arrayBuffer()
      if (byteLength !== PAGE_BYTES) throw new Error(`Page ${index} came as ${response.status} with ${byteLength} bytes.`)
    }
    for (let index = 0; index < OTHER_PAGES; index++) await fetchPage(index, OTHER)
    const seconds = await secondsOf(() => fetchPage(PAGES / 2))
    for (let request = 0; request < WARM_REQUESTS; request++) warm.push((await secondsOf(() => fetchPage((request * 37) % PAGES))) * MS)
    return seconds
  }

  const times = await interleave(rounds, {
    vitrine: { measure: coldPage },
    unzip: { measure: () => secondsOf(() => runProgram([unzip, '-p', archive, nameOf(PAGES / 2)])) },
  })
  return [
    {
      what: `first page of ${PAGES}, ${PAGES} x ${PAGE_BYTES / 1e6} MB`,
      unit: 'ms',
      vitrine: median(times.vitrine) * MS,
      peer: { name: 'unzip -p', value: median(times.unzip) * MS },
      reach: ratioAtMost(1),
    },
    { what: 'any page after it, p99', unit: 'ms', vitrine: quantile(warm, 0.99), reach: atMost(15) },
    { what: 'any page after it, median', unit: 'ms', vitrine: median(warm) },
  ]
}
