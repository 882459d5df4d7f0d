import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

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
