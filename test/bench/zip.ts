/** A `.app` bundle over HTTP, signed in: below the limits of plain zip archives, and above them. */

import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { itemKey } from '../../src/domain/item-key.ts'
import { runProgram } from '../support/program.ts'
import { startServer } from '../support/test-server.ts'
import type { Bench } from './bench.ts'
import { cachedFolder } from './cached-folder.ts'
import { findPeer, needPeer } from './peers.ts'
import { forgetPeak, peakMib, residentMib } from './process-stats.ts'
import { interleave, median, medianOrNull, secondsOf } from './rounds.ts'
import { seeded } from './seeded.ts'
import { atMost, type Row, ratioAtLeast } from './table.ts'

const MEGABYTE = 1e6
const FILES = 4500
const BUNDLE_BYTES = 1208 * MEGABYTE
const PACK_BYTES = 100 * MEGABYTE
/** As applications have them: many small ones, some pictures and sounds, a few large packs. */
const FILE_BYTES = [1000, 4000, 20_000, 60_000, 300_000, 700_000]
const LARGE_BYTES = 4.5 * 2 ** 30
const REST_MS = 3000

const BUNDLES = { plain: { game: 'Plain', app: 'Plain.app' }, large: { game: 'Large', app: 'Large.app' } } as const
type Bundle = (typeof BUNDLES)[keyof typeof BUNDLES]

const makeGames = async (folder: string): Promise<void> => {
  const next = seeded(1)
  const bytes = Buffer.alloc(PACK_BYTES)
  for (let at = 0; at < PACK_BYTES; at += 4) bytes.writeUInt32LE(Math.imul(at + 1, 0x9e3779b1) >>> 0, at)
  const contents = join(folder, BUNDLES.plain.game, BUNDLES.plain.app, 'Contents')
  let left = BUNDLE_BYTES
  const write = (path: string, size: number): void => {
    const from = Math.floor(next() * (PACK_BYTES - size))
    mkdirSync(dirname(join(contents, path)), { recursive: true })
    writeFileSync(join(contents, path), bytes.subarray(from, from + size))
    left -= size
  }
  for (let number = 0; number < FILES; number += 1)
    write(`Resources/${Math.floor(number / 100)}/${number}.bin`, FILE_BYTES[Math.floor(next() * FILE_BYTES.length)] ?? 0)
  for (let number = 0; left > 0; number += 1) write(`packs/${number}.pak`, Math.min(left, PACK_BYTES))

  const large = join(folder, BUNDLES.large.game, BUNDLES.large.app)
  mkdirSync(large, { recursive: true })
  const handle = openSync(join(large, 'data.pak'), 'w')
  ftruncateSync(handle, LARGE_BYTES)
  closeSync(handle)
}

export const zipBench: Bench = async ({ rounds }) => {
  const [curl, zip] = [await needPeer('curl'), await findPeer('zip')]
  const games = await cachedFolder('bundles', 'v1', makeGames)
  await using server = await startServer({ libraries: [{ type: 'games', path: games }] })
  await server.waitForScans()
  const cookie = `Cookie: ${(await server.as('admin')).cookies()}`

  const download = ({ game }: Bundle): Promise<number> => {
    const address = `${server.url}/api/game-archive?itemKey=${encodeURIComponent(itemKey('game', 1, game))}`
    return secondsOf(() => runProgram([curl, '-s', '-f', '-o', '/dev/null', '-H', cookie, address]))
  }
  const pack = (program: string, { game, app }: Bundle): Promise<number> =>
    secondsOf(() => runProgram(['sh', '-c', 'cd "$1" && "$2" -0 -r -q - "$3" | cat > /dev/null', 'sh', join(games, game), program, app]))

  const measure = async (bundle: Bundle, reach: { what: string; bytes: number; limit: number }): Promise<Row> => {
    const seconds = await interleave(rounds, {
      vitrine: { measure: () => download(bundle) },
      zip: zip ? { measure: () => pack(zip, bundle) } : null,
    })
    const speed = (time: number): number => reach.bytes / MEGABYTE / time
    const peer = medianOrNull(seconds.zip)
    return {
      what: reach.what,
      unit: 'MB/s',
      vitrine: speed(median(seconds.vitrine)),
      peer: { name: 'zip -0 -r - | cat', value: peer === null ? null : speed(peer) },
      reach: ratioAtLeast(reach.limit),
    }
  }

  await Bun.sleep(REST_MS)
  const idle = residentMib(server.pid)
  forgetPeak(server.pid)
  const rows = [
    await measure(BUNDLES.plain, { what: `bundle of 1.2 GB in ${FILES} files`, bytes: BUNDLE_BYTES, limit: 2 }),
    await measure(BUNDLES.large, { what: 'bundle of 4.5 GiB, ZIP64', bytes: LARGE_BYTES, limit: 0.7 }),
  ]
  const aboveIdle = peakMib(server.pid) - idle
  return [...rows, { what: `peak memory above the ${idle.toFixed(0)} MiB of idling`, unit: 'MiB', vitrine: aboveIdle, reach: atMost(100) }]
}
