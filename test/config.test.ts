import { describe, expect, test } from 'bun:test'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { type Config, parseConfig } from '../src/config.ts'
import { ConfigError } from '../src/flags.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

type Environment = Record<string, string>

const problemOf = (argv: string[], env: Environment = {}): string => {
  try {
    parseConfig(argv, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'taken'
}

describe('what parseConfig refuses, and how it says so', () => {
  const refusals: [argv: string[], env: Environment, message: string][] = [
    [['--prot', '80'], {}, '--prot: there is no such flag. The flags are --port, --host,'],
    [['--admins=me:secret'], {}, '--admins: there is no such flag'],
    [['serve'], {}, 'serve: there is no such flag'],
    [['-p', '80'], {}, '-p: there is no such flag'],
    [['--library', 'movies=/My', 'Films'], {}, '--library: one word too many follows it; a value with spaces needs quotes'],
    [['--port'], {}, '--port: needs a value'],
    [['--data', '--port', '80'], {}, '--data: needs a value'],
    [['--port', '80', '--port', '81'], {}, '--port: is given twice'],
    [['--port', '65536'], {}, '--port: must be a whole number from 0 to 65535'],
    [['--port', '-1'], {}, '--port: must be a whole number from 0 to 65535'],
    [['--port='], {}, '--port: must be a whole number from 0 to 65535'],
    [[], { PORT: '80a' }, 'PORT: must be a whole number from 0 to 65535'],
    [[], { PORT: '8e1' }, 'PORT: must be a whole number from 0 to 65535'],
    [['--host', 'a b'], {}, '--host: must be a host name or an address'],
    [['--host', '[::1'], {}, '--host: must be a host name or an address'],
    [['--host', '::1]'], {}, '--host: must be a host name or an address'],
    [['--data='], {}, '--data: must be a path'],
    [['--database', 'postgres://a/b'], {}, '--database: must be file:PATH, http://…, https://… or libsql://…'],
    [['--database', 'vitrine.db'], {}, '--database: must be file:PATH'],
    [['--database', 'file::memory:'], {}, '--database: must be file:PATH'],
    [['--database', 'file://host/a.db'], {}, '--database: must be file:PATH'],
    [['--database', 'file:a.db?mode=ro'], {}, '--database: must be file:PATH'],
    [['--database', 'file:100%.db'], {}, '--database: must be file:PATH'],
    [[], { DATABASE_URL: 'http://' }, 'DATABASE_URL: must be file:PATH'],
    [['--admin', 'me'], {}, '--admin: needs a password'],
    [['--admin', ':long enough'], {}, '--admin: the name is not possible'],
    [['--admin', 'me:short'], {}, '--admin: the password is not possible: At least 8 characters'],
    [['--admin', `me:${'a\u0308'.repeat(7)}`], {}, '--admin: the password is not possible: At least 8 characters'],
    [['--admin', `me:${'x'.repeat(257)}`], {}, '--admin: the password is not possible: At most 256 characters'],
    [['--admin', 'a\u0000b:long enough'], {}, '--admin: the name is not possible'],
    [[], { ADMIN_USERNAME: 'me' }, 'ADMIN_PASSWORD: needs a password'],
    [[], { ADMIN_PASSWORD: 'long enough' }, 'ADMIN_USERNAME: needs a name'],
    [
      ['--library', '/films'],
      {},
      '--library: "/films" must be TYPE=PATH or NAME:TYPE=PATH, where TYPE is one of games, movies, tv, manga, mixed',
    ],
    [['--library', 'music=/songs'], {}, '--library: "music=/songs" must be TYPE=PATH'],
    [['--library', 'movies='], {}, '--library: "movies=" must be TYPE=PATH'],
    [[], { LIBRARIES: 'movies=/films;music=/songs' }, 'LIBRARIES: "music=/songs" must be TYPE=PATH'],
    [['--library', `${'x'.repeat(101)}:movies=/films`], {}, `--library: "${'x'.repeat(101)}:movies=/films": the name `],
    [['--library', 'a\nb:movies=/films'], {}, '--library: "a\\nb:movies=/films": the name "a\\nb" is not possible: Control characters'],
    [['--library', '\u200b:movies=/films'], {}, '--library: "\u200b:movies=/films": the name "\u200b" is not possible: A name is needed'],
    [[], { LIBRARIES: 'a\u0007:tv=/series' }, 'LIBRARIES: "a\\u0007:tv=/series": the name'],
    [['--media-roots', ':'], {}, '--media-roots: must name at least one folder'],
    [['--base-path', '/a/../b'], {}, '--base-path: must be a path like /media'],
    [['--base-path', '/a b'], {}, '--base-path: must be a path like /media'],
    [[], { BASE_PATH: 'https://host/media' }, 'BASE_PATH: must be a path like /media'],
    [['--trust-proxy', '10.0.0.0/33'], {}, '--trust-proxy: "10.0.0.0/33" is no address or CIDR range'],
    [['--trust-proxy', '10.0.0/8'], {}, '--trust-proxy: "10.0.0/8" is no address'],
    [['--trust-proxy', '::ffff:10.0.0.0/90'], {}, '--trust-proxy: "::ffff:10.0.0.0/90" is no address or CIDR range'],
    [[], { TRUST_PROXY: '::1,proxy' }, 'TRUST_PROXY: "proxy" is no address'],
    [[], { LOG_LEVEL: 'verbose' }, 'LOG_LEVEL: must be one of debug, info, warn, error, silent'],
    [[], { DAILY_BACKUPS: '366' }, 'DAILY_BACKUPS: must be a whole number from 0 to 365'],
    [[], { SESSION_DAYS: '0' }, 'SESSION_DAYS: must be a whole number from 1 to 3650'],
    [[], { SCAN_ON_START: 'yes' }, 'SCAN_ON_START: must be one of 0, 1, false, true'],
    [[], { FFMPEG_PATH: '/no/such/ffmpeg' }, 'FFMPEG_PATH: "/no/such/ffmpeg" is no program that can be run'],
    [[], { FFPROBE_PATH: '/etc/passwd' }, 'FFPROBE_PATH: "/etc/passwd" is no program that can be run'],
    [[], { OCR_DATA_DIR: '/etc/passwd' }, 'OCR_DATA_DIR: must be a folder that exists'],
  ]

  test.each(refusals)('%j with %j: %s', (argv, env, message) => {
    expect(problemOf(argv, env)).toStartWith(message)
  })

  test('several problems are told at once, a line each', () => {
    expect(problemOf(['--port', 'x', '--base-path', '?'], { LOG_LEVEL: 'x' }).split('\n')).toHaveLength(3)
  })

  test('a password is never repeated', () => {
    for (const argv of [
      ['--admin', 'me:', 'a secret word'],
      ['--admin=me:my', 'secret'],
      ['--admin', 'me:secret'],
      ['--admins=me:secret'],
      ['--admin', `me:${'secret'.repeat(50)}`],
    ])
      expect(problemOf(argv)).not.toContain('secret')
  })
})

describe('parseConfig', () => {
  test('nothing given: the defaults', () => {
    expect(parseConfig([], {})).toEqual({
      port: 3000,
      host: '0.0.0.0',
      dataDir: resolve('data'),
      databaseUrl: `file://${resolve('data')}/vitrine.db`,
      databaseAuthToken: null,
      admin: null,
      libraries: [],
      mediaRoots: ['/'],
      basePath: '',
      trustProxy: [],
      logLevel: 'info',
      sessionDays: 30,
      scanOnStart: true,
      dailyBackups: 7,
      ffmpegPath: null,
      ffprobePath: null,
      ocrDataDir: null,
      version: packageJson.version,
    })
  })

  const taken: [argv: string[], env: Environment, expected: Partial<Config>][] = [
    [['--port', '80'], { PORT: '81' }, { port: 80 }],
    [['--port=0'], {}, { port: 0 }],
    [[], { PORT: '81' }, { port: 81 }],
    [
      [],
      { PORT: '', HOST: '', LIBRARIES: '', TRUST_PROXY: '', ADMIN_USERNAME: '', ADMIN_PASSWORD: '', DATABASE_URL: '' },
      { port: 3000, admin: null },
    ],
    [['--host', '::1'], {}, { host: '::1' }],
    [['--host', '[::1]'], {}, { host: '::1' }],
    [['--host', 'nas.local'], {}, { host: 'nas.local' }],
    [['--data', '/d'], { DATA_DIR: '/e' }, { dataDir: '/d', databaseUrl: 'file:///d/vitrine.db' }],
    [['--data', 'my data'], {}, { dataDir: resolve('my data'), databaseUrl: `file://${resolve('my%20data')}/vitrine.db` }],
    [['--database', 'file:a.db'], {}, { databaseUrl: `file://${resolve('a.db')}` }],
    [['--database', 'file:/a/b%20c.db'], {}, { databaseUrl: 'file:///a/b%20c.db' }],
    [['--database', 'file:///a/b.db'], {}, { databaseUrl: 'file:///a/b.db' }],
    [['--database', 'http://host:8080'], { DATABASE_AUTH_TOKEN: 't' }, { databaseUrl: 'http://host:8080', databaseAuthToken: 't' }],
    [[], { DATABASE_URL: 'libsql://name.example' }, { databaseUrl: 'libsql://name.example' }],
    [['--admin', 'me:a:b:c:d:e'], {}, { admin: { username: 'me', password: 'a:b:c:d:e' } }],
    [['--admin', 'me:from flag'], { ADMIN_PASSWORD: 'from environment' }, { admin: { username: 'me', password: 'from flag' } }],
    [['--admin', `me:${'a\u0308'.repeat(256)}`], {}, { admin: { username: 'me', password: 'a\u0308'.repeat(256) } }],
    [[], { ADMIN_USERNAME: 'a:b', ADMIN_PASSWORD: 'long enough' }, { admin: { username: 'a:b', password: 'long enough' } }],
    [['--media-roots', '/a:/b/'], {}, { mediaRoots: ['/a', '/b'] }],
    [[], { VITRINE_CONTAINER: '1' }, { mediaRoots: ['/media'] }],
    [[], { VITRINE_CONTAINER: '1', MEDIA_ROOTS: '/srv' }, { mediaRoots: ['/srv'] }],
    [['--base-path', '/'], {}, { basePath: '' }],
    [['--base-path', 'media//home/'], {}, { basePath: '/media/home' }],
    [['--trust-proxy', '10.0.0.0/8, ::1'], {}, { trustProxy: ['10.0.0.0/8', '::1/128'] }],
    [[], { TRUST_PROXY: '192.168.1.2' }, { trustProxy: ['192.168.1.2/32'] }],
    [[], { LOG_LEVEL: 'debug', SESSION_DAYS: '7', SCAN_ON_START: '0' }, { logLevel: 'debug', sessionDays: 7, scanOnStart: false }],
    [[], { SCAN_ON_START: 'True' }, { scanOnStart: true }],
    [[], { DAILY_BACKUPS: '0' }, { dailyBackups: 0 }],
  ]

  test.each(taken)('%j with %j is %j', (argv, env, expected) => {
    expect(parseConfig(argv, env)).toMatchObject(expected)
  })

  test.each([
    ['movies=/films', { name: 'films', isNamed: false, type: 'movies', path: '/films' }],
    [`tv=/${'x'.repeat(101)}`, { name: 'tv', isNamed: false, type: 'tv', path: `/${'x'.repeat(101)}` }],
    ['Kino: alt:movies=/films', { name: 'Kino: alt', isNamed: true, type: 'movies', path: '/films' }],
    ['a=b:tv=/x', { name: 'a=b', isNamed: true, type: 'tv', path: '/x' }],
    ['mixed=/a:tv=/b', { name: 'b', isNamed: false, type: 'mixed', path: '/a:tv=/b' }],
    [' :games=/x/Spiele/', { name: 'Spiele', isNamed: false, type: 'games', path: '/x/Spiele' }],
    ['manga=/', { name: 'manga', isNamed: false, type: 'manga', path: '/' }],
    ['tv=series', { name: 'series', isNamed: false, type: 'tv', path: resolve('series') }],
  ])('the library %s', (text, library) => {
    expect(parseConfig(['--library', text], {}).libraries).toEqual([library] as Config['libraries'])
  })

  test('--library may be repeated and wins over LIBRARIES, which takes several too', () => {
    const names = (argv: string[]) => parseConfig(argv, { LIBRARIES: 'tv=/c; A:mixed=/d ;' }).libraries.map(({ name }) => name)
    expect(names(['--library', 'tv=/a', '--library=movies=/b'])).toEqual(['a', 'b'])
    expect(names([])).toEqual(['c', 'A'])
  })

  test('ffmpeg is what the variable names, else what the search path has, else none', async () => {
    await using folder = await temporaryFolder('config')
    for (const name of ['ffmpeg', 'mine']) {
      await writeFile(join(folder.path, name), '#!/bin/sh\n')
      await chmod(join(folder.path, name), 0o755)
    }
    const env = { PATH: folder.path }
    expect(parseConfig([], env).ffmpegPath).toBe(join(folder.path, 'ffmpeg'))
    expect(parseConfig([], env).ffprobePath).toBeNull()
    expect(parseConfig([], { ...env, FFMPEG_PATH: join(folder.path, 'mine') }).ffmpegPath).toBe(join(folder.path, 'mine'))
  })

  test('the OCR data folder is absolute', async () => {
    await using folder = await temporaryFolder('config')
    await mkdir(join(folder.path, 'ocr'))
    expect(parseConfig([], { OCR_DATA_DIR: `${folder.path}/./ocr/` }).ocrDataDir).toBe(join(folder.path, 'ocr'))
  })
})
