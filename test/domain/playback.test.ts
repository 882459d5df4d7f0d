import { describe, expect, test } from 'bun:test'
import { parseCapabilities } from '../../src/domain/client-caps.ts'
import type { AudioStream, MediaProbe, VideoStream } from '../../src/domain/media-probe.ts'
import { audioLabel, planPlayback, preferredAudio } from '../../src/domain/playback.ts'

const MP4 = 'mov,mp4,m4a,3gp,3g2,mj2'
const MATROSKA = 'matroska,webm'

const video = (codec: string, pixelFormat = 'yuv420p'): VideoStream => ({
  index: 0,
  codec,
  pixelFormat,
  width: 1920,
  height: 1080,
  frameRate: 24,
  endSeconds: 60,
  isInterlaced: false,
  isReordered: true,
})
const audio = (codec: string, index = 1): AudioStream => ({ index, codec, channels: 2, language: null, title: null, isDefault: false })
const probe = (format: string, own: VideoStream | null, ...sounds: AudioStream[]): MediaProbe => ({
  format,
  durationSeconds: 60,
  startSeconds: 0,
  video: own,
  audio: sounds,
  subtitles: [],
})

const planOf = (name: string, own: MediaProbe, caps?: string, chosen = own.audio[0]): string => {
  const plan = planPlayback(own, { fileName: name, capabilities: parseCapabilities(caps), audio: chosen })
  return plan.mode === 'direct' ? 'direct' : [plan.mode, plan.video?.action ?? '-', plan.audio?.action ?? '-'].join(' ')
}

/** File name, its insides, what the browser says, the plan: mode, picture, sound. */
const PLANS: [name: string, probe: MediaProbe, caps: string | undefined, plan: string][] = [
  ['a.mp4', probe(MP4, video('h264'), audio('aac')), undefined, 'direct'],
  ['a.mp4', probe(MP4, video('h264')), undefined, 'direct'],
  ['a.mkv', probe(MATROSKA, video('h264'), audio('aac')), undefined, 'remux copy copy'],
  ['a.mkv', probe(MATROSKA, video('h264'), audio('aac')), 'mkv,h264,aac', 'direct'],
  ['a.mov', probe(MP4, video('h264'), audio('aac')), undefined, 'remux copy copy'],
  ['a.webm', probe(MATROSKA, video('vp9'), audio('opus')), undefined, 'direct'],
  ['a.mkv', probe(MATROSKA, video('vp9'), audio('opus')), undefined, 'transcode copy encode'],
  ['a.mkv', probe(MATROSKA, video('h264'), audio('ac3')), undefined, 'transcode copy encode'],
  ['a.mkv', probe(MATROSKA, video('h264'), audio('ac3')), 'mp4,h264,aac,ac3', 'remux copy copy'],
  ['a.mkv', probe(MATROSKA, video('h264'), audio('dts')), 'mp4,h264,dts', 'transcode copy encode'],
  ['a.mp4', probe(MP4, video('hevc'), audio('aac')), undefined, 'transcode encode copy'],
  ['a.mp4', probe(MP4, video('hevc'), audio('aac')), 'mp4,h264,hevc,aac', 'direct'],
  ['a.mkv', probe(MATROSKA, video('hevc'), audio('aac')), 'mp4,h264,hevc,aac', 'remux copy copy'],
  ['a.mp4', probe(MP4, video('av1'), audio('aac')), undefined, 'transcode encode copy'],
  ['a.mp4', probe(MP4, video('av1'), audio('aac')), 'mp4,h264,av1,aac', 'direct'],
  ['a.mp4', probe(MP4, video('h264', 'yuv420p10le'), audio('aac')), undefined, 'transcode encode copy'],
  ['a.mp4', probe(MP4, video('h264', 'yuv422p'), audio('aac')), undefined, 'transcode encode copy'],
  ['a.mp4', probe(MP4, video('h264', 'yuv420p10le'), audio('aac')), 'mp4,h264,h264-10,aac', 'direct'],
  ['a.avi', probe('avi', video('mpeg4'), audio('mp3')), undefined, 'transcode encode encode'],
  ['a.mp3', probe('mp3', null, audio('mp3', 0)), undefined, 'direct'],
  ['a.wma', probe('asf', null, audio('wmav2', 0)), undefined, 'transcode - encode'],
  ['a.wav', probe('wav', null, audio('pcm_s16le', 0)), undefined, 'direct'],
  ['a.mkv', probe(MATROSKA, video('h264'), audio('aac')), '', 'transcode encode encode'],
  ['a.srt', probe('srt', null), undefined, 'direct'],
]

test.each(PLANS)('%s', (name, own, caps, plan) => {
  expect(planOf(name, own, caps)).toBe(plan)
})

describe('sound tracks', () => {
  const two = probe(MP4, video('h264'), audio('aac', 1), { ...audio('aac', 2), isDefault: true })
  test('a browser plays the first by itself, so any other is brought to it', () => {
    expect(planOf('a.mp4', two, undefined, two.audio[0])).toBe('direct')
    expect(planOf('a.mp4', two, undefined, two.audio[1])).toBe('remux copy copy')
  })
  test('are called by language, title, codec and number of channels', () => {
    expect(audioLabel({ ...audio('ac3'), channels: 6, language: 'ger' })).toBe('German (AC-3 5.1)')
    expect(audioLabel({ ...audio('aac'), language: 'ger', title: 'Stereo' })).toBe('German – Stereo (AAC Stereo)')
    expect(audioLabel({ ...audio('aac'), language: 'ger', title: 'german dub' })).toBe('german dub (AAC Stereo)')
    expect(audioLabel({ ...audio('aac'), title: 'Commentary' })).toBe('Commentary (AAC Stereo)')
    expect(audioLabel({ ...audio('truehd'), channels: 7 })).toBe('Unknown language (TrueHD 7 channels)')
  })
})

describe('the sound track to begin with', () => {
  const sound = (index: number, language: string | null, more: Partial<AudioStream> = {}) => ({ ...audio('aac', index), language, ...more })
  const chosen = (language: string | null, ...sounds: AudioStream[]) => preferredAudio(sounds, language)?.index

  test('is in the language that somebody prefers, by any name that files have for it', () => {
    const sounds = [sound(1, 'eng', { isDefault: true }), sound(2, 'ger'), sound(3, 'French'), sound(4, null), sound(5, 'und')]
    expect(['en', 'de', 'fr', 'it', null].map((language) => chosen(language, ...sounds))).toEqual([1, 2, 3, undefined, undefined])
  })
  test('is the default one of that language', () => {
    expect(chosen('de', sound(1, 'ger'), sound(2, 'ger', { isDefault: true }))).toBe(2)
  })
  test.each<Partial<AudioStream>>([
    { isCommentary: true },
    { isForVisuallyImpaired: true },
    { isForHearingImpaired: true },
    { title: 'Commentary by the director' },
    { title: 'Audiokommentar' },
    { title: 'German Audio Description' },
  ])('is one with %o only where there is no other', (more) => {
    const aside = sound(1, 'ger', { isDefault: true, ...more })
    expect(chosen('de', aside, sound(2, 'ger'))).toBe(2)
    expect(chosen('de', aside, sound(2, 'eng'))).toBe(1)
  })
  test('is not kept from anybody by a title that says something else', () => {
    expect(chosen('de', sound(1, 'ger', { title: 'Without comment' }), sound(2, 'ger'))).toBe(1)
  })
})

test('names that nobody knows are no hindrance', () => {
  expect(planOf('a.mp4', probe(MP4, video('h264'), audio('aac')), 'MP4, h264 ,aac,vvc,holograms')).toBe('direct')
})
