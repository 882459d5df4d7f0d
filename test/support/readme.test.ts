import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '../../src/config.ts'
import { FLAGS } from '../../src/flags.ts'

const REPOSITORY = join(import.meta.dir, '../..')
const readme = readFileSync(join(REPOSITORY, 'README.md'), 'utf8')
const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))

test('every dependency has its reason in the README, and none is named that is gone', () => {
  const section = readme.slice(readme.indexOf('## Dependencies'), readme.indexOf('## Licence'))
  const isNamed = (name: string): boolean => new RegExp(`(?<![\\w@/-])${RegExp.escape(name)}(?![\\w/-])`).test(section)
  const typesAlone = (name: string): boolean => name.startsWith('@types/') || name === 'bun-types'
  const known = [...Object.keys(dependencies), ...Object.keys(devDependencies).filter((name) => !typesAlone(name))]
  expect(known.filter((name) => !isNamed(name))).toEqual([])
  const named = [...section.matchAll(/^\| (?<names>[^|]+) \|/gm)].flatMap(({ groups }) => (groups?.names ?? '').split(', '))
  expect(named.filter((name) => name !== 'package' && !/^-+$/.test(name) && !known.includes(name))).toEqual([])
})

test('every command that the README names is a script', () => {
  const named = [...readme.matchAll(/bun(?:@[\d.]+)? run (?<script>[\w:]+)/g)].flatMap(({ groups }) => groups?.script ?? [])
  expect(named.filter((script) => !(script in scripts))).toEqual([])
})

/** A value that each flag and its variable take. */
const SAMPLES: Record<string, string> = {
  '--port': '8080',
  '--host': '127.0.0.1',
  '--data': 'here',
  '--database': 'libsql://db.example',
  '--admin': 'anna:a long password',
  '--library': 'Films:movies=/srv/films',
  '--media-roots': '/srv',
  '--base-path': '/media',
  '--trust-proxy': '10.0.0.0/8',
}

test('the flags of the README are those that the server takes, with what it says of them itself', () => {
  const section = readme.slice(readme.indexOf('### Flags'), readme.indexOf('## Folders'))
  const rows = [...section.matchAll(/^\| `(?<flag>--\S+ [^`]+)`[^|]* \| `(?<variable>\w+)`[^|]* \| (?<byDefault>[^|]*) \|$/gm)]
  const told = rows.map(({ groups }) => ({ ...groups, byDefault: groups?.byDefault?.replaceAll('`', '').split(/[:;] /, 1)[0] }))
  const known = Object.entries(FLAGS).map(([name, { takes, variable, byDefault }]) => ({ flag: `--${name} ${takes}`, variable, byDefault }))
  expect(told).toEqual(known)
  expect(Object.keys(SAMPLES)).toEqual(Object.keys(FLAGS).map((name) => `--${name}`))
  for (const [flag, value] of Object.entries(SAMPLES)) expect(() => parseConfig([flag, value], {})).not.toThrow()
  expect(() => parseConfig(['--no-such-flag', '1'], {})).toThrow()
})

test('the variables of the README change what the server does', () => {
  const plain = parseConfig([], {})
  expect(parseConfig([], { LOG_LEVEL: 'debug', SESSION_DAYS: '3', SCAN_ON_START: '0' })).not.toEqual(plain)
  expect(parseConfig([], { LIBRARIES: 'tv=/srv/tv;Films:movies=/srv/films' }).libraries).toHaveLength(2)
  expect(plain).toMatchObject({
    port: 3000,
    host: '0.0.0.0',
    sessionDays: 30,
    scanOnStart: true,
    dailyBackups: 7,
    mediaRoots: ['/'],
    logLevel: 'info',
  })
})
