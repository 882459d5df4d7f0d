import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer, HttpClient, Json } from '../support/http-client.ts'
import { AS_ORDINARY_USER, giveToOrdinaryUser, letOrdinaryUserPass } from '../support/ordinary-user.ts'
import { runProgram } from '../support/program.ts'
import { drawnPages, makeClip, makeZip } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { ADMIN, startServer, type TestServer, waitFor } from '../support/test-server.ts'

/** A data folder on a disk that has become read-only, or fails: what is refused says so, and goes on as soon as it can. */

setDefaultTimeout(60_000)

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
beforeAll(async () => {
  folder = await temporaryFolder('unwritable-data')
  letOrdinaryUserPass(folder.path)
  mkdirSync(join(folder.path, 'movies/Film (2000)'), { recursive: true })
  await makeClip(join(folder.path, 'movies/Film (2000)/Film (2000).mp4'), { seconds: 4 })
  await makeClip(join(folder.path, 'longer.mp4'), { seconds: 6 })
  mkdirSync(join(folder.path, 'manga/Book'), { recursive: true })
  await makeZip(join(folder.path, 'manga/Book/Book v01.cbz'), await drawnPages(2))
  // A backup is made by another process, and npx puts Bun below the home of whoever calls it.
  const program = join(folder.path, 'bun')
  await copyFile(process.execPath, program)
  await giveToOrdinaryUser(folder.path)
  server = await startServer({
    program,
    dataDir: join(folder.path, 'data'),
    // A write beyond the limit is then an error like any other.
    prefix: ['sh', '-c', 'trap "" XFSZ && exec "$@"', 'sh', ...AS_ORDINARY_USER],
    libraries: [
      { type: 'movies', path: join(folder.path, 'movies') },
      { type: 'manga', path: join(folder.path, 'manga') },
    ],
  })
  admin = await server.as(ADMIN.username)
  await server.waitForScans()
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

/** Whether anything can be written into any file: what is open already is concerned as well. */
const letWrite = (isAllowed: boolean): Promise<Buffer> =>
  runProgram([...AS_ORDINARY_USER, 'prlimit', `--pid=${server.pid}`, `--fsize=${isAllowed ? 'unlimited' : '0'}:unlimited`])
const letMakeFiles = (isAllowed: boolean): Promise<Buffer> =>
  runProgram(['chmod', '--recursive', isAllowed ? 'u+w' : 'a-w', join(folder.path, 'data')])

const outcome = ({ status, body, headers }: Answer & { body: Json }): Json =>
  status < 400 ? status : [status, body.code, headers.get('content-type')]
const UNAVAILABLE = [503, 'unavailable', 'application/problem+json']

const makeCategory = async (name: string): Promise<Json> => outcome(await admin.post('/api/tags/categories', { name }))
const signIn = async (): Promise<Json> => outcome(await server.anonymous.copy().post('/api/auth/login', ADMIN))
const backup = async (): Promise<Json> => outcome(await admin.post('/api/system/backup'))
const idOf = async (type: string): Promise<number> =>
  (await admin.get('/api/libraries')).body.libraries.find((library: Json) => library.type === type).id
const playConverted = async (): Promise<Json> => {
  const { body } = await admin.get('/api/playback', { itemKey: `movie:${await idOf('movies')}:Film (2000)`, caps: 'vp9' })
  return outcome(await admin.get(body.url.replace('index.m3u8', 'init.mp4')))
}

test('a database that cannot be written is unavailable, is read meanwhile, and written as soon as that is possible', async () => {
  await letWrite(false)
  expect([await makeCategory('Mood'), await signIn()]).toEqual([UNAVAILABLE, UNAVAILABLE])
  expect((await admin.get('/api/tags/categories')).body).toEqual({ categories: [] })
  await letWrite(true)
  expect([await makeCategory('Mood'), await signIn()]).toEqual([201, 200])
})

test('what cannot be kept of a film or a volume is told all the same', async () => {
  const [films, manga] = [await idOf('movies'), await idOf('manga')]
  await letWrite(false)
  await copyFile(join(folder.path, 'longer.mp4'), join(folder.path, 'movies/Film (2000)/Film (2000).mp4'))
  const [film, volume] = await Promise.all([
    admin.get('/api/playback', { itemKey: `movie:${films}:Film (2000)` }),
    admin.get('/api/manga/pages', { itemKey: `manga_volume:${manga}:Book/Book v01.cbz` }),
  ])
  await letWrite(true)
  expect([film.status, Math.round(film.body.durationSeconds), volume.status, volume.body.pages?.length]).toEqual([200, 6, 200, 2])
})

test('where no file can be made there is no backup and no converted video, until one can', async () => {
  await letMakeFiles(false)
  expect([await backup(), await playConverted()]).toEqual([UNAVAILABLE, UNAVAILABLE])
  await letMakeFiles(true)
  expect([await backup(), await playConverted()]).toEqual([200, 200])
})

test('the server ends as it should where nothing can be written', async () => {
  await letWrite(false)
  await letMakeFiles(false)
  await server.stop()
  await letMakeFiles(true)
  await waitFor(() => server.output().includes('"event":"stopped"') || undefined, 20_000, server.output)
  expect(server.output()).not.toContain('unhandled_rejection')
})
