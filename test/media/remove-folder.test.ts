import { expect, test } from 'bun:test'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { AS_ORDINARY_USER, giveToOrdinaryUser, letOrdinaryUserPass } from '../support/ordinary-user.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROGRAM = join(import.meta.dir, 'removal-process.ts')

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('folders that may not be written into are removed too, and what a link leads to that takes the place of one keeps its mode', async () => {
  await using folder = await temporaryFolder('remove-folder')
  letOrdinaryUserPass(folder.path)
  const place = join(folder.path, 'library')
  makeTree(place, Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`film/part ${n}/a.mkv`, 1])))
  mkdirSync(join(place, 'others/inside'), { recursive: true })
  for (const name of readdirSync(join(place, 'film'))) chmodSync(join(place, 'film', name), 0o500)
  await giveToOrdinaryUser(place)
  await runProgram([...AS_ORDINARY_USER, process.execPath, PROGRAM, place])
  expect(existsSync(join(place, 'film'))).toBe(false)
  expect(lstatSync(join(place, 'away')).isDirectory()).toBe(true)
  expect([modeOf(join(place, 'others')), modeOf(join(place, 'others/inside'))]).toEqual(['755', '755'])
})
