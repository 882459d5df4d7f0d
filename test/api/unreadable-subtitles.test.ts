import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { AS_ORDINARY_USER, giveToOrdinaryUser, letOrdinaryUserPass } from '../support/ordinary-user.ts'
import { makeClip } from '../support/real-media.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'

setDefaultTimeout(60_000)

test('a film plays beside a folder of subtitles that may not be read, and in a folder that may not be listed', async () => {
  await using folder = await temporaryFolder('unreadable-subtitles')
  const clip = await Bun.file(await makeClip(join(folder.path, 'clip.mp4'))).bytes()
  const srt = '1\n00:00:01,000 --> 00:00:02,500\nHello\n'
  const movies = makeTree(join(folder.path, 'movies'), {
    'Alien (1979)': { 'Alien.mp4': clip, 'Alien.en.srt': srt, Subs: { '2_German.srt': srt } },
    'Brazil (1985)': { 'Brazil.mp4': clip, 'Brazil.en.srt': srt },
  })
  letOrdinaryUserPass(folder.path)
  await giveToOrdinaryUser(folder.path)
  await using server = await startServer({
    libraries: [{ type: 'movies', path: movies }],
    dataDir: join(folder.path, 'data'),
    prefix: [...AS_ORDINARY_USER],
  })
  const admin = await server.as('admin')
  await server.waitForScans()
  chmodSync(join(movies, 'Alien (1979)/Subs'), 0o000)
  chmodSync(join(movies, 'Brazil (1985)'), 0o311)

  const tracksOf = async (path: string): Promise<unknown> => {
    const { status, body } = await admin.get('/api/playback', { itemKey: `movie:1:${path}` })
    return { status, tracks: body.subtitleTracks?.map(({ id }: Json) => id) }
  }
  expect(await tracksOf('Alien (1979)')).toEqual({ status: 200, tracks: ['file.en.srt'] })
  expect(await tracksOf('Brazil (1985)')).toEqual({ status: 200, tracks: [] })
  const gone = await admin.get('/api/subtitles', { itemKey: 'movie:1:Brazil (1985)', track: 'file.en.srt' })
  expect(gone.status).toBe(404)
})
