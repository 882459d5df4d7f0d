import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DecodeError } from '../../src/media/decode-error.ts'
import { runFfmpeg } from '../../src/media/ffmpeg.ts'
import { openInside } from '../../src/media/inside.ts'
import { contrastOf, type VideoFrame, videoFrame } from '../../src/media/video-frame.ts'
import { runProgram } from '../support/program.ts'
import { makeClip, makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

const FFMPEG = Bun.which('ffmpeg') ?? 'ffmpeg'
const QUIET = ['ffmpeg', '-nostdin', '-loglevel', 'error', '-y']
let folder: TemporaryFolder
beforeAll(async () => {
  folder = await temporaryFolder('video')
})
afterAll(() => folder.remove())

const pathOf = (name: string): string => join(folder.path, name)

const frameOf = async (name: string, ffmpegPath = FFMPEG): Promise<VideoFrame> => {
  const file = await openInside(folder.path, name)
  try {
    return await videoFrame(ffmpegPath, { fd: file.handle.fd, size: file.size })
  } finally {
    await file.handle.close()
  }
}

const codeOf = (name: string): Promise<string> =>
  frameOf(name).then(
    () => 'made',
    (error: unknown) => (error instanceof DecodeError ? error.code : String(error)),
  )

describe('a playlist that is dressed up as a video is refused, and nothing that it names is touched', () => {
  let hits: string[]
  let server: ReturnType<typeof Bun.serve>
  beforeAll(async () => {
    hits = []
    await makeClip(pathOf('canary.mp4'))
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        hits.push(request.url)
        return new Response(Bun.file(pathOf('canary.mp4')))
      },
    })
  })
  afterAll(() => server.stop(true))

  const playlists: Record<string, (address: string, file: string) => string> = {
    'hls of an address': (address) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${address}clip.ts\n#EXT-X-ENDLIST\n`,
    'hls of a file': (_, file) => `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${file}\n#EXT-X-ENDLIST\n`,
    'hls of a concatenation': (address, file) => `#EXTM3U\n#EXTINF:2,\nconcat:${address}a|file:${file}\n#EXT-X-ENDLIST\n`,
    'ffconcat of a file': (_, file) => `ffconcat version 1.0\nfile '${file}'\n`,
    'ffconcat of an address': (address) => `ffconcat version 1.0\nfile '${address}clip.mp4'\n`,
    'dash manifest': (address) =>
      `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${address}clip.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    sdp: () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
    'rtsp redirect': (address) => `[Reference]\nRef1=${address}clip.mp4\n`,
    'ism manifest': (address) => `<SmoothStreamingMedia MajorVersion="2" Url="${address}"></SmoothStreamingMedia>`,
    'picture list': () => `${'./'.repeat(20)}frame%03d.png`,
  }
  test.each(Object.keys(playlists))('%s', async (kind) => {
    writeFileSync(pathOf(`${kind}.mkv`), playlists[kind]?.(server.url.href, pathOf('canary.mp4')) ?? '')
    expect(await codeOf(`${kind}.mkv`)).toMatch(/^(?:unsupported|broken)$/)
    expect(hits).toEqual([])
  })

  test('the same playlist does fetch where nothing holds ffmpeg back, so these tests mean something', async () => {
    await runProgram([
      ...QUIET,
      '-protocol_whitelist',
      'file,http,tcp',
      '-f',
      'concat',
      '-safe',
      '0',
      '-i',
      pathOf('ffconcat of an address.mkv'),
      '-frames:v',
      '1',
      '-f',
      'null',
      '-',
    ])
    expect(hits.length).toBeGreaterThan(0)
  })
})

test('what holds no picture to show is refused', async () => {
  await runProgram([...QUIET, '-f', 'lavfi', '-i', 'sine=duration=1', pathOf('sound.mp4')])
  await makePicture(pathOf('cover.jpg'))
  await runProgram([
    ...QUIET,
    '-i',
    pathOf('sound.mp4'),
    '-i',
    pathOf('cover.jpg'),
    '-map',
    '0',
    '-map',
    '1',
    '-c',
    'copy',
    '-disposition:v:0',
    'attached_pic',
    pathOf('song.m4a'),
  ])
  writeFileSync(pathOf('text.mp4'), 'this is not a video, however long it goes on')
  writeFileSync(pathOf('noise.mkv'), crypto.getRandomValues(new Uint8Array(60_000)))
  expect(await codeOf('sound.mp4')).toBe('unsupported')
  expect(await codeOf('song.m4a')).toBe('unsupported')
  expect(await codeOf('text.mp4')).toMatch(/^(?:unsupported|broken)$/)
  expect(await codeOf('noise.mkv')).toMatch(/^(?:unsupported|broken)$/)
})

test('a video that breaks off still has a frame, one without its index has none', async () => {
  await makeClip(pathOf('cut.mkv'), { seconds: 6 })
  truncateSync(pathOf('cut.mkv'), Math.floor(readFileSync(pathOf('cut.mkv')).length / 2))
  expect((await frameOf('cut.mkv')).videoWidth).toBe(320)
  await runProgram([...QUIET, '-f', 'lavfi', '-i', 'testsrc2=duration=2', pathOf('index-last.mp4')])
  truncateSync(pathOf('index-last.mp4'), Math.floor(readFileSync(pathOf('index-last.mp4')).length / 2))
  expect(await codeOf('index-last.mp4')).toBe('broken')
})

test('ffmpeg is ended when it takes too long or says too much, even when a child of its own lives on', async () => {
  const stuck = pathOf('stuck-ffmpeg')
  writeFileSync(stuck, '#!/bin/sh\nsleep 40\n')
  const endless = pathOf('endless-ffmpeg')
  writeFileSync(endless, '#!/bin/sh\nexec cat /dev/zero\n')
  for (const script of [stuck, endless]) chmodSync(script, 0o755)
  writeFileSync(pathOf('any.mkv'), 'x')
  const file = await openInside(folder.path, 'any.mkv')
  const run = (ffmpegPath: string) =>
    runFfmpeg({ ffmpegPath, input: file.handle.fd, formats: ['mov'], inputOptions: [], outputOptions: [], timeoutMs: 1000 }).catch(
      (error: unknown) => error,
    )
  const startedAt = performance.now()
  expect(await run(stuck)).toMatchObject({ code: 'timeout' })
  expect(await run(endless)).toMatchObject({ code: expect.stringMatching(/^(?:too_large|timeout)$/) })
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  await file.handle.close()
})

/** ffmpeg itself hears SIGINT and SIGTERM, and ends with 255. */
test.each(['INT', 'TERM', 'HUP', 'KILL'])('ffmpeg that is ended from outside by SIG%s says nothing of the file', async (signal) => {
  const program = pathOf('ended-ffmpeg')
  writeFileSync(
    program,
    `#!/bin/sh\n(sleep 0.3; kill -${signal} $$) 2>/dev/null &\nexec '${FFMPEG}' -hide_banner -re -f lavfi -i testsrc2 -f null -\n`,
  )
  chmodSync(program, 0o755)
  writeFileSync(pathOf('ended.mkv'), Buffer.alloc(100))
  await expect(frameOf('ended.mkv', program)).rejects.toMatchObject({ name: 'MediaError', code: 'unreadable' })
})

test.each(['-rf.mp4', 'http:x.mp4', 'a%03d.mp4', 'concat:a|b.mp4', 'file:x.mp4', 'it\'s "$(id)".mp4', 'line\nbreak.mp4', '-.mkv'])(
  'a video may be called %j',
  async (name) => {
    await Bun.write(pathOf(name), Bun.file(pathOf('canary.mp4')))
    expect(await frameOf(name)).toMatchObject({ videoWidth: 320, videoHeight: 180, durationSeconds: 2 })
  },
)

test('size and length are those of the video as it is shown: turned, with square pixels', async () => {
  await runProgram([...QUIET, '-i', pathOf('canary.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90', pathOf('turned.mp4')])
  expect(await frameOf('turned.mp4')).toMatchObject({ videoWidth: 180, videoHeight: 320, width: 180, height: 320 })
  await runProgram([...QUIET, '-i', pathOf('canary.mp4'), '-vf', 'setsar=2/1', pathOf('wide.mkv')])
  expect(await frameOf('wide.mkv')).toMatchObject({ videoWidth: 640, videoHeight: 180, width: 640, height: 180 })
})

test('a large video gives a frame of 1280 pixels, and its own size', async () => {
  await makeClip(pathOf('large.mp4'), { width: 3840, height: 2160, seconds: 1 })
  expect(await frameOf('large.mp4')).toMatchObject({ width: 1280, height: 720, videoWidth: 3840, videoHeight: 2160 })
})

test('a video that starts black is not shown black', async () => {
  await makeClip(pathOf('black-start.mp4'), { seconds: 8, blackSeconds: 4 })
  expect(contrastOf((await frameOf('black-start.mp4')).data)).toBeGreaterThan(30)
})

test('with no key frame but the first, black one, a later frame is decoded', async () => {
  await runProgram([
    ...QUIET,
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=24:duration=6',
    '-vf',
    'fade=in:st=1.5:d=0.04',
    '-c:v',
    'mpeg4',
    '-g',
    '600',
    pathOf('one-key.avi'),
  ])
  expect(contrastOf((await frameOf('one-key.avi')).data)).toBeGreaterThan(30)
})

test.each(['h264', 'hevc'])('a bare %s stream, in which no place can be sought, is shown by its beginning', async (format) => {
  const name = `camera.${format}`
  const codec = format === 'hevc' ? ['libx265', '-x265-params', 'log-level=error'] : ['libx264']
  await runProgram([...QUIET, '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=24:duration=2', '-c:v', ...codec, pathOf(name)])
  const { width, height, durationSeconds, data } = await frameOf(name)
  expect([width, height, durationSeconds, contrastOf(data) > 30]).toEqual([320, 180, null, true])
})

test('a video that is black throughout is shown as it is', async () => {
  await makeClip(pathOf('black.mp4'), { source: 'black' })
  expect(contrastOf((await frameOf('black.mp4')).data)).toBeLessThan(1)
})

test('a picture of high dynamic range is brought down to what screens show', async () => {
  const parameters = 'log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'
  const tags = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc']
  await runProgram([
    ...QUIET,
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:duration=1',
    '-pix_fmt',
    'yuv420p10le',
    '-c:v',
    'libx265',
    '-x265-params',
    parameters,
    ...tags,
    pathOf('hdr.mkv'),
  ])
  const plain = await runProgram([...QUIET, '-i', pathOf('hdr.mkv'), '-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'])
  const { data } = await frameOf('hdr.mkv')
  const distance = data.reduce((sum, value, at) => sum + Math.abs(value - (plain[at] ?? 0)), 0) / data.length
  expect(data.length).toBe(plain.length)
  expect(distance).toBeGreaterThan(8)
})

test.each(['libx265', 'libvpx-vp9', 'mpeg4'] as const)('%s is decoded', async (videoCodec) => {
  await makeClip(pathOf(`${videoCodec}.mkv`), { videoCodec })
  expect(contrastOf((await frameOf(`${videoCodec}.mkv`)).data)).toBeGreaterThan(30)
})
