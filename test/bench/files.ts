/** The bytes of a large file, signed in: whole, and in random pieces as players ask for them. */

import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { itemKey } from '../../src/domain/item-key.ts'
import { runProgram } from '../support/program.ts'
import type { Bench } from './bench.ts'
import { cachedFolder } from './cached-folder.ts'
import { startMinimalServer } from './minimal-process.ts'
import { startNginx } from './nginx.ts'
import { findPeer, needPeer } from './peers.ts'
import { cpuSeconds, forgetPeak, peakMib, residentMib } from './process-stats.ts'
import { interleave, median, medianOrNull } from './rounds.ts'
import { addLibrary, scanLibrary, startQuietServer } from './scan-run.ts'
import { atMost, ratioAtLeast, ratioAtMost } from './table.ts'
import { runWrk } from './wrk.ts'

const GIB = 2 ** 30
const MIB = 2 ** 20
const FILE = 'film.bin'
const WRK_SECONDS = 5
const WRK_CONNECTIONS = 4
const REST_MS = 3000

const RANDOM_RANGES = `
math.randomseed(42)
request = function()
  local first = math.random(0, ${GIB - MIB})
  wrk.headers['Range'] = 'bytes=' .. first .. '-' .. (first + ${MIB - 1})
  return wrk.format()
end`

/** 1 GiB that no file system can leave out, every MiB another one. */
const makeFile = async (folder: string): Promise<void> => {
  const handle = openSync(join(folder, FILE), 'w')
  const block = Buffer.alloc(MIB)
  for (let at = 0; at < MIB; at += 4) block.writeUInt32LE(Math.imul(at + 1, 0x9e3779b1) >>> 0, at)
  for (let number = 0; number < GIB / MIB; number += 1) {
    block.writeUInt32LE(number, 0)
    writeSync(handle, block)
  }
  // What the system still had to write would be written while the first rounds are measured.
  fsyncSync(handle)
  closeSync(handle)
}

interface Full {
  mbPerSecond: number
  cpuPerGib: number
}

interface Ranges {
  requestsPerSecond: number
  cpuPerGib: number
  p99Ms: number
}

export const filesBench: Bench = async ({ rounds }) => {
  const [wrk, curl, nginxProgram] = [await needPeer('wrk'), await needPeer('curl'), await findPeer('nginx')]
  const folder = await cachedFolder('file-1g', 'v1', makeFile)
  await using server = await startQuietServer()
  const admin = await server.as('admin')
  const libraryId = await addLibrary(admin, folder)
  await scanLibrary(server, { libraryId, files: 1 })
  await using nginx = nginxProgram === null ? undefined : await startNginx(nginxProgram, folder)
  await using minimal = await startMinimalServer(server.dataDir, folder)
  const url = `${server.url}/api/files?itemKey=${encodeURIComponent(itemKey('mixed_file', libraryId, FILE))}`
  const headers = { Cookie: admin.cookies() }

  const full = async (address: string, cpu: () => number): Promise<Full> => {
    const before = cpu()
    const command = [
      curl,
      '-s',
      '-f',
      '-o',
      '/dev/null',
      '-w',
      '%{speed_download} %{size_download}',
      '-H',
      `Cookie: ${headers.Cookie}`,
      address,
    ]
    const [speed, size] = (await runProgram(command)).toString().split(' ').map(Number)
    if (speed === undefined || size !== GIB) throw new Error(`${size} bytes came from ${address}.`)
    return { mbPerSecond: speed / 1e6, cpuPerGib: cpu() - before }
  }
  const ranges = async (address: string, cpu: () => number): Promise<Ranges> => {
    const before = cpu()
    const plan = { url: address, seconds: WRK_SECONDS, connections: WRK_CONNECTIONS, headers, script: RANDOM_RANGES }
    const { requests, seconds, bytes, p99Ms } = await runWrk(wrk, plan)
    if (bytes < requests * MIB) throw new Error(`${requests} ranges gave ${bytes} bytes.`)
    return { requestsPerSecond: requests / seconds, cpuPerGib: (cpu() - before) / ((requests * MIB) / GIB), p99Ms }
  }
  const ourCpu = (): number => cpuSeconds(server.pid)
  const theirs = <Measured>(measure: (address: string, cpu: () => number) => Promise<Measured>) =>
    nginx ? { measure: () => measure(`${nginx.url}/${FILE}`, nginx.cpuSeconds) } : null
  const bare = <Measured>(measure: (address: string, cpu: () => number) => Promise<Measured>) => ({
    measure: () => measure(`${minimal.url}/files/${FILE}`, () => cpuSeconds(minimal.pid)),
  })

  await Bun.sleep(REST_MS)
  const idle = residentMib(server.pid)
  forgetPeak(server.pid)
  const fulls = await interleave(rounds, { vitrine: { measure: () => full(url, ourCpu) }, nginx: theirs(full), bare: bare(full) })
  const pieces = await interleave(rounds, { vitrine: { measure: () => ranges(url, ourCpu) }, nginx: theirs(ranges), bare: bare(ranges) })
  const aboveIdle = peakMib(server.pid) - idle

  const peer = 'nginx, sendfile'
  const of = <Measured>(measured: readonly Measured[], read: (one: Measured) => number): number | null => medianOrNull(measured.map(read))
  const cpuNote = `processor time per GiB: ${of(fulls.vitrine, (one) => one.cpuPerGib)?.toFixed(2)} s, nginx ${of(fulls.nginx, (one) => one.cpuPerGib)?.toFixed(2) ?? '-'} s`
  return [
    {
      what: '1 GiB in one request',
      unit: 'MB/s',
      vitrine: median(fulls.vitrine.map((one) => one.mbPerSecond)),
      peer: { name: peer, value: of(fulls.nginx, (one) => one.mbPerSecond) },
      reach: ratioAtLeast(1.2),
      note: cpuNote,
    },
    {
      what: `random 1 MiB ranges, ${WRK_CONNECTIONS} connections`,
      unit: '/s',
      vitrine: median(pieces.vitrine.map((one) => one.requestsPerSecond)),
      peer: { name: peer, value: of(pieces.nginx, (one) => one.requestsPerSecond) },
      reach: ratioAtLeast(0.6),
      note: `p99 ${of(pieces.vitrine, (one) => one.p99Ms)?.toFixed(1)} ms, nginx ${of(pieces.nginx, (one) => one.p99Ms)?.toFixed(1) ?? '-'} ms`,
    },
    {
      what: 'processor time per GiB in such ranges',
      unit: 's',
      vitrine: median(pieces.vitrine.map((one) => one.cpuPerGib)),
      peer: { name: peer, value: of(pieces.nginx, (one) => one.cpuPerGib) },
      reach: ratioAtMost(1),
    },
    {
      what: '1 GiB in one request',
      unit: 'MB/s',
      vitrine: median(fulls.vitrine.map((one) => one.mbPerSecond)),
      peer: { name: 'Hono and Bun.file, nothing checked', value: of(fulls.bare, (one) => one.mbPerSecond) },
    },
    {
      what: 'processor time per GiB in such ranges',
      unit: 's',
      vitrine: median(pieces.vitrine.map((one) => one.cpuPerGib)),
      peer: { name: 'Hono and Bun.file, nothing checked', value: of(pieces.bare, (one) => one.cpuPerGib) },
    },
    { what: `peak memory above the ${idle.toFixed(0)} MiB of idling`, unit: 'MiB', vitrine: aboveIdle, reach: atMost(64) },
  ]
}
