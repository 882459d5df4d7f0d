import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, cp, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@libsql/client/sqlite3'
import { RUNTIME_SETTINGS } from '../src/runtime-settings.ts'
import { freePort } from './bench/free-port.ts'
import { folderContents } from './support/folder-contents.ts'
import { createLegacyDatabase, typicalLegacy } from './support/legacy-database.ts'
import { link, makeTree } from './support/library-tree.ts'
import { makeClip } from './support/real-media.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { collect, startServer, waitFor } from './support/test-server.ts'

setDefaultTimeout(60_000)

const REPOSITORY = join(import.meta.dir, '..')

const run = async (args: string[]): Promise<{ exitCode: number; stderr: string }> => {
  const child = Bun.spawn([process.execPath, 'src/main.ts', ...args], {
    cwd: REPOSITORY,
    // As in the container.
    env: { PATH: process.env.PATH, HOME: '/tmp', LOG_LEVEL: 'silent', ...RUNTIME_SETTINGS },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [stderr, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { exitCode, stderr }
}

/**
 * Read by another process: one that closes a database file which it has opened beside SQLite gives up its own locks on it
 * (https://sqlite.org/howtocorrupt.html, 2.2).
 */
const bytesOf = (file: string): Uint8Array => Bun.spawnSync(['cat', file]).stdout

/** API.md, 12: its name, what was wrong, and exit code 2. */
describe('a flag that only the machine can judge ends the start with its name', () => {
  test('a data folder that is a file', async () => {
    await using folder = await temporaryFolder('main')
    const data = join(folder.path, 'data')
    await Bun.write(data, 'a file')
    expect(await run(['--data', data, '--port', '0'])).toEqual({
      exitCode: 2,
      stderr: `--data, DATA_DIR: ${data} cannot be made a data folder (EEXIST)\n`,
    })
    expect(await Bun.file(data).text()).toBe('a file')
  })

  test('a data folder that is full of other things, also where something else is wrong: nothing of it is touched', async () => {
    await using folder = await temporaryFolder('main')
    const disk = makeTree(join(folder.path, 'disk'), { 'tmp/holiday/photo.jpg': 'a photo', 'movies/film.mkv': 'a film' })
    await chmod(disk, 0o755)
    const before = folderContents(disk)
    const library = `movies=${join(disk, 'movies')}`
    expect(await run(['--data', disk, '--host', '127.0.0.1', '--port', '0', '--library', library])).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^--data, DATA_DIR: \S+ holds other things \("\w+"\) and no data of this service; .*\n$/),
    })
    expect([folderContents(disk), (await stat(disk)).mode & 0o777]).toEqual([before, 0o755])
  })

  test('a database that can be none: a folder, a device, a place below a file; none of them is touched', async () => {
    await using folder = await temporaryFolder('main')
    const pipe = join(folder.path, 'pipe')
    await Bun.$`mkfifo -m 666 ${pipe}`
    await mkdir(join(folder.path, 'inner'))
    await Bun.write(join(folder.path, 'file'), 'a file')
    for (const [path, reason] of [
      ['inner', 'it is no file'],
      ['pipe', 'it is no file'],
      ['file/vitrine.db', 'EEXIST|ENOTDIR'],
    ]) {
      const { exitCode, stderr } = await run([
        ...['--data', join(folder.path, 'data'), '--database', `file:${join(folder.path, path ?? '')}`],
        ...['--host', '127.0.0.1', '--port', '0'],
      ])
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringMatching(new RegExp(`^--database, DATABASE_URL: ${folder.path}/${path} cannot be a database \\((?:${reason})\\)\n$`)),
      ])
    }
    // As it happened to /dev/null, which no program could open any more.
    expect((await stat(pipe)).mode & 0o777).toBe(0o666)
  })

  test('a start that is refused has taken nothing out of the temporary folder of its data', async () => {
    await using folder = await temporaryFolder('main')
    const data = makeTree(join(folder.path, 'data'), { 'tmp/hls/a/0.m4s': 'a piece', 'movies/film.mkv': 'a film' })
    await createLegacyDatabase(join(data, 'vitrine.db'), typicalLegacy)
    const { exitCode } = await run(['--data', data, '--host', '127.0.0.1', '--port', '0', '--library', `movies=${join(data, 'movies')}`])
    expect([exitCode, await Bun.file(join(data, 'tmp/hls/a/0.m4s')).exists()]).toEqual([2, true])
  })

  test('a library that can never be one: outside the media roots, a file, or around the data', async () => {
    await using folder = await temporaryFolder('main')
    const [media, other, file] = [join(folder.path, 'media'), join(folder.path, 'other'), join(folder.path, 'media', 'film.mkv')]
    await mkdir(media)
    await mkdir(other)
    await Bun.write(file, 'a film')
    const start = (...args: string[]) => run(['--data', join(other, 'data'), '--host', '127.0.0.1', '--port', '0', ...args])
    expect(await start('--media-roots', media, '--library', `movies=${other}`)).toEqual({
      exitCode: 2,
      stderr: `--library, LIBRARIES: ${other} lies outside the allowed media roots.\n`,
    })
    expect(await start('--library', `movies=${file}`)).toEqual({ exitCode: 2, stderr: `--library, LIBRARIES: ${file} is not a folder.\n` })
    expect(await start('--library', `movies=${media}`, '--library', `mixed=${other}`)).toEqual({
      exitCode: 2,
      stderr: '--library, LIBRARIES: The folder holds the data of this service.\n',
    })
  })

  test('two libraries of one folder, also under two names, or of one that holds the other', async () => {
    await using folder = await temporaryFolder('main')
    const at = (name: string): string => join(folder.path, name)
    makeTree(folder.path, { 'films/new/film.mkv': 'a film', way: link('films') })
    for (const other of ['films', 'films/new', 'way', 'way/new']) {
      const libraries = ['--library', `movies=${at('films')}`, '--library', `tv=${at(other)}`]
      expect(await run(['--data', at('data'), '--host', '127.0.0.1', '--port', '0', ...libraries])).toEqual({
        exitCode: 2,
        stderr: `--library, LIBRARIES: ${at('films')} and ${at(other)} overlap: they cannot be two libraries.\n`,
      })
    }
  })

  test('data, or a database, that has come to lie in the folder of a library', async () => {
    await using folder = await temporaryFolder('main')
    const at = (name: string): string => join(folder.path, name)
    makeTree(folder.path, { 'films/Film (2000)/film.mkv': 'a film', way: link('films') })
    const server = await startServer({ dataDir: at('data'), libraries: [{ type: 'movies', path: at('films'), name: 'Films' }] })
    await server.stop()
    const start = (...args: string[]) => run(['--host', '127.0.0.1', '--port', '0', ...args])
    const refusal = (flag: string, place: string) => ({
      exitCode: 2,
      stderr: `${flag}: ${at(place)} lies in the folder of the library "Films"; keep it elsewhere\n`,
    })
    await cp(at('data'), at('films/data'), { recursive: true })
    expect(await start('--data', at('way/data'))).toEqual(refusal('--data, DATA_DIR', 'films/data'))
    await rename(at('films/data/vitrine.db'), at('films/mine.db'))
    const database = pathToFileURL(at('films/mine.db')).href
    expect(await start('--data', at('data'), '--database', database)).toEqual(refusal('--database, DATABASE_URL', 'films'))
  })

  test('an address of another machine', async () => {
    await using folder = await temporaryFolder('main')
    const { exitCode, stderr } = await run(['--data', join(folder.path, 'data'), '--port', '0', '--host', '203.0.113.1'])
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^--host, HOST: there is no listening on 203\.0\.113\.1 \(\w+\)\n$/)])
  })

  test('an address that the system does not find: Bun says nothing of why, and of a name neither', async () => {
    await using folder = await temporaryFolder('main')
    // Unlike a name, nobody is asked for a zone.
    expect(await run(['--data', join(folder.path, 'data'), '--port', '0', '--host', 'fe80::1%nope'])).toEqual({
      exitCode: 2,
      stderr: '--host, HOST: there is no listening on fe80::1%nope (ENOTFOUND)\n',
    })
  })

  test('a port that somebody else has', async () => {
    await using folder = await temporaryFolder('main')
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    // A server that has stopped has forgotten its port.
    const { port } = other
    const { exitCode, stderr } = await run(['--data', join(folder.path, 'data'), '--host', '127.0.0.1', '--port', String(port)])
    await other.stop(true)
    expect([exitCode, stderr]).toEqual([2, `--port, PORT: ${port} is in use on 127.0.0.1\n`])
  })

  test('a port that a server like this one has', async () => {
    await using folder = await temporaryFolder('main')
    // As one that shares its port would listen.
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response() })
    const { port } = other
    const { exitCode, stderr } = await run(['--data', join(folder.path, 'data'), '--host', '127.0.0.1', '--port', String(port)])
    await other.stop(true)
    expect([exitCode, stderr]).toEqual([2, `--port, PORT: ${port} is in use on 127.0.0.1\n`])
  })

  test('a port that a server on the same data has: its streams and its database, of an older version, stay as they are', async () => {
    await using folder = await temporaryFolder('main')
    const data = join(folder.path, 'data')
    await mkdir(join(data, 'tmp/hls'), { recursive: true })
    await createLegacyDatabase(join(data, 'vitrine.db'), typicalLegacy)
    const before = await Bun.file(join(data, 'vitrine.db')).bytes()
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const { exitCode } = await run(['--data', data, '--host', '127.0.0.1', '--port', String(other.port)])
    await other.stop(true)
    expect(exitCode).toBe(2)
    expect((await readdir(data, { recursive: true })).toSorted()).toEqual(['tmp', 'tmp/hls', 'vitrine.db'])
    expect(await Bun.file(join(data, 'vitrine.db')).bytes()).toEqual(before)
  })
})

test('whoever is answered first finds the administrator of --admin there, and is not offered to become it', async () => {
  await using folder = await temporaryFolder('main')
  const port = freePort()
  const flags = ['--data', join(folder.path, 'data'), '--host', '127.0.0.1', '--port', String(port), '--admin', 'anna:a long password']
  const child = Bun.spawn([process.execPath, 'src/main.ts', ...flags], {
    cwd: REPOSITORY,
    // As in the container.
    env: { PATH: process.env.PATH, HOME: '/tmp', LOG_LEVEL: 'silent', ...RUNTIME_SETTINGS },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  try {
    const ask = async (): Promise<unknown> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/auth/status`).catch(() => undefined)
      return answer?.ok ? await answer.json() : undefined
    }
    expect(await waitFor(ask, 30_000, () => 'Nobody answered')).toEqual({ setupRequired: false, user: null })
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
})

test('a disk that hangs, of which many have asked, holds up nobody who wants something else', async () => {
  await using folder = await temporaryFolder('main')
  const inFolder = (name: string): string => join(folder.path, name)
  const [pipe, preload, port] = [inFolder('pipe'), inFolder('preload.ts'), freePort()]
  Bun.spawnSync(['mkfifo', pipe])
  await Bun.write(
    preload,
    `import { open } from 'node:fs/promises'
process.on('SIGUSR2', () => {
  for (let times = 0; times < 8; times++) void open(${JSON.stringify(pipe)})
  process.stdout.write('hangs\\n')
})`,
  )
  const flags = ['--data', inFolder('data'), '--host', '127.0.0.1', '--port', String(port), '--admin', 'anna:a long password']
  const child = Bun.spawn([process.execPath, '--preload', preload, 'src/main.ts', ...flags], {
    cwd: REPOSITORY,
    // As in the container.
    env: { PATH: process.env.PATH, HOME: '/tmp', LOG_LEVEL: 'silent', ...RUNTIME_SETTINGS },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const written = collect([child.stdout])
  const has = (text: string) => () => (written.text().includes(text) ? true : undefined)
  try {
    await waitFor(has('ready'), 30_000, written.text)
    child.kill('SIGUSR2')
    await waitFor(has('hangs'), 30_000, written.text)
    const { status } = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'anna', password: 'a long password' }),
      signal: AbortSignal.timeout(20_000),
    })
    expect(status).toBe(200)
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
})

test('a start that waits in vain for a program that holds the database says so, and touches nothing', async () => {
  await using folder = await temporaryFolder('main')
  const data = join(folder.path, 'data')
  await mkdir(data)
  const file = join(data, 'vitrine.db')
  await createLegacyDatabase(file, typicalLegacy)
  const holder = createClient({ url: `file:${file}` })
  await holder.execute('PRAGMA journal_mode=WAL')
  const held = await holder.transaction('write')
  await held.execute('CREATE TABLE theirs (id INTEGER PRIMARY KEY)')
  const before = bytesOf(file)
  expect(await run(['--data', data, '--host', '127.0.0.1', '--port', '0'])).toEqual({
    exitCode: 1,
    stderr:
      'Vitrine could not start: another program, such as a restore, has held the database for too long. Start again when it is done.\n',
  })
  expect(bytesOf(file)).toEqual(before)
  await held.commit()
  expect((await holder.execute('SELECT count(*) AS count FROM tags')).rows[0]?.count).toBeGreaterThan(0)
  holder.close()
})

test('a start that fails at a statement says why, and none of its values', async () => {
  await using folder = await temporaryFolder('main')
  const server = await startServer({ dataDir: folder.path, hasIndex: true, admin: null })
  await server.stop()
  const client = createClient({ url: pathToFileURL(join(folder.path, 'vitrine.db')).href })
  await client.execute("CREATE TRIGGER full BEFORE INSERT ON users BEGIN SELECT raise(ABORT, 'there is no room'); END")
  client.close()
  const args = ['--data', folder.path, '--host', '127.0.0.1', '--port', '0', '--admin', 'anna:a long password']
  expect(await run(args)).toEqual({
    exitCode: 1,
    stderr: expect.stringMatching(/^Vitrine could not start: SQLITE_\w+: there is no room\n$/),
  })
})

test('a start that cannot reach the server of its database says which one, and no secret of its address', async () => {
  await using folder = await temporaryFolder('main')
  const flags = ['--data', folder.path, '--host', '127.0.0.1', '--port', '0', '--database', 'http://me:secret@127.0.0.1:1']
  const { exitCode, stderr } = await run(flags)
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/^Vitrine could not start with the database at 127\.0\.0\.1:1: ECONNREFUSED/),
  ])
  expect(stderr).not.toContain('secret')
})

test('a start that is told to stop before it has begun ends with 0, as process 1 of a container must hear it too', async () => {
  await using folder = await temporaryFolder('main')
  const file = join(folder.path, 'vitrine.db')
  await createLegacyDatabase(file, typicalLegacy)
  const holder = createClient({ url: `file:${file}` })
  await holder.execute('PRAGMA journal_mode=WAL')
  const held = await holder.transaction('write')
  const flags = ['--data', folder.path, '--host', '127.0.0.1', '--port', '0']
  // The first process of a namespace, where that may be made: a signal that it does not listen for is not delivered.
  const namespace = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child']
  const alone = Bun.which('unshare') !== null && Bun.spawnSync([...namespace, 'true']).exitCode === 0 ? namespace : []
  const child = Bun.spawn([...alone, process.execPath, 'src/main.ts', ...flags], { cwd: REPOSITORY, stdout: 'ignore', stderr: 'ignore' })
  const innerPid = (): number | undefined => Number(Bun.spawnSync(['pgrep', '-P', String(child.pid)]).stdout.toString()) || undefined
  try {
    await waitFor(
      async () => ((await Bun.file(join(folder.path, 'server.lock')).exists()) ? true : undefined),
      20_000,
      () => 'It does not come as far as the database.',
    )
    process.kill(alone.length > 0 ? await waitFor(innerPid, 20_000, () => 'There is no server.') : child.pid, 'SIGTERM')
    expect(await child.exited).toBe(0)
  } finally {
    child.kill('SIGKILL')
    await child.exited
    await held.rollback()
    holder.close()
  }
})

test('a start that is told to stop while its files are still read ends with 0', async () => {
  await using folder = await temporaryFolder('main')
  for (const name of ['src', 'dist']) await mkdir(join(folder.path, name))
  await Bun.write(join(folder.path, 'src/main.ts'), Bun.file(join(REPOSITORY, 'src/main.ts')))
  await Bun.write(join(folder.path, 'dist/server.js'), "process.stdout.write('being read')\nawait Bun.sleep(30_000)\n")
  const child = Bun.spawn([process.execPath, 'src/main.ts'], {
    cwd: folder.path,
    env: { VITRINE_COMPILED: '1' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  await child.stdout.getReader().read()
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})

test('a start that is told to stop while people are answered already ends the step that it is at, and with 0', async () => {
  await using folder = await temporaryFolder('main')
  const tree = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`library ${at}`, { 'a.jpg': 1 }]))
  const media = makeTree(join(folder.path, 'media'), tree)
  const flags = ['--data', join(folder.path, 'data'), '--host', '127.0.0.1', '--port', '0']
  const libraries = Object.keys(tree).flatMap((name) => ['--library', `mixed=${join(media, name)}`])
  const child = Bun.spawn([process.execPath, 'src/main.ts', ...flags, ...libraries], { cwd: REPOSITORY, stdout: 'pipe', stderr: 'pipe' })
  const written = collect([child.stdout, child.stderr])
  await waitFor(() => written.text().includes('"library_created"') || child.exitCode !== null || undefined, 30_000, written.text)
  child.kill('SIGTERM')
  const exitCode = await child.exited
  await written.ended
  expect(written.text()).not.toMatch(/"level":"error"|"started"|is ready at/)
  expect([exitCode, written.text().match(/"library_created"/g)?.length]).toEqual([0, 20])
})

describe('a server that is told to stop in the midst of a picture', () => {
  const scene = async () => {
    const folder = await temporaryFolder('main')
    const inFolder = (name: string): string => join(folder.path, name)
    const [films, ffmpeg, busy, go] = [inFolder('films'), inFolder('ffmpeg'), inFolder('busy'), inFolder('go')]
    await mkdir(films)
    await makeClip(join(films, 'clip.mp4'))
    await Bun.write(
      ffmpeg,
      `#!/bin/sh\ntouch '${busy}'\nfor turn in $(seq 400); do [ -e '${go}' ] && break; sleep 0.05; done\nexec ffmpeg "$@"\n`,
    )
    await chmod(ffmpeg, 0o755)
    const server = await startServer({
      libraries: [{ type: 'mixed', path: films }],
      env: { FFMPEG_PATH: ffmpeg },
      dataDir: join(folder.path, 'data'),
    })
    await waitFor(
      async () => ((await Bun.file(busy).exists()) ? true : undefined),
      30_000,
      () => 'Nobody asked for a frame.',
    )
    return {
      server,
      goOn: () => Bun.write(go, ''),
      [Symbol.asyncDispose]: async () => {
        await Bun.write(go, '')
        await server.stop()
        await folder.remove()
      },
    }
  }

  test('answers whoever waits for it', async () => {
    await using stage = await scene()
    const { server } = stage
    const client = await server.as('admin')
    const { entries } = (await client.get('/api/browse', { libraryId: 1 })).body
    const picture = client.fetch(`/api/thumbnails?itemKey=${encodeURIComponent(entries[0].itemKey)}&size=small`)
    const pending = async () => ((await client.get('/api/system')).body.workers.thumbnails.pending > 0 ? true : undefined)
    await waitFor(pending, 10_000, () => 'Nobody waits for the picture.')
    process.kill(server.pid, 'SIGTERM')
    await waitFor(
      () => (server.output().includes('"stopping"') ? true : undefined),
      10_000,
      () => 'It does not stop.',
    )
    await stage.goOn()
    expect((await picture).status).toBe(200)
    expect(await server.exited).toBe(0)
  })

  test('says nothing of it where nobody waits', async () => {
    await using stage = await scene()
    await stage.server.stop()
    await waitFor(() => stage.server.output().includes('"stopped"') || undefined, 20_000, stage.server.output)
    expect(stage.server.output()).not.toMatch(/"level":"(?:warn|error)","event":"(?!runs_as_root)/)
  })
})
