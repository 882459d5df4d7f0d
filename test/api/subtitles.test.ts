import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { link, makeTree } from '../support/library-tree.ts'
import { makeMultiTrackClip } from '../support/odd-clips.ts'
import { makeClip } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

const CANARY = 'CANARY of another folder'
const srt = (text: string): string => `1\r\n00:00:01,000 --> 00:00:02,500\r\n${text}\r\n`

let scene: ScanScene
let admin: HttpClient
let folder: string

beforeAll(async () => {
  await using clips = await temporaryFolder('clips')
  const clip = await Bun.file(await makeClip(join(clips.path, 'clip.mp4'))).bytes()
  const tracks = await Bun.file(await makeMultiTrackClip(join(clips.path, 'tracks.mkv'))).bytes()
  scene = await startScene(
    {
      movies: {
        'Film (2001)': {
          'Film.mp4': clip,
          'Film.en.srt': `\ufeff${srt('{\\an8}Hello &\r\n<font color=red>you</font>')}`,
          'Film.de.forced.srt': Uint8Array.from(Buffer.from(srt('Gr\u00fc\u00dfe'), 'latin1')),
          'Film.hi.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000 line:0\nनमस्ते\n',
          'Film.Signs.ass': '[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,{\\an8}Sign\n',
          'Film.ja.srt': Buffer.from(`\ufeff${srt('こんにちは')}`, 'utf16le'),
          'Film.fr.srt': link('../../secret.srt'),
          'Film.it.srt': {},
          'Film_nl.srt': srt('Hallo'),
          'Film.sub': 'bitmaps',
          'Film.idx': 'an index of them',
          'Film.pl.sub': Uint8Array.from(Buffer.from('{24}{48}Za\xbf\xf3\xb3\xe6|g\xea\x9cl\xb9\r\n', 'latin1')),
          'Film.ko.smi': Uint8Array.from(
            Buffer.from(
              '<SAMI><BODY><SYNC Start=1000><P Class=KRCC>\xbe\xc8\xb3\xe7<br><i>\xb3\xaa</i>\n<SYNC Start=2000><P Class=KRCC>&nbsp;',
              'latin1',
            ),
          ),
          'Film-trailer.mp4': clip,
          'Film-trailer.es.srt': srt('Hola'),
          'Film.Part 2.srt': srt('a title, for there is no such video'),
        },
        'Versions (1994)': {
          'Versions (1994) - 1080p.mp4': clip,
          'Versions (1994) - 720p.mp4': clip,
          'Versions (1994).en.srt': srt('of all'),
          'Versions.fr.srt': srt('of all, without the year'),
          'Versions (1994) - 720p.en.srt': srt('of the small one'),
          'Versions (1994) Part 2.sv.srt': srt('of nothing'),
          'Versions (1994)-trailer.mp4': clip,
        },
        'It (2017)': {
          'It.2017.mp4': clip,
          'It.2017-ger.srt': srt('of the video'),
          'It.srt': srt('of the film'),
          'Spanish.srt': srt('by its language'),
          'It-trailer.mp4': clip,
        },
        'Parts (2001)': { 'Parts (2001) cd1.mp4': clip, 'Parts (2001) cd2.mp4': clip, 'Parts (2001).en.srt': srt('of both in a row') },
        'Named (1999)': { 'Named (1999).mp4': clip, 'Named (1999) - 720p.mp4': clip, 'Named (1999).en.srt': srt('of the first') },
      },
      mixed: {
        languages: { 'One.mp4': clip, 'One.fr.srt': srt('by its name'), 'en.srt': srt('by its language'), 'Two.de.srt': srt('of another') },
        'tracks.mkv': tracks,
        'tracks.en.srt': srt('beside'),
        alone: {
          'One.2003.1080p.mp4': clip,
          'One.2003.1080p.nl.srt': srt('beside'),
          Subs: {
            '2_English.srt': srt('plain'),
            '10_SDH_English.srt': srt('for the deaf'),
            'One.2003.1080p.de.srt': srt('by its name'),
            '2_English.idx': 'an index of bitmaps',
            '2_english.sub': 'bitmaps',
            '3_French.srt': link('../../../secret.srt'),
          },
        },
        season: {
          'E1.mp4': clip,
          'E2.mp4': clip,
          subtitles: { E1: { '2_English.srt': srt('of one') }, 'e2.de.srt': srt('of two'), '2_French.srt': srt('of whom?') },
          Subs: link('../../elsewhere'),
        },
      },
    },
    { hasVideos: true },
  )
  makeTree(scene.folder, { 'secret.srt': srt(CANARY), elsewhere: { 'E1.it.srt': srt(CANARY) } })
  admin = scene.admin
  folder = join(scene.rootOf('movies'), 'Film (2001)')
})
afterAll(() => scene[Symbol.asyncDispose]())

const movie = (): string => `movie:${scene.idOf('movies')}:Film (2001)`
const clip = (): string => `mixed_file:${scene.idOf('mixed')}:tracks.mkv`
const tracksOf = async (query: Record<string, string>): Promise<Json[]> => (await admin.get('/api/playback', query)).body.subtitleTracks
const read = async (url: string): Promise<{ status: number; type: string | null; text: string }> => {
  const response = await admin.fetch(url)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
const readTrack = async (track: string): Promise<string> => {
  const { status, type, text } = await read(`/api/subtitles?${new URLSearchParams({ itemKey: movie(), track })}`)
  expect([track, status, type]).toEqual([track, 200, 'text/vtt; charset=utf-8'])
  return text
}

describe('subtitles are refused', () => {
  const TRACKS = [
    '',
    'file',
    'file.xx.srt',
    'file.sub',
    'file.mp4',
    'file/../../../secret.srt',
    '../../secret.srt',
    'embedded-0',
    'embedded-99',
    'file.fr.srt',
  ]
  test.each(TRACKS)('for the track %p', async (track) => {
    const { status, text } = await read(`/api/subtitles?${new URLSearchParams({ itemKey: movie(), track })}`)
    expect([400, 404]).toContain(status)
    expect(text).not.toContain(CANARY)
  })
  test('for a folder with the name of a file', async () => {
    expect((await read(`/api/subtitles?${new URLSearchParams({ itemKey: movie(), track: 'file.it.srt' })}`)).status).toBe(404)
  })
  test('for the sound or the picture of a video', async () => {
    for (const track of ['embedded-0', 'embedded-1']) {
      expect((await read(`/api/subtitles?${new URLSearchParams({ itemKey: clip(), track })}`)).status).toBe(404)
    }
  })
  test('to nobody, and for a library that the person may not see', async () => {
    const query = { itemKey: movie(), track: 'file.en.srt' }
    const guest = await scene.server.as('guest', { libraryIds: [] })
    expect((await scene.server.anonymous.get('/api/subtitles', query)).status).toBe(401)
    expect((await guest.get('/api/subtitles', query)).status).toBe(404)
  })
})

describe('beside a video', () => {
  test('every file that is its own is listed, in order, with language and marks', async () => {
    const tracks = await tracksOf({ itemKey: movie() })
    expect(tracks.map(({ id, label, language }) => [id, label, language])).toEqual([
      ['file.de.forced.srt', 'German (forced)', 'de'],
      ['file.en.srt', 'English', 'en'],
      ['file.fr.srt', 'French', 'fr'],
      ['file.hi.vtt', 'Hindi', 'hi'],
      ['file.ja.srt', 'Japanese', 'ja'],
      ['file.ko.smi', 'Korean', 'ko'],
      ['file_nl.srt', 'Dutch', 'nl'],
      ['file.Part 2.srt', 'Part 2', null],
      ['file.pl.sub', 'Polish', 'pl'],
      ['file.Signs.ass', 'Signs', null],
    ])
    expect(tracks[0]).toMatchObject({ isForced: true, isDefault: false, isForHearingImpaired: false })
  })
  test('an extra of the film has its own', async () => {
    const [track, ...others] = await tracksOf({ itemKey: movie(), file: 'Film-trailer.mp4' })
    expect([track.language, others]).toEqual(['es', []])
    expect((await read(track.url)).text).toContain('Hola')
  })
  const ofVersion = (folderName: string, version: string): Promise<Json[]> =>
    tracksOf({ itemKey: `movie:${scene.idOf('movies')}:${folderName}`, file: `${folderName}${version}.mp4` })

  test('what is named after a film in parts, or after one of its videos, is of no other video', async () => {
    for (const part of [' cd1', ' cd2']) expect(await ofVersion('Parts (2001)', part)).toEqual([])
    expect(await ofVersion('Named (1999)', ' - 720p')).toEqual([])
    expect((await ofVersion('Named (1999)', '')).map(({ id }) => id)).toEqual(['file.en.srt'])
    expect(await ofVersion('Versions (1994)', '-trailer')).toEqual([])
  })
  test('what is named after the film is of every version, unless that has its own', async () => {
    const texts = async (version: string): Promise<string[]> =>
      Promise.all(
        (await ofVersion('Versions (1994)', version)).map(async ({ id, url }) => `${id} ${(await read(url)).text.split('\n')[3]}`),
      )
    expect(await texts(' - 1080p')).toEqual(['file.en.srt of all', 'file.fr.srt of all, without the year'])
    expect(await texts(' - 720p')).toEqual(['file.en.srt of the small one', 'file.fr.srt of all, without the year'])
  })
  const textsOf = async (path: string): Promise<string[]> => {
    const tracks = await tracksOf({ itemKey: `mixed_file:${scene.idOf('mixed')}:${path}` })
    return Promise.all(
      tracks.map(async ({ id, label, url }) => {
        const { status, text } = await read(url)
        return `${id}: ${label}, ${status === 200 ? text.split('\n')[3] : status}`
      }),
    )
  }
  test('in a folder of subtitles, all are of the one video that there is', async () => {
    expect(await textsOf('alone/One.2003.1080p.mp4')).toEqual([
      'file.nl.srt: Dutch, beside',
      'file/Subs/2_English.srt: English, plain',
      'file/Subs/3_French.srt: French, 404',
      'file/Subs/10_SDH_English.srt: English (SDH), for the deaf',
      'file/Subs.de.srt: German, by its name',
    ])
  })
  test('what is called by its language alone is of the one video, or of the film, and each file is listed once', async () => {
    expect(await textsOf('languages/One.mp4')).toEqual(['file.fr.srt: French, by its name', 'file/en.srt: English, by its language'])
    const itemKey = `movie:${scene.idOf('movies')}:It (2017)`
    expect((await tracksOf({ itemKey })).map(({ id, label }) => [id, label])).toEqual([
      ['file-ger.srt', 'German'],
      ['file.srt', 'Unknown language'],
      ['file/Spanish.srt', 'Spanish'],
    ])
    expect(await tracksOf({ itemKey, file: 'It-trailer.mp4' })).toEqual([])
  })
  test('in a folder of subtitles of several videos, names tell whose they are; a folder elsewhere is none', async () => {
    expect(await textsOf('season/E1.mp4')).toEqual(['file/subtitles/E1/2_English.srt: English, of one'])
    expect(await textsOf('season/E2.mp4')).toEqual(['file/subtitles.de.srt: German, of two'])
  })
  test('a new one is there at once', async () => {
    makeTree(folder, { 'Film.sv.srt': srt('Hej') })
    expect((await tracksOf({ itemKey: movie() })).map(({ id }) => id)).toContain('file.sv.srt')
    expect(await readTrack('file.sv.srt')).toContain('Hej')
  })
})

describe('a file is read as WebVTT', () => {
  const CASES: [name: string, track: string, text: string][] = [
    ['SubRip with a mark, Windows line ends, a place and fonts', 'file.en.srt', '00:00:01.000 --> 00:00:02.500 line:0\nHello &amp;\nyou\n'],
    ['SubRip in Windows-1252', 'file.de.forced.srt', '00:00:01.000 --> 00:00:02.500\nGrüße\n'],
    ['SubRip in UTF-16', 'file.ja.srt', '00:00:01.000 --> 00:00:02.500\nこんにちは\n'],
    ['WebVTT', 'file.hi.vtt', '00:00:01.000 --> 00:00:02.000 line:0\nनमस्ते\n'],
    ['MicroDVD in Windows-1250, by the frames of the video', 'file.pl.sub', '00:00:01.000 --> 00:00:02.000\nZażółć\ngęślą\n'],
    ['SAMI in the character set of Korea', 'file.ko.smi', '00:00:01.000 --> 00:00:02.000\n안녕\n<i>나</i>\n'],
    ['Sub Station Alpha', 'file.Signs.ass', '00:00:01.000 --> 00:00:02.000 line:0\nSign\n'],
  ]
  test.each(CASES)('%s', async (_, track, text) => {
    expect(await readTrack(track)).toBe(`WEBVTT\n\n${text}`)
  })
})

test('text tracks inside a video are listed after the files beside it, and read out of it', async () => {
  const tracks = await tracksOf({ itemKey: clip() })
  expect(tracks.map(({ id, label, language, isForced }) => [id, label, language, isForced])).toEqual([
    ['file.en.srt', 'English', 'en', false],
    ['embedded-3', 'German (forced)', 'de', true],
    ['embedded-4', 'French', 'fr', false],
  ])
  // Matroska begins its clock with the encoder's silence in front of the sound.
  const texts = await Promise.all(tracks.map(async ({ url }) => (await read(url)).text.replaceAll(/\.02\d/g, '.000')))
  expect(texts).toEqual([
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nbeside\n',
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGuten Tag\n\n00:00:03.000 --> 00:00:04.000 line:0\n<i>Oben</i>\n',
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000 line:0\nBonjour, <i>monde</i>\n',
  ])
})
