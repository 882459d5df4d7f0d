import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import type { HttpClient } from '../support/http-client.ts'
import { link, makeTree } from '../support/library-tree.ts'
import { pathCorpus } from '../support/path-corpus.ts'
import { makePicture } from '../support/real-media.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(60_000)

/** SECURITY.md, A: nothing but what the index names is ever sent, whatever a client writes where a path could stand. */

const CANARY = 'CANARY-outside-of-every-library'
/** Answers at a time. */
const BREADTH = 16

let folder: TemporaryFolder
let server: TestServer
let user: HttpClient
let admin: HttpClient
let corpus: string[]
const ids = { games: 0, mixed: 0, movies: 0 }

beforeAll(async () => {
  folder = await temporaryFolder('paths')
  const media = makeTree(join(folder.path, 'media'), {
    'outside.txt': CANARY,
    'mixed-private': { 'secret.txt': CANARY },
    'movies-private': { Secret: { 'Secret.mkv': CANARY } },
    mixed: { 'known.txt': 'a known file', '.hidden.txt': CANARY, folder: { 'inside.txt': 'a known file' } },
    games: { Solo: { 'solo.zip': 'a known file', 'not indexed.txt': CANARY, 'Solo.app': { 'not indexed.txt': CANARY } } },
    movies: { Alien: { 'Alien.mkv': 'a known file' } },
  })
  makeTree(folder.path, { [CANARY]: {} })
  await makePicture(join(media, 'games/Solo/cover.jpg'), { width: 20, height: 20 })
  await makePicture(join(media, 'games/Solo/screenshots/shot-1.jpg'), { width: 20, height: 20 })
  const libraries = (Object.keys(ids) as (keyof typeof ids)[]).map((type) => ({ type, name: type, path: join(media, type) }))
  server = await startServer({ dataDir: join(folder.path, 'data'), libraries, args: ['--media-roots', media] })
  await server.waitForScans()
  user = await server.as('user')
  admin = await server.as('admin')
  for (const { name, id } of (await user.get('/api/libraries')).body.libraries) Object.assign(ids, { [name]: id })
  corpus = pathCorpus(media, [
    'outside.txt',
    'mixed-private/secret.txt',
    'movies-private/Secret/Secret.mkv',
    '../data/vitrine.db',
    'mixed/.hidden.txt',
  ])
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

/** What only a file that is not the index's own can have given. */
const LEAKS = [CANARY, 'root:x:0:0', 'SQLite format 3', 'DATA_DIR=', 'PATH=/', 'src/main.ts']

interface Seen {
  status: number
  text: string
}

/** Sends them all, a few at a time, and answers what was wrong, by text. */
const tryAll = async (texts: readonly string[], send: (text: string) => Promise<Seen>): Promise<unknown[]> => {
  const faults: unknown[] = []
  const queue = [...texts]
  const work = async (): Promise<void> => {
    for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
      const { status, text: answer } = await send(text)
      const leak = LEAKS.find((word) => answer.includes(word))
      if (status >= 500 || leak) faults.push({ text, status, leak })
    }
  }
  await Promise.all(Array.from({ length: BREADTH }, work))
  return faults
}

const seenOf = async (response: Response): Promise<Seen> => ({ status: response.status, text: await response.text() })

test('the texts are 512, each another, and the answers to a good path show what they would show of a bad one', async () => {
  expect([corpus.length, new Set(corpus).size]).toEqual([512, 512])
  const known = await seenOf(await user.fetch(`/api/files?itemKey=mixed_file:${ids.mixed}:known.txt`))
  expect(known).toEqual({ status: 200, text: 'a known file' })
})

describe('nothing leaves the library through', () => {
  const parameters: [name: string, path: (text: string) => string][] = [
    ['the path of a key of a mixed file', (text) => `/api/files?itemKey=${`mixed_file:${ids.mixed}:`}${text}`],
    ['the path of a key of a film', (text) => `/api/files?itemKey=movie:${ids.movies}:${text}`],
    ['the path below a folder, in a key', (text) => `/api/files?itemKey=mixed_file:${ids.mixed}:folder/${text}`],
    ['a whole key', (text) => `/api/files?itemKey=${text}`],
    ['the library of a key', (text) => `/api/files?itemKey=mixed_file:${text}:known.txt`],
    ['the file of a game', (text) => `/api/files?itemKey=game:${ids.games}:Solo&file=${text}`],
    ['the file of a film', (text) => `/api/files?itemKey=movie:${ids.movies}:Alien&file=${text}`],
    ['the key of an item', (text) => `/api/items?itemKey=mixed_file:${ids.mixed}:${text}`],
    ['the key of a thumbnail', (text) => `/api/thumbnails?itemKey=mixed_file:${ids.mixed}:${text}`],
    ['the size of a thumbnail', (text) => `/api/thumbnails?itemKey=game:${ids.games}:Solo&size=${text}`],
    ['the version of a thumbnail', (text) => `/api/thumbnails?itemKey=game:${ids.games}:Solo&v=${text}`],
    ['the key of artwork', (text) => `/api/artwork?kind=cover&itemKey=game:${ids.games}:${text}`],
    ['the kind of artwork', (text) => `/api/artwork?itemKey=game:${ids.games}:Solo&kind=${text}`],
    ['the name of artwork', (text) => `/api/artwork?itemKey=game:${ids.games}:Solo&kind=screenshot&name=${text}`],
    ['the parent of a level', (text) => `/api/browse?libraryId=${ids.mixed}&parentKey=${text}`],
    ['the item to look around', (text) => `/api/browse?libraryId=${ids.mixed}&around=mixed_file:${ids.mixed}:${text}`],
    ['the folder of a mixed library', (text) => `/api/browse?libraryId=${ids.mixed}&path=${text}`],
    ['the folders of a mixed library', (text) => `/api/mixed/folders?libraryId=${ids.mixed}&path=${text}`],
    ['the key of a video', (text) => `/api/playback?itemKey=mixed_file:${ids.mixed}:${text}`],
    ['the file of a video', (text) => `/api/playback?itemKey=movie:${ids.movies}:Alien&file=${text}`],
    ['the stream of a video', (text) => `/api/hls/${text}/index.m3u8`],
    ['the piece of a stream', (text) => `/api/hls/AAAA/${text}`],
    ['the track of subtitles', (text) => `/api/subtitles?itemKey=movie:${ids.movies}:Alien&track=${text}`],
    ['the file of subtitles', (text) => `/api/subtitles?itemKey=movie:${ids.movies}:Alien&track=x&file=${text}`],
    ['a search', (text) => `/api/browse?libraryId=${ids.mixed}&q=${text}`],
  ]
  for (const [name, path] of parameters)
    test(name, async () => {
      const encoded = await tryAll(corpus, async (text) => seenOf(await user.fetch(path(encodeURIComponent(text)))))
      expect(encoded).toEqual([])
      // Encoded already, by whoever wrote it: it is decoded once, and once only.
      const raw = corpus.filter((text) => /^[\w!$'()*,;:@./?~%-]+$/.test(text) && text.includes('%'))
      expect(raw.length).toBeGreaterThan(50)
      expect(await tryAll(raw, async (text) => seenOf(await user.fetch(path(text))))).toEqual([])
    })
})

/** Exchanges a folder and a link of the same name, over and over, in a process of its own. */
const FLIPPER = `
  import { renameSync } from 'node:fs'
  const [path = '', link = '', spare = '', rounds = '0'] = process.argv.slice(1)
  for (let round = 0; round < Number(rounds); round += 1) {
    renameSync(path, spare), renameSync(link, path)
    renameSync(path, link), renameSync(spare, path)
  }
`

test('a folder that is exchanged for a link out of the library while it is read gives its own file or none', async () => {
  const root = join(folder.path, 'media/mixed')
  makeTree(folder.path, { trap: { 'inside.txt': CANARY } })
  makeTree(root, { 'link.new': link('../../trap') })
  const flipper = Bun.spawn(
    [process.execPath, '-e', FLIPPER, join(root, 'folder'), join(root, 'link.new'), join(root, 'spare.new'), '50000'],
    { stdout: 'ignore', stderr: 'pipe' },
  )
  const counts: Record<number, number> = {}
  const read = async (): Promise<void> => {
    while (flipper.exitCode === null) {
      const { status, text } = await seenOf(await user.fetch(`/api/files?itemKey=mixed_file:${ids.mixed}:folder/inside.txt`))
      expect(text).not.toContain(CANARY)
      if (status === 200) expect(text).toBe('a known file')
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, read))
  expect([await flipper.exited, await new Response(flipper.stderr).text()]).toEqual([0, ''])
  // Both sides of the exchange were seen, and nothing else.
  expect(Object.keys(counts).toSorted()).toEqual(['200', '404'])
}, 60_000)

describe('nothing but the client and the routes lies behind', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: BREADTH })
  afterAll(() => agent.destroy())

  /** With the path as it is: fetch would take the dots out of it first. */
  const sendRaw = (path: string): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      const sent = request({ agent, hostname, port, path, headers: { cookie: user.cookies() } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('latin1') }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end()
    })
  const places: [name: string, prefix: string][] = [
    ['the root', '/'],
    ['the assets', '/assets/'],
    ['the routes', '/api/'],
    ['the id of a library', '/api/libraries/'],
    ['the files of the description', '/api/docs/'],
  ]
  for (const [name, prefix] of places)
    test(name, async () => {
      const sendable = corpus.map((text) => (/^[!-~]*$/.test(text) ? text : encodeURIComponent(text)))
      expect(await tryAll(sendable, (text) => sendRaw(prefix + text.replaceAll('#', '%23')))).toEqual([])
    })
})

describe('an administrator, too, sees nothing outside the media roots through', () => {
  test('the folder picker', async () => {
    const media = join(folder.path, 'media')
    expect(await tryAll(corpus, async (text) => seenOf(await admin.fetch(`/api/filesystem?path=${encodeURIComponent(text)}`)))).toEqual([])
    expect(
      await tryAll(corpus, async (text) =>
        seenOf(await admin.fetch(`/api/filesystem?path=${encodeURIComponent(`${media}/mixed/${text}`)}`)),
      ),
    ).toEqual([])
  })

  test('the folder of a new library', async () => {
    const before = (await admin.get('/api/libraries')).body.libraries.length
    const faults = await tryAll(corpus, async (text) => {
      const { status, body } = await admin.post('/api/libraries', { name: 'x', type: 'mixed', path: text })
      return { status: status === 400 ? 400 : 599, text: JSON.stringify(body) }
    })
    expect(faults).toEqual([])
    expect((await admin.get('/api/libraries')).body.libraries).toHaveLength(before)
  })
})
