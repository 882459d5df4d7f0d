import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Boundaries, evenBoundaries, keyframeBoundaries } from '../../src/domain/hls-playlist.ts'
import type { StreamPlan } from '../../src/domain/playback.ts'
import { type HlsRunSpec, startHlsRun } from '../../src/media/hls-run.ts'
import { findKeyframes } from '../../src/media/keyframes.ts'
import { probeMedia } from '../../src/media/probe.ts'
import { makeMultiTrackClip, makeOddClip } from '../support/odd-clips.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

const FFPROBE = Bun.which('ffprobe') ?? ''
const FFMPEG = Bun.which('ffmpeg') ?? ''
const SECONDS = 20

let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('hls')
  for (const name of ['h264.mkv', 'h264.mp4', 'ac3.mkv', 'mpeg4.avi', 'sparse.mkv', 'h264.ts'])
    await makeOddClip(folder.path, name, SECONDS)
  await makeMultiTrackClip(join(folder.path, 'tracks.mkv'), SECONDS)
})
afterAll(() => folder.remove())

type Actions = [video: 'copy' | 'encode' | null, audio: 'copy' | 'encode' | null]

interface Made {
  boundaries: Boundaries
  /** Pieces in the order in which they were made. */
  pieces: number[]
  fileOf: (piece: number) => string
  folder: string
}

/** Makes the pieces from one of them on. */
const make = async (
  name: string,
  actions: Actions,
  { from = 0, ...hooks }: Partial<Pick<HlsRunSpec, 'from' | 'waitForRoom' | 'onPiece'>> = {},
): Promise<Made> => {
  const handle = await open(join(folder.path, name))
  const probe = await probeMedia(FFPROBE, handle.fd)
  const [video, audio] = actions
  const plan: StreamPlan = {
    video: video && probe.video && { index: probe.video.index, action: video },
    audio: audio && probe.audio[0] ? { index: probe.audio[0].index, action: audio } : null,
  }
  const keyframes = (await findKeyframes(handle, probe)) ?? []
  const boundaries = video === 'copy' ? keyframeBoundaries(keyframes, SECONDS, 5) : evenBoundaries(SECONDS, 3)
  const out = join(folder.path, `${name}-${actions.join('-')}-${from}`)
  await mkdir(out)
  const pieces: number[] = []
  const run = startHlsRun({
    ffmpegPath: FFMPEG,
    fd: handle.fd,
    source: { probe, plan, pieceSeconds: 3, maxWidth: 160 },
    boundaries,
    from,
    folder: out,
    onInit: () => undefined,
    onPiece: (piece) => pieces.push(piece),
    waitForRoom: () => Promise.resolve(),
    ...hooks,
  })
  await handle.close()
  await run.finished
  return { boundaries, pieces, folder: out, fileOf: (piece) => join(out, `seg-${piece}.m4s`) }
}

interface Span {
  first: number
  last: number
}

/**
 * What ffprobe reads out of a piece behind its head: when it begins and ends, by kind of stream. By decoding times, which
 * begin with the first picture's own: ffprobe moves the others where frames are reordered, browsers do not.
 */
const look = async ({ folder: out, fileOf }: Made, piece: number): Promise<Record<string, Span>> => {
  const whole = join(out, 'look.mp4')
  await Bun.write(whole, Buffer.concat([await Bun.file(join(out, 'init.mp4')).bytes(), await Bun.file(fileOf(piece)).bytes()]))
  const said = await runProgram([
    FFPROBE,
    '-v',
    'error',
    '-show_entries',
    'packet=codec_type,dts_time,duration_time',
    '-of',
    'csv=p=0',
    whole,
  ])
  const spans: Record<string, Span> = {}
  for (const line of said.toString().trim().split('\n')) {
    const [type = '', at, length] = line.split(',')
    const { first, last } = spans[type] ?? { first: Number.POSITIVE_INFINITY, last: 0 }
    spans[type] = { first: Math.min(first, Number(at)), last: Math.max(last, Number(at) + (Number(length) || 0)) }
  }
  return spans
}

const ONE_FRAME = 1 / 24 + 0.01

const WAYS: [name: string, actions: Actions][] = [
  ['h264.mkv', ['copy', 'copy']],
  ['h264.mp4', ['copy', 'copy']],
  ['ac3.mkv', ['copy', 'encode']],
  ['ac3.mkv', ['copy', 'copy']],
  ['mpeg4.avi', ['encode', 'encode']],
  ['sparse.mkv', ['encode', 'copy']],
  ['h264.ts', ['encode', 'copy']],
  ['tracks.mkv', [null, 'encode']],
  ['tracks.mkv', [null, 'copy']],
]

describe.each(WAYS)('%s, %p', (name, actions) => {
  let whole: Made
  let later: Made
  beforeAll(async () => {
    whole = await make(name, actions)
    later = await make(name, actions, { from: 2 })
  })

  test('every piece of the list is made, once and in order', () => {
    expect(whole.pieces).toEqual(whole.boundaries.slice(0, -1).map((_, piece) => piece))
    expect(later.pieces).toEqual(whole.pieces.slice(2))
  })

  test('a piece holds what the list says, picture and sound alike', async () => {
    const spans = await look(whole, 1)
    const [start = 0, end = 0] = whole.boundaries.slice(1)
    expect(Object.keys(spans).sort()).toEqual(actions[0] === null ? ['audio'] : ['audio', 'video'])
    for (const { first, last } of Object.values(spans)) {
      // Sound is cut between its packets, up to a third of a second from where the picture is.
      expect(Math.abs(first - start)).toBeLessThan(0.35)
      expect(Math.abs(last - end)).toBeLessThan(0.35)
    }
    const { video } = spans
    if (video) expect([Math.abs(video.first - start) < ONE_FRAME, Math.abs(video.last - end) < ONE_FRAME]).toEqual([true, true])
  })

  test('a piece that ffmpeg was started at is the same as one that it came to', async () => {
    const [reached, sought] = [await look(whole, 2), await look(later, 2)]
    const [start = 0] = whole.boundaries.slice(2)
    for (const [type, { last }] of Object.entries(reached)) expect(Math.abs((sought[type]?.last ?? 0) - last)).toBeLessThan(ONE_FRAME)
    if (reached.video) expect(Math.abs((sought.video?.first ?? 0) - reached.video.first)).toBeLessThan(ONE_FRAME)
    // Nothing is missing at the front of it, where somebody who seeks begins to listen.
    expect(sought.audio?.first).toBeLessThanOrEqual(start + 0.03)
  })
})

test('nothing is made ahead of what its owner has room for, and a stop leaves no process and no half piece', async () => {
  const handle = await open(join(folder.path, 'h264.mkv'))
  const probe = await probeMedia(FFPROBE, handle.fd)
  const out = join(folder.path, 'stopped')
  await mkdir(out)
  const full = Promise.withResolvers<void>()
  const run = startHlsRun({
    ffmpegPath: FFMPEG,
    fd: handle.fd,
    source: { probe, plan: { video: { index: 0, action: 'encode' }, audio: null }, pieceSeconds: 3, maxWidth: 160 },
    boundaries: evenBoundaries(SECONDS, 3),
    from: 0,
    folder: out,
    onInit: () => undefined,
    onPiece: () => undefined,
    waitForRoom: (piece) => {
      if (piece < 2) return Promise.resolve()
      full.resolve()
      return new Promise(() => undefined)
    },
  })
  await handle.close()
  await full.promise
  await Bun.sleep(200)
  expect((await readdir(out)).sort()).toEqual(['init.mp4', 'seg-0.m4s', 'seg-1.m4s'])
  await run.stop()
  await run.finished
  expect((await readdir(out)).sort()).toEqual(['init.mp4', 'seg-0.m4s', 'seg-1.m4s'])
})

test('a file that breaks off makes no piece that breaks off, and says why', async () => {
  const bytes = await Bun.file(join(folder.path, 'ac3.mkv')).bytes()
  const broken = join(folder.path, 'broken.mkv')
  await Bun.write(broken, bytes)
  const handle = await open(broken)
  const probe = await probeMedia(FFPROBE, handle.fd)
  await handle.close()
  await Bun.write(broken, Buffer.from('no video any more'))
  const out = join(folder.path, 'broken')
  await mkdir(out)
  const again = await open(broken)
  const run = startHlsRun({
    ffmpegPath: FFMPEG,
    fd: again.fd,
    source: { probe, plan: { video: { index: 0, action: 'copy' }, audio: null }, pieceSeconds: 3, maxWidth: 160 },
    boundaries: [0, 10, 20],
    from: 0,
    folder: out,
    onInit: () => undefined,
    onPiece: () => undefined,
    waitForRoom: () => Promise.resolve(),
  })
  await again.close()
  await expect(run.finished).rejects.toThrow(/Invalid data/)
  expect(await readdir(out)).toEqual([])
})
