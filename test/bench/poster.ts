/** A frame that stands for a video. */

import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../support/program.ts'
import { BIT_EXACT } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Bench } from './bench.ts'
import { cachedFolder } from './cached-folder.ts'
import { findPeer } from './peers.ts'
import { interleave, median, medianOrNull, secondsOf } from './rounds.ts'
import { addLibrary, scanLibrary, startQuietServer } from './scan-run.ts'
import { ratioAtMost } from './table.ts'
import { thumbnailsOnDisk } from './thumbnail-files.ts'

const SOURCES = ['testsrc2', 'mandelbrot', 'gradients=seed=7:speed=0.05:', 'life=ratio=0.3:mold=10:seed=9:']
const COPIES = 3
const CLIPS = SOURCES.length * COPIES
const WIDTH = 1280

/** 20 seconds of 1080p24 of about 16 Mbit/s. */
const makeClips = async (folder: string): Promise<void> => {
  for (const [number, source] of SOURCES.entries()) {
    const path = join(folder, `clip ${number}.mp4`)
    const input = `${source}${source.endsWith(':') ? '' : '='}size=1920x1080:rate=24`
    // biome-ignore format: one option and its value a pair
    await runProgram([
      'ffmpeg', '-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', input, '-t', '20', '-vf', 'noise=alls=12:allf=t:all_seed=3,format=yuv420p',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '16M', '-maxrate', '16M', '-bufsize', '16M', '-g', '48', '-movflags', '+faststart', ...BIT_EXACT, '-y', path,
    ])
    for (let copy = 1; copy < COPIES; copy += 1) await copyFile(path, join(folder, `clip ${number}-${copy}.mp4`))
  }
}

/** Seconds a clip, from the end of the scan until all its sizes lie on disk. */
const postersByQueue = async (folder: string): Promise<number> => {
  await using server = await startQuietServer()
  const libraryId = await addLibrary(await server.as('admin'), folder)
  await scanLibrary(server, { libraryId, files: CLIPS })
  const seconds = await secondsOf(() => thumbnailsOnDisk(server.dataDir, CLIPS))
  await server.kill()
  return seconds / CLIPS
}

const postersByThumbnailer = async (program: string, folder: string): Promise<number> => {
  await using output = await temporaryFolder('posters')
  const names = [...new Bun.Glob('*.mp4').scanSync(folder)].sort()
  const seconds = await secondsOf(async () => {
    for (const name of names) {
      await runProgram([program, '-i', join(folder, name), '-o', join(output.path, `${name}.jpg`), '-s', String(WIDTH), '-c', 'jpeg'])
    }
  })
  return seconds / names.length
}

export const posterBench: Bench = async ({ rounds }) => {
  const folder = await cachedFolder('clips-1080p', 'v1', makeClips)
  const thumbnailer = await findPeer('ffmpegthumbnailer')
  const seconds = await interleave(rounds, {
    vitrine: { measure: () => postersByQueue(folder) },
    thumbnailer: thumbnailer ? { measure: () => postersByThumbnailer(thumbnailer, folder) } : null,
  })
  const peer = medianOrNull(seconds.thumbnailer)
  return [
    {
      what: `a frame of a 1080p video, in three sizes, ${CLIPS} one after the other`,
      unit: 'ms',
      vitrine: median(seconds.vitrine) * 1000,
      peer: { name: `ffmpegthumbnailer, ${WIDTH} pixels`, value: peer === null ? null : peer * 1000 },
      reach: ratioAtMost(1),
    },
  ]
}
