/** Thumbnails of 300 photographs in three sizes, made in the background; and one that somebody waits for meanwhile. */

import { availableParallelism } from 'node:os'
import { THUMBNAIL_SIZES } from '../../src/domain/thumbnail-size.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Bench } from './bench.ts'
import { findPeer } from './peers.ts'
import { PHOTOGRAPHS, photographs } from './photographs.ts'
import { cpuSeconds, peakMib } from './process-stats.ts'
import { interleave, median, medianOrNull, quantile, secondsOf } from './rounds.ts'
import { addLibrary, scanLibrary, startQuietServer } from './scan-run.ts'
import { atMost, ratioAtLeast } from './table.ts'
import { thumbnailsOnDisk } from './thumbnail-files.ts'

const REQUESTS_A_ROUND = 20
const PAUSE_MS = 150
/** As the server's own (src/media/thumbnail.ts). */
const WEBP = 'Q=78,effort=2,strip'

interface Made {
  seconds: number
  cpuSeconds: number
  peakMib: number
}

/** From the request for the scan until every thumbnail lies on disk. */
const makeByQueue = async (folder: string): Promise<Made> => {
  await using server = await startQuietServer()
  const libraryId = await addLibrary(await server.as('admin'), folder)
  const cpuBefore = cpuSeconds(server.pid)
  const seconds = await secondsOf(async () => {
    await scanLibrary(server, { libraryId, files: PHOTOGRAPHS })
    await thumbnailsOnDisk(server.dataDir, PHOTOGRAPHS)
  })
  const made = { seconds, cpuSeconds: cpuSeconds(server.pid) - cpuBefore, peakMib: peakMib(server.pid) }
  await server.kill()
  return made
}

/** One process a core, each over its share of the pictures, once for every size. */
const makeByVips = async (program: string, folder: string): Promise<Made> => {
  await using output = await temporaryFolder('vips')
  const names = [...new Bun.Glob('*.jpg').scanSync(folder)].sort()
  const processes = availableParallelism()
  const command = Object.values(THUMBNAIL_SIZES)
    .map((width) => `"$0" --size ${width}x --vips-concurrency=1 -o "${output.path}/%s-${width}.webp[${WEBP}]" "$@"`)
    .join(' && ')
  const run = async (lane: number): Promise<number> => {
    const share = names.filter((_, index) => index % processes === lane)
    const child = Bun.spawn(['sh', '-c', command, program, ...share], { cwd: folder, stdout: 'ignore', stderr: 'inherit' })
    if ((await child.exited) !== 0) throw new Error('vipsthumbnail failed.')
    return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  }
  let cpu: number[] = []
  const seconds = await secondsOf(async () => {
    cpu = await Promise.all(Array.from({ length: processes }, (_, lane) => run(lane)))
  })
  const written = [...new Bun.Glob('*.webp').scanSync(output.path)].length
  if (written !== PHOTOGRAPHS * Object.keys(THUMBNAIL_SIZES).length) throw new Error(`vipsthumbnail wrote ${written} files.`)
  return { seconds, cpuSeconds: cpu.reduce((sum, one) => sum + one, 0), peakMib: 0 }
}

/** Milliseconds until each of some pictures came that the background would have made last. */
const requestMeanwhile = async (folder: string): Promise<number[]> => {
  await using server = await startQuietServer()
  const admin = await server.as('admin')
  const libraryId = await addLibrary(admin, folder)
  await scanLibrary(server, { libraryId, files: PHOTOGRAPHS })
  const { body } = await admin.get('/api/browse', { libraryId, sort: 'added', order: 'desc', limit: REQUESTS_A_ROUND })
  const latencies: number[] = []
  for (const { itemKey } of body.entries) {
    await Bun.sleep(PAUSE_MS)
    const start = performance.now()
    const response = await admin.fetch(`/api/thumbnails?${new URLSearchParams({ itemKey, size: 'small' })}`)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`The thumbnail of ${itemKey} was answered with ${response.status}.`)
    latencies.push(performance.now() - start)
  }
  await server.kill()
  return latencies
}

export const thumbnailsBench: Bench = async ({ rounds, say }) => {
  const folder = await photographs()
  const vips = await findPeer('vipsthumbnail')
  const made = await interleave(rounds, {
    vitrine: { measure: () => makeByQueue(folder) },
    vips: vips ? { measure: () => makeByVips(vips, folder), isWarmedUp: false } : null,
  })
  say('Pictures asked for while the background works.')
  const requested = await interleave(rounds, { vitrine: { measure: () => requestMeanwhile(folder) } })
  const latencies = requested.vitrine.flat()
  const rateOf = (all: readonly Made[]): number[] => all.map(({ seconds }) => PHOTOGRAPHS / seconds)
  const cpuOf = (all: readonly Made[]): string => medianOrNull(all.map((one) => (one.cpuSeconds * 1000) / PHOTOGRAPHS))?.toFixed(0) ?? '-'
  return [
    {
      what: `${PHOTOGRAPHS} photographs to three sizes`,
      unit: '/s',
      vitrine: median(rateOf(made.vitrine)),
      peer: { name: `vipsthumbnail, ${availableParallelism()} processes`, value: medianOrNull(rateOf(made.vips)) },
      reach: ratioAtLeast(1.2),
      note: `processor time a picture ${cpuOf(made.vitrine)} ms, vipsthumbnail ${cpuOf(made.vips)} ms; peak of the server ${Math.max(...made.vitrine.map((one) => one.peakMib)).toFixed(0)} MiB`,
    },
    {
      what: 'a picture asked for meanwhile: 95 of 100 within',
      unit: 'ms',
      vitrine: quantile(latencies, 0.95),
      reach: atMost(150),
      note: `median ${median(latencies).toFixed(0)} ms, slowest ${Math.max(...latencies).toFixed(0)} ms of ${latencies.length}`,
    },
  ]
}
