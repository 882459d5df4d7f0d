import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaProbe } from '../../src/domain/media-probe.ts'
import { findKeyframes } from '../../src/media/keyframes.ts'
import { probeMedia } from '../../src/media/probe.ts'
import { addChapters, makeDubbedClip, makeMultiTrackClip, makeOddClip } from '../support/odd-clips.ts'
import { processorMs } from '../support/processor-time.ts'
import { runProgram } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

const FFPROBE = Bun.which('ffprobe') ?? ''
const SECONDS = 12

let folder: TemporaryFolder
const at = (name: string): string => join(folder.path, name)
const ffmpeg = (...args: string[]): Promise<unknown> => runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', ...args])

beforeAll(async () => {
  folder = await temporaryFolder('probe')
  for (const name of ['h264.mkv', 'h264.mp4', 'ten-bit.mkv', 'mpeg4.avi', 'vp9.webm', 'hevc.mp4'])
    await makeOddClip(folder.path, name, SECONDS)
  await makeMultiTrackClip(at('tracks.mkv'), SECONDS)
  await ffmpeg('-i', at('h264.mkv'), '-c', 'copy', '-cues_to_front', '1', at('front.mkv'))
  await ffmpeg('-itsoffset', '2', '-i', at('h264.mkv'), '-i', at('h264.mkv'), '-map', '0:v', '-map', '1:a', '-c', 'copy', at('delayed.mp4'))
  await ffmpeg('-i', at('h264.mkv'), '-c', 'copy', '-movflags', 'frag_keyframe+empty_moov', at('fragments.mp4'))
  await ffmpeg('-ss', '3.3', '-i', at('h264.mp4'), '-c', 'copy', at('cut.mp4'))
})
afterAll(() => folder.remove())

const probe = async (name: string): Promise<MediaProbe> => {
  const handle = await open(at(name))
  return probeMedia(FFPROBE, handle.fd).finally(() => handle.close())
}

describe('what is no media file is refused, and what it names is not opened', () => {
  let asked = 0
  const canary = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(String(++asked)) })
  afterAll(() => canary.stop(true))
  const DISGUISED: [name: string, content: (url: string) => string][] = [
    ['playlist.mkv', (url) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`],
    ['list of files.mp4', (url) => `ffconcat version 1.0\nfile '${url}'\n`],
    ['list of local files.mp4', () => `ffconcat version 1.0\nfile '/etc/passwd'\n`],
    ['session.avi', (url) => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${new URL(url).port} RTP/AVP 96\n`],
    [
      'dash.mkv',
      (url) => `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><BaseURL>${url}</BaseURL></Period></MPD>`,
    ],
    ['text.mkv', () => 'just a text'],
    ['empty.mkv', () => ''],
  ]
  test.each(DISGUISED)('%s', async (name, content) => {
    await writeFile(at(name), content(`http://127.0.0.1:${canary.port}/x.mp4`))
    await expect(probe(name)).rejects.toThrow()
    expect(asked).toBe(0)
  })
})

test.each([
  ['exit 1', 'ffprobe cannot read the file.'],
  ['echo "Invalid data" >&2; exit 1', 'Invalid data'],
  ['kill -SEGV $$', 'ffprobe cannot read the file.'],
])('a program that ends by "%s" is no timeout: %s', async (ending, message) => {
  const program = at('ffprobe.sh')
  await writeFile(program, `#!/bin/sh\n${ending}\n`, { mode: 0o700 })
  const handle = await open(at('h264.mkv'))
  const probed = probeMedia(program, handle.fd).finally(() => handle.close())
  await expect(probed).rejects.toMatchObject({ code: 'unsupported', message })
})

test.each(['INT', 'TERM', 'HUP', 'KILL'])('a program that is ended from outside by SIG%s says nothing of the file', async (signal) => {
  const program = at('ended-ffprobe.sh')
  await writeFile(program, `#!/bin/sh\nkill -${signal} $$\n`, { mode: 0o700 })
  const handle = await open(at('h264.mkv'))
  const probed = probeMedia(program, handle.fd).finally(() => handle.close())
  await expect(probed).rejects.toMatchObject({ name: 'MediaError', code: 'unreadable' })
})

const SOUND = {
  codec: 'aac',
  channels: 1,
  title: null,
  isDefault: false,
  isCommentary: false,
  isForVisuallyImpaired: false,
  isForHearingImpaired: false,
}

describe('a probe', () => {
  test('tells container, length, and what the picture is made of', async () => {
    const { format, durationSeconds, video } = await probe('ten-bit.mkv')
    expect(format).toBe('matroska,webm')
    expect(durationSeconds).toBeCloseTo(SECONDS, 0)
    expect(video).toMatchObject({ index: 0, codec: 'h264', pixelFormat: 'yuv420p10le', width: 320, height: 180 })
    expect(video?.frameRate).toBeCloseTo(24, 1)
  })
  test('tells the tracks of sound and subtitles, their languages and marks', async () => {
    const { audio, subtitles } = await probe('tracks.mkv')
    expect(audio).toEqual([
      { ...SOUND, index: 1, language: 'ger' },
      { ...SOUND, index: 2, language: 'eng', title: 'Commentary', isDefault: true },
    ])
    expect(subtitles.map(({ index, codec, language, isForced }) => [index, codec, language, isForced])).toEqual([
      [3, 'subrip', 'ger', true],
      [4, 'ass', 'fre', false],
    ])
  })
  test('tells for whom a sound track is', async () => {
    await makeDubbedClip(at('dubbed.mp4'), [
      { language: 'eng' },
      { language: 'ger', disposition: 'comment' },
      { language: 'ger', disposition: 'visual_impaired' },
      { language: 'ger', disposition: 'hearing_impaired' },
    ])
    expect((await probe('dubbed.mp4')).audio).toEqual([
      { ...SOUND, index: 1, language: 'eng', isDefault: true },
      { ...SOUND, index: 2, language: 'ger', isCommentary: true },
      { ...SOUND, index: 3, language: 'ger', isForVisuallyImpaired: true },
      { ...SOUND, index: 4, language: 'ger', isForHearingImpaired: true },
    ])
  })
})

const withChapters = async (name: string, chapters: readonly (readonly [number, string])[], seconds: number) => {
  await runProgram(['cp', at(`h264${name.slice(name.lastIndexOf('.'))}`), at(name)])
  expect((await probe(name)).chapters).toEqual([])
  await addChapters(at(name), chapters, seconds)
  return (await probe(name)).chapters?.map(({ startSeconds, title }) => [Math.round(startSeconds), title])
}
const CHAPTERS = [
  [0, 'Prologue'],
  [4, 'a <b>&amp; b'],
  [9, ''],
] as const
const TOLD: unknown[] = [...CHAPTERS.slice(0, 2), [9, null]]
test.each(['chapters.mkv', 'chapters.mp4'])('a probe tells the chapters of %s, in their order', async (name) => {
  expect<unknown>(await withChapters(name, CHAPTERS, SECONDS)).toEqual(TOLD)
})
test('a chapter behind the end is none', async () => {
  expect<unknown>(await withChapters('behind.mkv', [...CHAPTERS, [SECONDS + 30, 'Behind the end']], SECONDS + 40)).toEqual(TOLD)
})

describe('key frames', () => {
  const find = async (name: string): Promise<number[] | null> => {
    const own = await probe(name)
    const handle = await open(at(name))
    return findKeyframes(handle, own).finally(() => handle.close())
  }
  /** As ffprobe finds them, by reading the whole file. */
  const read = async (name: string): Promise<number[]> => {
    const { startSeconds } = await probe(name)
    const said = await runProgram([
      FFPROBE,
      '-v',
      'error',
      '-select_streams',
      'v:0',
      '-show_entries',
      'packet=pts_time,flags',
      '-of',
      'csv=p=0',
      at(name),
    ])
    return said
      .toString()
      .split('\n')
      .filter((line) => line.includes(',K'))
      .map((line) => Number(line.split(',')[0]) - startSeconds)
  }

  test.each(['mpeg4.avi', 'fragments.mp4', 'cut.mp4'])('%s has no index that says where fragments can be cut', async (name) => {
    expect(await find(name)).toBeNull()
  })

  test.each(['h264.mkv', 'front.mkv', 'tracks.mkv', 'h264.mp4', 'delayed.mp4', 'hevc.mp4', 'vp9.webm'])(
    '%s: as the index has them, so they are',
    async (name) => {
      const [found, expected] = [(await find(name)) ?? [], await read(name)]
      expect(found).toHaveLength(expected.length)
      for (const [place, seconds] of expected.entries()) expect(Math.abs((found[place] ?? -1) - seconds)).toBeLessThan(0.003)
    },
  )

  test('an index that was cut off, or written over, is none and takes no time', async () => {
    for (const name of ['h264.mkv', 'h264.mp4']) {
      const own = await probe(name)
      const bytes = await Bun.file(at(name)).bytes()
      for (let round = 0; round < 200; round += 1) {
        const damaged = bytes.slice(0, round % 4 === 0 ? Math.ceil((bytes.length * round) / 200) : bytes.length)
        for (let hit = 0; hit < 8; hit += 1)
          damaged[(round * 7919 + hit * 104_729) % Math.max(1, Math.min(damaged.length, 3000))] = (round * 31 + hit * 67) % 256
        await writeFile(at('damaged'), damaged)
        const handle = await open(at('damaged'))
        const startedAt = processorMs()
        const found = await findKeyframes(handle, own).finally(() => handle.close())
        expect(processorMs() - startedAt).toBeLessThan(500)
        expect(found === null || found.every((seconds) => !Number.isNaN(seconds))).toBe(true)
      }
    }
  })
})
