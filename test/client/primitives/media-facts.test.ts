import { expect, test } from 'bun:test'
import { formatFacts, mediaFacts } from '../../../client/src/primitives/media-facts.ts'

test.each<[Parameters<typeof mediaFacts>[0], string[]]>([
  [null, []],
  [{ videoCodec: null, audioCodec: null, width: null, height: null, videoRange: null }, []],
  [{ videoCodec: 'h264', audioCodec: 'aac', width: 1920, height: 800, videoRange: 'SDR' }, ['H.264 / AAC', '1920 × 800']],
  [{ videoCodec: 'hevc', audioCodec: null, width: 3840, height: 2160, videoRange: 'HDR' }, ['HEVC', '3840 × 2160', 'HDR']],
  [{ videoCodec: 'av1', audioCodec: 'eac3', width: 640, height: 360, videoRange: null }, ['AV1 / E-AC-3', '640 × 360']],
  [{ videoCodec: null, audioCodec: 'pcm_s16le', width: null, height: null, videoRange: null }, ['PCM']],
])('%j: %j', (media, facts) => {
  expect(mediaFacts(media)).toEqual(facts)
})

test.each([
  [{ container: null, videoCodec: null, audioTracks: [], audioTrackId: null }, ''],
  [{ container: 'avi', videoCodec: 'mpeg4', audioTracks: [], audioTrackId: null }, 'AVI · MPEG-4'],
  [
    {
      container: 'mkv',
      videoCodec: 'hevc',
      audioTracks: [
        { id: 'audio-1', codec: 'aac' },
        { id: 'audio-2', codec: 'truehd' },
      ],
      audioTrackId: 'audio-2',
    },
    'MKV · HEVC / TrueHD',
  ],
])('the format of a file, %j: %s', (playback, format) => {
  expect(formatFacts(playback)).toBe(format)
})
