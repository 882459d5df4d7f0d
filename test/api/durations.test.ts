import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { HttpClient, Json } from '../support/http-client.ts'
import { runProgram } from '../support/program.ts'
import { makeClip, makePicture } from '../support/real-media.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/test-server.ts'

setDefaultTimeout(120_000)

/** `durationSeconds` of entries (API.md, 5): how long the item's own file is, or the files that a film goes on in, and null where there is none. */

let scene: ScanScene
let admin: HttpClient

beforeAll(async () => {
  await using sources = await temporaryFolder('durations')
  const clip = await Bun.file(await makeClip(join(sources.path, 'clip.mp4'), { seconds: 3 })).bytes()
  const picture = await Bun.file(await makePicture(join(sources.path, 'picture.jpg'))).bytes()
  const sound = join(sources.path, 'sound.mp3')
  await runProgram(['ffmpeg', '-v', 'error', '-f', 'lavfi', '-i', 'sine=f=440', '-t', '2', sound])
  scene = await startScene(
    {
      movies: {
        Alien: { 'Alien.mp4': clip, 'poster.jpg': picture },
        Brazil: { 'Brazil.mp4': clip },
        Cleopatra: { 'Cleopatra CD1.mp4': clip, 'Cleopatra CD2.mp4': clip, 'Cleopatra CD3.mp4': clip, 'Cleopatra-trailer.mp4': clip },
        Dune: { 'Dune 1080p.mp4': clip, 'Dune 720p.mp4': clip },
      },
      tv: { Show: { 'Season 01': { 'Show S01E01.mp4': clip, 'Show S01E02.mp4': clip, 'Show S01E02-thumb.jpg': picture } } },
      mixed: { 'sound.mp3': await Bun.file(sound).bytes(), 'picture.jpg': picture },
    },
    { hasVideos: true },
  )
  admin = scene.admin
})
afterAll(() => scene[Symbol.asyncDispose]())

const keyOf = (itemType: string, library: 'movies' | 'tv' | 'mixed', path: string): string => `${itemType}:${scene.idOf(library)}:${path}`

const get = async (itemKey: string): Promise<Json> => (await admin.get('/api/items', { itemKey })).body.item

const lengthOf = (itemKey: string): Promise<number> =>
  waitFor(
    async () => (await get(itemKey)).durationSeconds ?? undefined,
    60_000,
    () => `Nobody knows how long ${itemKey} is`,
  )

test('a series and a season, which show a picture of their first episode, have no length', async () => {
  for (const itemKey of [keyOf('tv_series', 'tv', 'Show'), keyOf('tv_season', 'tv', 'Show/Season 01')]) {
    const item = await waitFor(
      async () => {
        const found = await get(itemKey)
        return found.thumbhash === null ? undefined : found
      },
      60_000,
      () => `${itemKey} got no thumbnail`,
    )
    expect([itemKey, item.durationSeconds]).toEqual([itemKey, null])
  }
})

test('a picture has none', async () => {
  expect((await get(keyOf('mixed_file', 'mixed', 'picture.jpg'))).durationSeconds).toBeNull()
})

test('a film has the length of its file, with a poster and without', async () => {
  for (const name of ['Alien', 'Brazil']) expect(await lengthOf(keyOf('movie', 'movies', name))).toBeCloseTo(3, 0)
})

test('a film in parts is as long as they are together, without versions and extras', async () => {
  const parts = keyOf('movie', 'movies', 'Cleopatra')
  const { files } = await get(parts)
  expect(files.map(({ role }: Json) => role)).toEqual(['main', 'part', 'part', 'extra'])
  const isWhole = async (): Promise<true | undefined> => {
    const { durationSeconds, thumbhash } = await get(parts)
    return (thumbhash !== null && Math.round(durationSeconds) === 9) || undefined
  }
  await waitFor(isWhole, 60_000, () => 'The film is not as long as its parts')
  const [entry] = (await admin.get('/api/browse', { libraryId: scene.idOf('movies'), q: 'Cleopatra' })).body.entries
  expect(entry.durationSeconds).toBeCloseTo(9, 0)
  expect(await lengthOf(keyOf('movie', 'movies', 'Dune'))).toBeCloseTo(3, 0)
  expect((await admin.get('/api/playback', { itemKey: parts })).body.durationSeconds).toBeCloseTo(3, 0)
})

test('so has an episode, with a picture of its own and without', async () => {
  for (const name of ['Show S01E01.mp4', 'Show S01E02.mp4'])
    expect(await lengthOf(keyOf('tv_episode', 'tv', `Show/Season 01/${name}`))).toBeCloseTo(3, 0)
})

test('and a recording, which has no picture at all', async () => {
  expect(await lengthOf(keyOf('mixed_file', 'mixed', 'sound.mp3'))).toBeCloseTo(2, 0)
})

test('a film that becomes another one has the new length', async () => {
  const path = join(scene.rootOf('movies'), 'Alien', 'Alien.mp4')
  await makeClip(path, { seconds: 6 })
  await scene.scan('movies')
  const isLonger = async (): Promise<true | undefined> =>
    Math.round((await get(keyOf('movie', 'movies', 'Alien'))).durationSeconds) === 6 ? true : undefined
  await waitFor(isLonger, 60_000, () => 'The old length stayed')
})
