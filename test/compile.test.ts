import { expect, test } from 'bun:test'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { THREADS } from '../src/jobs/thread-url.ts'
import { runProgram } from './support/program.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const SOURCES = join(import.meta.dir, '../src')

test('several starts of one checkout compile it at once, and none takes from another what that has made', async () => {
  await using folder = await temporaryFolder('compile')
  const inFolder = (path: string): string => join(folder.path, path)
  for (const name of ['src/jobs', 'src/workers']) await mkdir(inFolder(name), { recursive: true })
  for (const name of ['compile.ts', 'jobs/thread-url.ts']) await copyFile(join(SOURCES, name), inFolder(`src/${name}`))
  for (const name of ['server', ...THREADS.map((thread) => `workers/${thread}`)])
    await writeFile(inFolder(`src/${name}.ts`), `process.stdout.write('${name}')`)
  const compileAndRun = async (): Promise<string> => {
    await runProgram([process.execPath, inFolder('src/compile.ts')])
    return (await runProgram([process.execPath, inFolder('dist/server.js')])).toString()
  }
  const answers: string[] = []
  for (let round = 0; round < 3; round++) answers.push(...(await Promise.all([compileAndRun(), compileAndRun(), compileAndRun()])))
  expect(answers).toEqual(Array.from({ length: 9 }, () => 'server'))
})

test('a start loads no module of Node’s that is dear and that it does not need', async () => {
  const compiled = await Bun.file(join(SOURCES, '../dist/server.js')).text()
  // Indented where modules import each other, though a start needs them all the same.
  const imported = [...compiled.matchAll(/^(?:var | {2})import_\w+ = require\("([\w:/-]+)"\)/gm)].map(([, name = '']) => name)
  expect(imported).toContain('fs/promises')
  const dear = ['child_process', 'crypto', 'dns', 'dns/promises', 'http', 'https', 'net', 'tls', 'url', 'util']
  expect(dear.filter((name) => imported.includes(name))).toEqual([])
})
