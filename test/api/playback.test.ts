import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rename, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { addChapters, makeDubbedClip, makeMultiTrackClip, makeOddClip, makePictureSubtitledClip } from '../support/odd-clips.ts'
import { runProgram } from '../support/program.ts'
import { makeClip, makePicture } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, waitFor } from '../support/test-server.ts'

setDefaultTimeout(120_000)

/** What the answers of playback and its streams promise (API.md, 6), through HTTP alone. */

let scene: ScanScene
let admin: HttpClient
let guest: HttpClient

beforeAll(async () => {
  await using clips = await temporaryFolder('clips')
  const [plain, matroska, avi] = [
    await makeClip(join(clips.path, 'plain.mp4')),
    await makeOddClip(clips.path, 'h264.mkv'),
    await makeOddClip(clips.path, 'mpeg4.avi', 20),
  ]
  const [pq, hlg] = [await makeOddClip(clips.path, 'pq.mkv', 2), await makeOddClip(clips.path, 'hlg.mkv', 2)]
  const large = await makeClip(join(clips.path, 'large.mp4'), { width: 1280, height: 534, seconds: 4 })
  const tracks = await makeMultiTrackClip(join(clips.path, 'tracks.mkv'))
  const dubbed = await makeDubbedClip(join(clips.path, 'dubbed.mp4'), [
    { language: 'eng' },
    { language: 'ger', disposition: 'comment' },
    { language: 'ger' },
  ])
  const pictured = await makePictureSubtitledClip(join(clips.path, 'pictured.mkv'))
  const chapters = await makeClip(join(clips.path, 'chapters.mp4'), { seconds: 4 })
  await addChapters(
    chapters,
    [
      [0, 'One'],
      [2, ''],
    ],
    4,
  )
  const picture = await makePicture(join(clips.path, 'picture.jpg'))
  /** Its header claims three days: Duration (RFC 9559, 5.1.2.10) counts milliseconds there, as a double. */
  const endless = Buffer.from(await Bun.file(matroska).bytes())
  endless.writeDoubleBE(3 * 24 * 3600 * 1000, endless.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3)
  const bytes = async (path: string): Promise<Uint8Array> => Bun.file(path).bytes()
  scene = await startScene(
    {
      mixed: {
        'plain.mp4': await bytes(plain),
        'large.mp4': await bytes(large),
        'chapters.mp4': await bytes(chapters),
        'h264.mkv': await bytes(matroska),
        'endless.mkv': new Uint8Array(endless),
        'gone.mkv': await bytes(matroska),
        'mpeg4.avi': await bytes(avi),
        'tracks.mkv': await bytes(tracks),
        'dubbed.mp4': await bytes(dubbed),
        'pictured.mkv': await bytes(pictured),
        'pq.mkv': await bytes(pq),
        'hlg.mkv': await bytes(hlg),
        'picture.jpg': await bytes(picture),
        'playlist.mkv': '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n',
      },
      movies: { 'Alien (1979)': { 'Alien.mp4': await bytes(plain), 'Alien - part2.mkv': 1, 'Alien-trailer.mkv': await bytes(matroska) } },
      tv: {
        Show: {
          Extras: { 'Making of.mkv': await bytes(matroska), 'Never played.mkv': await bytes(matroska) },
          'Season 01': { 'Show S01E01.mp4': await bytes(plain), 'Show S01E02.mp4': 12, 'Show S01E02 720p.mp4': 13 },
          'Season 02': { 'Show S02E01.mp4': 21 },
          Specials: { 'Show S00E01.mp4': 1, 'Show S00E02.mp4': 2 },
        },
      },
      games: { Doom: { 'doom.zip': 50 } },
      manga: { Berserk: { 'Berserk v01': { '1.jpg': 1 } } },
    },
    { hasVideos: true },
  )
  admin = scene.admin
  guest = await scene.server.as('guest', { libraryIds: [scene.idOf('movies')] })
})
afterAll(() => scene[Symbol.asyncDispose]())

const mixed = (name: string): string => `mixed_file:${scene.idOf('mixed')}:${name}`
const episode = (path: string): string => `tv_episode:${scene.idOf('tv')}:Show/${path}`
const movie = (): string => `movie:${scene.idOf('movies')}:Alien (1979)`

const ask = (client: HttpClient, itemKey: string, more: Record<string, string | number> = {}) =>
  client.get('/api/playback', { itemKey, ...more })
const play = async (itemKey: string, more: Record<string, string | number> = {}, client = admin): Promise<Json> => {
  const { status, body } = await ask(client, itemKey, more)
  expect([status, body]).toEqual([200, body])
  return body
}
const pieceUrl = (url: string, name: string): string => url.replace('index.m3u8', name)

describe('playback is refused', () => {
  const CASES: [name: string, query: () => Record<string, string>, status: number, code: string][] = [
    ['without a key', () => ({}), 400, 'invalid_request'],
    ['for a key that is none', () => ({ itemKey: '../../etc/passwd' }), 404, 'not_found'],
    ['for an item that there is not', () => ({ itemKey: mixed('nothing.mkv') }), 404, 'not_found'],
    ['for a file that the item does not have', () => ({ itemKey: movie(), file: '../Other/film.mkv' }), 404, 'not_found'],
    ['for a sound track that the file does not have', () => ({ itemKey: mixed('tracks.mkv'), audio: 'audio-7' }), 404, 'not_found'],
    ['for a game', () => ({ itemKey: `game:${scene.idOf('games')}:Doom` }), 404, 'not_found'],
    ['for a manga', () => ({ itemKey: `manga_volume:${scene.idOf('manga')}:Berserk/Berserk v01` }), 404, 'not_found'],
    ['for a series', () => ({ itemKey: `tv_series:${scene.idOf('tv')}:Show` }), 404, 'not_found'],
    ['for abilities that are no list of names', () => ({ itemKey: mixed('plain.mp4'), caps: 'h264;rm' }), 400, 'invalid_request'],
    ['for a picture of no quality', () => ({ itemKey: mixed('large.mp4'), quality: '481' }), 400, 'invalid_request'],
    ['for a beginning before the beginning', () => ({ itemKey: mixed('plain.mp4'), start: '-1' }), 400, 'invalid_request'],
  ]
  test.each(['1e2', '0x10', ' 5', '+5', '.5', '5.', '', 'Infinity', '10000001'])('for a beginning at "%s"', async (start) => {
    const answer = await admin.get('/api/playback', { itemKey: mixed('plain.mp4'), start })
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
  })
  test.each(CASES)('%s', async (_, query, status, code) => {
    const answer = await admin.get('/api/playback', query())
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })
  test('to nobody, and for a library that the person may not see', async () => {
    expect((await ask(scene.server.anonymous, mixed('plain.mp4'))).status).toBe(401)
    expect((await ask(guest, mixed('plain.mp4'))).status).toBe(404)
    expect((await ask(guest, movie())).status).toBe(200)
  })
  test('for a file that is gone', async () => {
    await rm(join(scene.rootOf('mixed'), 'gone.mkv'))
    expect((await ask(admin, mixed('gone.mkv'))).status).toBe(404)
  })
  test('for one whose disk is away, which is not gone', async () => {
    const root = scene.rootOf('mixed')
    await rename(root, `${root} away`)
    const { status, body } = await ask(admin, mixed('plain.mp4'))
    await rename(`${root} away`, root)
    expect([status, body]).toEqual([
      503,
      expect.objectContaining({ code: 'unavailable', detail: 'The folder of the library is not there now.' }),
    ])
    expect((await ask(admin, mixed('plain.mp4'))).status).toBe(200)
  })
})

describe('how to play', () => {
  test('what every browser plays is played as it is', async () => {
    const body = await play(mixed('plain.mp4'))
    expect(body).toMatchObject({ mode: 'direct', mimeType: 'video/mp4', next: null, obstacle: null, subtitleTracks: [] })
    expect(body.durationSeconds).toBeCloseTo(2, 0)
    expect((await admin.fetch(body.url, { headers: { range: 'bytes=0-9' } })).status).toBe(206)
  })
  test('what is in the file is told as far as it is known', async () => {
    expect(await play(mixed('mpeg4.avi'))).toMatchObject({ container: 'avi', videoCodec: 'mpeg4', audioTracks: [{ codec: 'mp3' }] })
    expect(await play(mixed('playlist.mkv'))).toMatchObject({ container: null, videoCodec: null, audioTracks: [] })
  })
  test('subtitles that are pictures are no track, and are not kept quiet', async () => {
    expect(await play(mixed('pictured.mkv'))).toMatchObject({ subtitleTracks: [], hasPictureSubtitles: true })
    expect(await play(mixed('tracks.mkv'))).toMatchObject({ hasPictureSubtitles: false })
  })
  test('chapters are told, also of a file that was looked into before anybody asked for them', async () => {
    const chapters = [
      { startSeconds: 0, title: 'One' },
      { startSeconds: 2, title: null },
    ]
    expect((await play(mixed('chapters.mp4'))).chapters).toEqual(chapters)
    await scene.index.query(`UPDATE media_probes SET probe = json_remove(probe, '$.chapters')`)
    expect((await play(mixed('chapters.mp4'))).chapters).toEqual(chapters)
    expect((await play(mixed('plain.mp4'))).chapters).toEqual([])
  })
  test.each(['0', '1', '1.25', '10000000'])('a beginning is decimal digits, with a fraction or without: %s', async (start) => {
    expect((await admin.get('/api/playback', { itemKey: mixed('plain.mp4'), start })).status).toBe(200)
  })
  test('what cannot be probed is played as it is: a disguised playlist, a picture, a file without content', async () => {
    for (const key of [mixed('playlist.mkv'), mixed('picture.jpg'), episode('Season 01/Show S01E02.mp4')]) {
      expect(await play(key)).toMatchObject({ mode: 'direct', audioTracks: [], audioTrackId: null, obstacle: null })
    }
  })
  test('Matroska is repacked, unless the browser says that it knows it', async () => {
    expect(await play(mixed('h264.mkv'))).toMatchObject({ mode: 'remux', mimeType: 'application/vnd.apple.mpegurl' })
    expect(await play(mixed('h264.mkv'), { caps: 'mp4,mkv,h264,aac' })).toMatchObject({ mode: 'direct', mimeType: 'video/x-matroska' })
  })
  test('a file that claims to be days long is not cut into pieces: their list would be as long', async () => {
    expect(await play(mixed('endless.mkv'))).toMatchObject({ mode: 'direct', durationSeconds: 3 * 24 * 3600, qualities: [] })
  })
  test('an extra of a film is played by its name', async () => {
    const body = await play(movie(), { file: 'Alien-trailer.mkv' })
    expect(body.mode).toBe('remux')
    expect((await play(movie())).mode).toBe('direct')
  })
  test('and one of a series, which has nothing else to play: no file of its episodes, and none for whoever may not see it', async () => {
    const itemKey = `tv_series:${scene.idOf('tv')}:Show`
    const file = 'Extras/Making of.mkv'
    expect(await play(itemKey, { file })).toMatchObject({ mode: 'remux', next: null, previous: null })
    expect(await play(itemKey, { file, caps: 'mkv,h264,aac' })).toMatchObject({ mode: 'direct', mimeType: 'video/x-matroska' })
    const bytes = (query: Record<string, string>, client = admin) => client.get('/api/files', { itemKey, ...query })
    expect((await bytes({ file })).status).toBe(200)
    for (const other of ['Season 01/Show S01E01.mp4', 'Extras/../Season 01/Show S01E01.mp4', 'Extras'])
      expect([(await ask(admin, itemKey, { file: other })).status, (await bytes({ file: other })).status]).toEqual([404, 404])
    expect([(await ask(guest, itemKey, { file })).status, (await bytes({ file }, guest)).status]).toEqual([404, 404])
    expect((await bytes({})).body).toMatchObject({ code: 'not_found', detail: 'This item has no files of its own.' })
  })
  test('a sound track is chosen by its id, and the default one plays otherwise', async () => {
    const body = await play(mixed('tracks.mkv'))
    expect(body.audioTrackId).toBe('audio-2')
    expect(body.audioTracks).toEqual([
      { id: 'audio-1', label: 'German (AAC Mono)', language: 'de', codec: 'aac', channels: 1, isDefault: false },
      { id: 'audio-2', label: 'English – Commentary (AAC Mono)', language: 'en', codec: 'aac', channels: 1, isDefault: true },
    ])
    const other = await play(mixed('tracks.mkv'), { audio: 'audio-1' })
    expect(other.audioTrackId).toBe('audio-1')
    expect(other.url).not.toBe(body.url)
  })
  test('the default one is in the language of the account, as far as the file has it', async () => {
    const listener = await scene.server.as('listener', { libraryIds: [scene.idOf('mixed')] })
    const hear = (name: string, more: Record<string, string> = {}) => play(mixed(name), more, listener)
    const prefer = async (audioLanguage: string | null) =>
      expect((await listener.patch('/api/user-settings', { audioLanguage })).body.audioLanguage).toBe(audioLanguage)

    expect(await hear('dubbed.mp4')).toMatchObject({ mode: 'direct', audioTrackId: 'audio-1' })
    await prefer('de')
    const german = await hear('dubbed.mp4')
    // By itself a browser would play the first track of the file.
    expect(german).toMatchObject({ mode: 'remux', audioTrackId: 'audio-3' })
    expect(german.url).toBe((await hear('dubbed.mp4', { audio: 'audio-3' })).url)
    expect(await hear('dubbed.mp4', { audio: 'audio-1' })).toMatchObject({ mode: 'direct', audioTrackId: 'audio-1' })
    expect((await hear('tracks.mkv')).audioTrackId).toBe('audio-1')
    expect(await hear('plain.mp4')).toMatchObject({ mode: 'direct', audioTrackId: 'audio-1' })
    expect(await hear('picture.jpg')).toMatchObject({ mode: 'direct', audioTrackId: null })
    // It is that of one person.
    expect(await play(mixed('dubbed.mp4'))).toMatchObject({ mode: 'direct', audioTrackId: 'audio-1' })

    await prefer('fr')
    expect(await hear('dubbed.mp4')).toMatchObject({ mode: 'direct', audioTrackId: 'audio-1' })
    expect((await hear('tracks.mkv')).audioTrackId).toBe('audio-2')
    await prefer(null)
    expect(await hear('dubbed.mp4')).toMatchObject({ mode: 'direct', audioTrackId: 'audio-1' })
  })
  test('a file that was looked into before anybody asked for commentaries still plays in that language', async () => {
    const listener = await scene.server.as('early listener', { libraryIds: [scene.idOf('mixed')] })
    await listener.patch('/api/user-settings', { audioLanguage: 'de' })
    await play(mixed('dubbed.mp4'), {}, listener)
    await scene.index.query(
      `UPDATE media_probes SET probe = json_remove(probe, '$.audio[1].isCommentary', '$.audio[2].isCommentary') WHERE probe LIKE '%"isCommentary":true%'`,
    )
    expect(await play(mixed('dubbed.mp4'), {}, listener)).toMatchObject({ mode: 'remux', audioTrackId: 'audio-2' })
  })
  const mediaOf = async (): Promise<Json> =>
    Object.fromEntries((await admin.get('/api/items', { itemKey: movie() })).body.item.files.map((file: Json) => [file.name, file.media]))
  test('a film’s page knows what is in each of its files, once the background has looked', async () => {
    const media = { videoCodec: 'h264', audioCodec: 'aac', width: 320, height: 180, videoRange: 'SDR' }
    const known = await waitFor(
      async () => {
        const files = await mediaOf()
        return files['Alien.mp4'] && files['Alien-trailer.mkv'] ? files : undefined
      },
      60_000,
      () => 'The background has not looked into the film',
    )
    expect(known).toEqual({
      'Alien.mp4': media,
      'Alien - part2.mkv': null,
      'Alien-trailer.mkv': { ...media, width: expect.any(Number), height: expect.any(Number) },
    })
  })
  test('what comes with a series is looked into as well', async () => {
    const itemKey = `tv_series:${scene.idOf('tv')}:Show`
    const extra = await waitFor(
      async () => {
        const { files } = (await admin.get('/api/items', { itemKey })).body.item
        return files.find(({ name, media }: Json) => name === 'Extras/Never played.mkv' && media)
      },
      60_000,
      () => 'The background has not looked into the extra of the series',
    )
    expect(extra).toMatchObject({ role: 'extra', label: 'Never played', media: { videoCodec: 'h264', audioCodec: 'aac' } })
  })
  test('an extra that comes later, or becomes another, is looked into although the film itself is as old as before', async () => {
    const extra = 'Alien-behindthescenes.mp4'
    for (const [source, width, videoRange] of [
      ['large.mp4', 1280, 'SDR'],
      ['plain.mp4', 320, 'SDR'],
      ['pq.mkv', 320, 'HDR'],
    ] as const) {
      await Bun.write(join(scene.rootOf('movies'), 'Alien (1979)', extra), Bun.file(join(scene.rootOf('mixed'), source)))
      expect((await scene.scan('movies')).updated).toBe(1)
      await waitFor(
        async () => {
          const media = (await mediaOf())[extra]
          return media?.width === width && media.videoRange === videoRange ? true : undefined
        },
        60_000,
        () => `The background has not looked into the extra that is like ${source}`,
      )
    }
    await rm(join(scene.rootOf('movies'), 'Alien (1979)', extra))
    await scene.scan('movies')
  })
  test('what the file holds is kept by the background, and asked anew when the file has become another', async () => {
    const rows = () =>
      scene.index.query<Json>('SELECT file, version FROM media_probes JOIN media_items ON id = item_id WHERE path = ?', ['mpeg4.avi'])
    const [before] = await waitFor(
      async () => ((await rows()).length > 0 ? await rows() : undefined),
      60_000,
      () => 'the background did not look',
    )
    await utimes(join(scene.rootOf('mixed'), 'mpeg4.avi'), 1, 1)
    await play(mixed('mpeg4.avi'))
    const [after] = await waitFor(
      async () => ((await rows())[0]?.version === before?.version ? undefined : await rows()),
      60_000,
      () => 'the old probe stayed',
    )
    expect(after?.file).toBe('')
  })
})

describe('what comes next', () => {
  const CASES: [name: string, from: string, to: string | null][] = [
    ['the next episode', 'Season 01/Show S01E01.mp4', 'Season 01/Show S01E02.mp4'],
    ['after a version of an episode the first of the next season', 'Season 01/Show S01E02 720p.mp4', 'Season 02/Show S02E01.mp4'],
    ['after the last season the specials', 'Season 02/Show S02E01.mp4', 'Specials/Show S00E01.mp4'],
    ['after a special the next one', 'Specials/Show S00E01.mp4', 'Specials/Show S00E02.mp4'],
    ['after the last special nothing', 'Specials/Show S00E02.mp4', null],
  ]
  test.each(CASES)('%s', async (_, from, to) => {
    const { next } = await play(episode(from))
    const names = [next?.replace(/ 720p/, ''), to && episode(to)]
    expect(names[0] ?? null).toBe(names[1] ?? null)
  })

  const BACK: [name: string, from: string, to: string | null][] = [
    ['before the first episode nothing', 'Season 01/Show S01E01.mp4', null],
    ['before a version of an episode the episode before', 'Season 01/Show S01E02 720p.mp4', 'Season 01/Show S01E01.mp4'],
    ['before the first of a season the last of the season before', 'Season 02/Show S02E01.mp4', 'Season 01/Show S01E02.mp4'],
    ['before the first special the last of the last season', 'Specials/Show S00E01.mp4', 'Season 02/Show S02E01.mp4'],
    ['before a special the one before', 'Specials/Show S00E02.mp4', 'Specials/Show S00E01.mp4'],
  ]
  test.each(BACK)('%s', async (_, from, to) => {
    const { previous } = await play(episode(from))
    expect(previous?.replace(/ 720p/, '') ?? null).toBe(to && episode(to))
  })
})

describe('the pieces of a stream', () => {
  test('are for the person who asked for it, and for nobody else', async () => {
    const { url } = await play(movie(), { file: 'Alien-trailer.mkv' }, guest)
    const names = ['index.m3u8', 'init.mp4', 'seg-0.m4s']
    const statuses = async (client: HttpClient): Promise<number[]> =>
      Promise.all(names.map(async (name) => (await client.fetch(pieceUrl(url, name))).status))
    expect(await statuses(scene.server.anonymous)).toEqual([401, 401, 401])
    expect(await statuses(admin)).toEqual([404, 404, 404])
    expect(await statuses(guest)).toEqual([200, 200, 200])
    // What is taken from a person is taken at once.
    const { body } = await admin.get('/api/users')
    const { id } = body.users.find(({ username }: Json) => username === 'guest')
    expect((await admin.patch(`/api/users/${id}`, { libraryIds: [] })).status).toBe(200)
    expect(await statuses(guest)).toEqual([404, 404, 404])
    await admin.patch(`/api/users/${id}`, { libraryIds: [scene.idOf('movies')] })
  })
  test('are no others than the list has', async () => {
    const { url } = await play(mixed('h264.mkv'))
    const statusOf = async (name: string): Promise<number> => (await admin.fetch(pieceUrl(url, name))).status
    const outside = await admin.fetch(pieceUrl(url, 'seg-0.m4s'), { headers: { range: 'bytes=99999999-' } })
    expect([outside.status, await outside.json()]).toMatchObject([416, { code: 'range_not_satisfiable' }])
    expect(await Promise.all(['seg-9.m4s', 'seg-x.m4s', '..%2f..%2fvitrine.db', 'seg-0.m4s.part'].map(statusOf))).toEqual([
      404, 400, 400, 400,
    ])
    expect((await admin.fetch('/api/hls/AAAAAAAAAAAAAAAAAAAAAAAA/index.m3u8')).status).toBe(404)
  })
  test('make a whole video that a program can read, as long as the list says', async () => {
    const { url, durationSeconds } = await play(mixed('mpeg4.avi'))
    const list = await (await admin.fetch(url)).text()
    const names = ['init.mp4', ...(list.match(/^seg-\d+\.m4s$/gm) ?? [])]
    const lengths = [...list.matchAll(/#EXTINF:([\d.]+),/g)].map(([, length]) => Number(length))
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeCloseTo(durationSeconds, 0)
    const parts: Uint8Array[] = []
    for (const name of names) {
      const response = await admin.fetch(pieceUrl(url, name))
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
      parts.push(await response.bytes())
    }
    await using folder = await temporaryFolder('whole')
    await Bun.write(join(folder.path, 'whole.mp4'), Buffer.concat(parts))
    const said = await runProgram([
      ...['ffprobe', '-v', 'error', '-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames', '-of', 'csv=p=0'],
      join(folder.path, 'whole.mp4'),
    ])
    expect(said.toString().trim().split('\n')).toEqual([expect.stringMatching(/^h264,48\d$/), expect.stringMatching(/^aac,9\d\d$/)])
  })
  test('end when the viewer says so, and when nobody else does', async () => {
    const { url } = await play(mixed('h264.mkv'))
    const stream = url.replace('/index.m3u8', '')
    expect((await guest.delete(stream)).status).toBe(404)
    expect((await admin.delete(stream)).status).toBe(204)
    expect((await admin.fetch(url)).status).toBe(404)
  })
  test('are the same stream when the page is loaded anew', async () => {
    const [first, again] = [await play(mixed('h264.mkv')), await play(mixed('h264.mkv'))]
    expect(again.url).toBe(first.url)
  })
})

/** The beginning of what is made, as a file. */
const savePiece = async (folder: TemporaryFolder, url: string): Promise<string> => {
  const parts = await Promise.all(['init.mp4', 'seg-0.m4s'].map(async (name) => (await admin.fetch(pieceUrl(url, name))).bytes()))
  const path = join(folder.path, 'piece.mp4')
  await Bun.write(path, Buffer.concat(parts))
  return path
}
const readVideo = async (path: string, entries: string): Promise<string> => {
  const shown = ['-select_streams', 'v', '-show_entries', `stream=${entries}`, '-of', 'csv=p=0']
  return (await runProgram(['ffprobe', '-v', 'error', ...shown, path])).toString().trim()
}

describe('a picture of high dynamic range', () => {
  const firstFrame = (path: string): Promise<Buffer> =>
    runProgram(['ffmpeg', '-nostdin', '-loglevel', 'error', '-i', path, '-frames:v', '1', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'])

  test.each(['pq.mkv', 'hlg.mkv'])('is brought down to what screens show where it is encoded (%s)', async (name) => {
    await using folder = await temporaryFolder('toned')
    const { mode, url } = await play(mixed(name))
    expect(mode).toBe('transcode')
    const piece = await savePiece(folder, url)
    expect(await readVideo(piece, 'color_space,color_transfer,color_primaries')).toBe('bt709,bt709,bt709')
    const [plain, toned] = [await firstFrame(join(scene.rootOf('mixed'), name)), await firstFrame(piece)]
    expect(toned.length).toBe(plain.length)
    const distance = toned.reduce((sum, value, at) => sum + Math.abs(value - (plain[at] ?? 0)), 0) / toned.length
    expect(distance).toBeGreaterThan(8)
  })
})

describe('a smaller picture', () => {
  /** Width and height of what ffmpeg makes. */
  const sizeOf = async (url: string): Promise<string> => {
    await using folder = await temporaryFolder('smaller')
    return await readVideo(await savePiece(folder, url), 'width,height')
  }

  test('is offered where it would be smaller, and what is larger than the file is the file', async () => {
    expect(await play(mixed('large.mp4'))).toMatchObject({ mode: 'direct', qualities: [480, 360], quality: null })
    expect(await play(mixed('plain.mp4'))).toMatchObject({ mode: 'direct', qualities: [], quality: null })
    expect(await play(mixed('large.mp4'), { quality: 1080 })).toMatchObject({ mode: 'direct', quality: null })
    expect(await play(mixed('picture.jpg'))).toMatchObject({ qualities: [], quality: null })
  })

  test('is what ffmpeg makes, of the lines that were asked for and no more', async () => {
    const [medium, small] = [await play(mixed('large.mp4'), { quality: 480 }), await play(mixed('large.mp4'), { quality: 360 })]
    expect([medium, small]).toMatchObject([
      { mode: 'transcode', quality: 480, durationSeconds: expect.closeTo(4, 0) },
      { mode: 'transcode', quality: 360 },
    ])
    expect(medium.url).not.toBe(small.url)
    // As wide as 480 lines are at 16:9, since the picture is wider than that.
    expect(await sizeOf(medium.url)).toBe('854,356')
    expect(await sizeOf(small.url)).toBe('640,266')
  })
})

const childrenOf = async (pid: number): Promise<string[]> => {
  const lines = (await runProgram(['ps', '-eo', 'ppid=,pid=,args='])).toString().split('\n')
  return lines
    .filter((line) => line.trim().startsWith(`${pid} `) && line.includes('/ffmpeg'))
    .map((line) => line.trim().split(/\s+/)[1] ?? '')
}
const isAlive = (pid: string): boolean => {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

test.each(['stopped', 'killed'])('a server that is %s in the middle of a stream leaves no ffmpeg', async (how) => {
  await using server = await startServer({ libraries: [{ type: 'mixed', path: scene.rootOf('mixed') }] })
  await server.waitForScans()
  const client = await server.as('admin')
  const { body } = await client.get('/api/playback', { itemKey: 'mixed_file:1:mpeg4.avi' })
  expect((await client.fetch(pieceUrl(body.url, 'seg-0.m4s'))).status).toBe(200)
  const children = await childrenOf(server.pid)
  await (how === 'stopped' ? server.stop() : server.kill())
  await waitFor(
    () => (children.some(isAlive) ? undefined : true),
    60_000,
    () => `${children} are alive`,
  )
})

test('without ffmpeg everything else works, and says so', async () => {
  await using programs = await temporaryFolder('path')
  const env = { PATH: programs.path, FFPROBE_PATH: Bun.which('ffprobe') ?? '' }
  await using server = await startServer({ libraries: [{ type: 'mixed', path: scene.rootOf('mixed') }], env })
  await server.waitForScans()
  const client = await server.as('admin')
  const get = async (path: string, query: Record<string, string>): Promise<Json> => (await client.get(path, query)).body
  expect(await get('/api/playback', { itemKey: 'mixed_file:1:plain.mp4' })).toMatchObject({ mode: 'direct', obstacle: null })
  expect(await get('/api/playback', { itemKey: 'mixed_file:1:large.mp4', quality: '360' })).toMatchObject({ mode: 'direct', qualities: [] })
  const { mode, obstacle, subtitleTracks } = await get('/api/playback', { itemKey: 'mixed_file:1:tracks.mkv' })
  expect([mode, obstacle]).toEqual(['direct', 'no_ffmpeg'])
  expect(await get('/api/playback', { itemKey: 'mixed_file:1:tracks.mkv', audio: 'audio-1' })).toMatchObject({
    status: 503,
    code: 'unavailable',
  })
  // What nobody can bring to the browser is preferred in vain.
  await client.patch('/api/user-settings', { audioLanguage: 'de' })
  expect(await get('/api/playback', { itemKey: 'mixed_file:1:dubbed.mp4' })).toMatchObject({
    mode: 'direct',
    obstacle: null,
    audioTrackId: 'audio-1',
  })
  expect(await get('/api/playback', { itemKey: 'mixed_file:1:tracks.mkv' })).toMatchObject({
    mode: 'direct',
    obstacle: 'no_ffmpeg',
    audioTrackId: 'audio-1',
  })
  const track = await client.fetch(subtitleTracks[0].url)
  expect([track.status, ((await track.json()) as Json).detail]).toEqual([503, expect.stringContaining('ffmpeg is not installed')])
  expect(await get('/api/hls/AAAA/index.m3u8', {})).toMatchObject({
    status: 503,
    detail: expect.stringContaining('ffmpeg is not installed'),
  })
})

test('without ffprobe everything is played as it is', async () => {
  await using programs = await temporaryFolder('path')
  await using server = await startServer({ libraries: [{ type: 'mixed', path: scene.rootOf('mixed') }], env: { PATH: programs.path } })
  await server.waitForScans()
  const { status, body } = await (await server.as('admin')).get('/api/playback', { itemKey: 'mixed_file:1:mpeg4.avi' })
  expect([status, body.mode, body.mimeType]).toEqual([200, 'direct', 'video/x-msvideo'])
})
