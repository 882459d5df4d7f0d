/** A frame that stands for a video. */

import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { THUMBNAIL_SIZES } from '../../src/domain/thumbnail-size.ts'
import { runProgram } from '../support/program.ts'
import { BIT_EXACT } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Bench } from './bench.ts'
import { cachedFolder } from './cached-folder.ts'
import { findPeer } from './peers.ts'
import { childrenCpuSeconds, cpuSeconds } from './process-stats.ts'
import { interleave, medianOrNull, secondsOf } from './rounds.ts'
import { addLibrary, scanLibrary, startQuietServer } from './scan-run.ts'
import { ratioAtMost } from './table.ts'
import { thumbnailsOnDisk } from './thumbnail-files.ts'

const SOURCES = ['testsrc2', 'mandelbrot', 'testsrc', 'life=ratio=0.3:mold=10:seed=9:']
const COPIES = 3
const CLIPS = SOURCES.length * COPIES

/** 20 seconds of 1080p24 of about 16 Mbit/s. */
const makeClips = async (folder: string): Promise<void> => {
  for (const [number, source] of SOURCES.entries()) {
    const path = join(folder, `clip ${number}.mp4`)
    const input = `${source}${source.endsWith(':') ? '' : '='}size=1920x1080:rate=24`
    // biome-ignore format: one option and its value a pair
    await runProgram([
      'ffmpeg', '-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', input, '-t', '20', '-vf', 'noise=alls=6:allf=t:all_seed=3,format=yuv420p',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '16M', '-maxrate', '16M', '-bufsize', '16M', '-g', '48', '-movflags', '+faststart', ...BIT_EXACT, '-y', path,
    ])
    for (let copy = 1; copy < COPIES; copy += 1) await copyFile(path, join(folder, `clip ${number}-${copy}.mp4`))
  }
}

/** A clip's share of the whole. */
interface Frame {
  seconds: number
  cpuSeconds: number
}

/** From the end of the scan until all sizes of all clips lie on disk. The background probes the clips meanwhile, which is counted too. */
const postersByQueue = async (folder: string): Promise<Frame> => {
  await using server = await startQuietServer()
  const libraryId = await addLibrary(await server.as('admin'), folder)
  const cpu = (): number => cpuSeconds(server.pid) + childrenCpuSeconds(server.pid)
  const before = cpu()
  await scanLibrary(server, { libraryId, files: CLIPS })
  const seconds = await secondsOf(() => thumbnailsOnDisk(server.dataDir, CLIPS))
  const frame = { seconds: seconds / CLIPS, cpuSeconds: (cpu() - before) / CLIPS }
  await server.kill()
  return frame
}

/** One after the other, each width in a process of its own. */
const postersByThumbnailer = async (program: string, folder: string, widths: readonly number[]): Promise<Frame> => {
  await using output = await temporaryFolder('posters')
  const names = [...new Bun.Glob('*.mp4').scanSync(folder)].sort()
  let cpu = 0
  const seconds = await secondsOf(async () => {
    for (const name of names) {
      for (const width of widths) {
        const target = join(output.path, `${name}-${width}.jpg`)
        const child = Bun.spawn([program, '-i', join(folder, name), '-o', target, '-s', String(width), '-c', 'jpeg'], { stderr: 'ignore' })
        if ((await child.exited) !== 0) throw new Error(`ffmpegthumbnailer cannot read ${name}.`)
        cpu += Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
      }
    }
  })
  return { seconds: seconds / CLIPS, cpuSeconds: cpu / CLIPS }
}

export const posterBench: Bench = async ({ rounds }) => {
  const folder = await cachedFolder('clips-1080p', 'v2', makeClips)
  const thumbnailer = await findPeer('ffmpegthumbnailer')
  const widths = Object.values(THUMBNAIL_SIZES)
  const byThumbnailer = (wanted: readonly number[]) =>
    thumbnailer ? { measure: () => postersByThumbnailer(thumbnailer, folder, wanted) } : null
  const frames = await interleave(rounds, {
    vitrine: { measure: () => postersByQueue(folder) },
    one: byThumbnailer([Math.max(...widths)]),
    three: byThumbnailer(widths),
  })
  const msOf = (all: readonly Frame[]): number | null => medianOrNull(all.map((frame) => frame.seconds * 1000))
  const cpuOf = (all: readonly Frame[]): string => medianOrNull(all.map((frame) => frame.cpuSeconds * 1000))?.toFixed(0) ?? '-'
  const what = `a frame of a 1080p video in three sizes, the mean of ${CLIPS}`
  const vitrine = msOf(frames.vitrine) ?? 0
  return [
    {
      ...{ what, unit: 'ms', vitrine, peer: { name: 'ffmpegthumbnailer, one size', value: msOf(frames.one) }, reach: ratioAtMost(1) },
      note: `processor time a video ${cpuOf(frames.vitrine)} ms with scan and probe, ffmpegthumbnailer ${cpuOf(frames.one)} ms a size`,
    },
    { what, unit: 'ms', vitrine, peer: { name: 'ffmpegthumbnailer, three sizes', value: msOf(frames.three) } },
  ]
}
