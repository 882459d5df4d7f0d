import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RUNTIME_SETTINGS } from '../src/runtime-settings.ts'
import { AS_ORDINARY_USER, letOrdinaryUserPass } from './support/ordinary-user.ts'
import { type TemporaryFolder, temporaryFolder } from './support/temporary-folder.ts'

const REPOSITORY = join(import.meta.dir, '..')

/** Answers SIGTERM as the server does, with an exit code of 0 after a while, and says that it is up once it would. */
const MAIN = `
process.on('SIGTERM', () => setTimeout(() => { process.stdout.write('drained\\n'); process.exit(0) }, 100))
const { VITRINE_COMPILED, ...env } = process.env
const settings = ${JSON.stringify(Object.keys(RUNTIME_SETTINGS))}.map((name) => env[name])
process.stdout.write('up ' + process.pid + (VITRINE_COMPILED === '1' ? ' compiled' : '') + ' with ' + settings.join(' ') + ': ' + process.argv.slice(2).join(' ') + '\\n')
setInterval(() => undefined, 1000)
`

/** Compiles nothing, in its place. */
const COMPILE = `await Bun.write(import.meta.dir + '/../dist/server.js', '// compiled')`

/** What says whether the values of flags are possible, with what it imports. */
const CONFIG = ['src/config.ts', 'src/log.ts', 'src/http/address-range.ts']

interface Started {
  child: ReturnType<typeof spawnPiped>
  /** Everything on standard output up to now. */
  output: () => string
  stderr: () => Promise<string>
}

const spawnPiped = (command: string[], cwd: string, env: NodeJS.ProcessEnv) =>
  Bun.spawn(command, { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })

const spawnIn = (cwd: string, command: string[], env = process.env): Started => {
  const child = spawnPiped(command, cwd, env)
  const stderr = new Response(child.stderr).text()
  let output = ''
  const decoder = new TextDecoder()
  void child.stdout.pipeTo(
    new WritableStream({
      write: (chunk) => {
        output += decoder.decode(chunk, { stream: true })
      },
    }),
  )
  return { child, output: () => output, stderr: () => stderr }
}

const waitFor = async (isTrue: () => boolean): Promise<void> => {
  for (let attempt = 0; !isTrue() && attempt < 1200; attempt++) await Bun.sleep(50)
  expect(isTrue()).toBe(true)
}

describe('bun run start', () => {
  let folder: TemporaryFolder
  const inFolder = (path: string): string => join(folder.path, path)

  /** A repository of our start.ts, its dependencies as if installed, and a client and a server of three lines. */
  beforeAll(async () => {
    folder = await temporaryFolder('start')
    await mkdir(inFolder('client/src'), { recursive: true })
    await mkdir(inFolder('src'))
    for (const name of [
      'package.json',
      'bun.lock',
      'tsconfig.json',
      'src/start.ts',
      'src/build.ts',
      'src/flags.ts',
      'src/runtime-settings.ts',
      'src/domain',
      ...CONFIG,
    ])
      await cp(join(REPOSITORY, name), inFolder(name), { recursive: true })
    await mkdir(inFolder('node_modules'))
    for (const name of ['vite', 'zod']) await symlink(join(REPOSITORY, 'node_modules', name), inFolder(`node_modules/${name}`))
    const lockfile = await readFile(inFolder('bun.lock'))
    await writeFile(inFolder('node_modules/.installed-lockfile'), new Bun.CryptoHasher('sha256').update(lockfile).digest('hex'))
    await writeFile(inFolder('src/main.ts'), MAIN)
    await writeFile(inFolder('src/compile.ts'), COMPILE)
    await writeFile(inFolder('client/index.html'), '<script type="module" src="/src/main.ts"></script>')
    await writeFile(inFolder('client/src/main.ts'), 'document.title = "first"\n')
    await writeFile(inFolder('client/vite.config.ts'), 'export default { root: import.meta.dirname }\n')
  })

  afterAll(() => folder.remove())

  const startAndStop = async (command: string[], env = process.env): Promise<{ exitCode: number; output: string; stderr: string }> => {
    const { child, output, stderr } = spawnIn(folder.path, command, env)
    await waitFor(() => output().startsWith('up '))
    child.kill('SIGTERM')
    const exitCode = await child.exited
    await waitFor(() => output().includes('drained'))
    return { exitCode, output: output(), stderr: await stderr() }
  }

  test('whoever asks for help is told of the flags, and a flag that is none is refused, before anything is made', async () => {
    const ended = async (...flags: string[]) => {
      const { child, output, stderr } = spawnIn(folder.path, [process.execPath, 'src/start.ts', ...flags])
      return { exitCode: await child.exited, output: output(), stderr: await stderr() }
    }
    for (const flags of [['--help'], ['--port', '0', '--help'], ['-h'], ['help']])
      expect([flags, await ended(...flags)]).toEqual([
        flags,
        { exitCode: 0, output: expect.stringMatching(/--port NUMBER .*\(default: 3000\)[^]*PORT, HOST[^]*README\.md/), stderr: '' },
      ])
    const refusal = { exitCode: 2, output: '', stderr: expect.stringMatching(/^--prot: there is no such flag\. .*\n$/) }
    expect(await ended('--prot', '0')).toEqual(refusal)
    const { child, output } = spawnIn(folder.path, [process.execPath, 'run', 'start', '--help'])
    expect([await child.exited, output()]).toEqual([0, expect.stringContaining('--port NUMBER')])
  })

  test('a value that is not possible is refused before anything is made, and needs no more than the packages', async () => {
    const ended = async (...flags: string[]) => {
      const { child, stderr } = spawnIn(folder.path, [process.execPath, 'src/start.ts', ...flags])
      return [await child.exited, await stderr()]
    }
    expect(await ended('--port', 'none')).toEqual([2, '--port: must be a whole number from 0 to 65535\n'])
    expect(existsSync(inFolder('client/dist'))).toBe(false)
  })

  test('a client that cannot be built ends it with the reason and exit code 1', async () => {
    await writeFile(inFolder('client/src/broken.ts'), 'export const = 1\n')
    await writeFile(inFolder('client/src/main.ts'), 'import "./broken.ts"\n')
    const { child, output, stderr } = spawnIn(folder.path, [process.execPath, 'src/start.ts'])
    expect(await child.exited).toBe(1)
    expect(await stderr()).toContain('Building the client failed')
    expect(await stderr()).toContain('broken.ts')
    expect(output()).toBe('')
    await rm(inFolder('client/src/broken.ts'))
    await writeFile(inFolder('client/src/main.ts'), 'document.title = "first"\n')
  }, 120_000)

  test('a Bun that is too old is refused with the command that works', async () => {
    const packageFile = inFolder('package.json')
    const present = await readFile(packageFile, 'utf8')
    await writeFile(packageFile, present.replace(/"bun": ">=[\d.]+"/, '"bun": ">=99.0.0"'))
    const { child, stderr } = spawnIn(folder.path, [process.execPath, 'src/start.ts'])
    expect(await child.exited).toBe(1)
    expect(await stderr()).toContain('npx -y bun@99.0.0 run start')
    await writeFile(packageFile, present)
  })

  test('builds the client, hands its flags on, and passes SIGTERM and the exit code through', async () => {
    const { exitCode, output, stderr } = await startAndStop([process.execPath, 'run', 'start', '--port', '0', '--data', 'my data'])
    expect(output).toEndWith(` compiled with ${Object.values(RUNTIME_SETTINGS).join(' ')}: --port 0 --data my data\ndrained\n`)
    expect(stderr).toContain('Building the client')
    expect(await Bun.file(inFolder('client/dist/index.html')).exists()).toBe(true)
    expect(exitCode).toBe(0)
  }, 120_000)

  test('whoever has set how many threads there may be has the last word', async () => {
    const { output } = await startAndStop([process.execPath, 'src/start.ts'], { ...process.env, UV_THREADPOOL_SIZE: '7' })
    const { UV_THREADPOOL_SIZE: _, ...others } = RUNTIME_SETTINGS
    expect(output).toContain(` with 7 ${Object.values(others).join(' ')}: `)
  }, 120_000)

  test('builds and compiles again only what of which a source has changed', async () => {
    const said = async (): Promise<string> => (await startAndStop([process.execPath, 'src/start.ts'])).stderr
    expect(await said()).toBe('')
    const later = new Date(Date.now() + 5000)
    await utimes(inFolder('client/src/main.ts'), later, later)
    expect(await said()).toBe('Building the client …\n')
    await utimes(inFolder('src/main.ts'), later, later)
    expect(await said()).toBe('Compiling the server …\n')
    expect(await said()).toBe('')
  }, 120_000)

  test('builds and compiles again what a power cut has left empty', async () => {
    await startAndStop([process.execPath, 'src/start.ts'])
    await writeFile(inFolder('client/dist/index.html'), '')
    await writeFile(inFolder('dist/server.js'), '')
    const { stderr, output } = await startAndStop([process.execPath, 'src/start.ts'])
    expect([stderr, output.includes('compiled')]).toEqual(['Building the client …\nCompiling the server …\n', true])
    expect((await startAndStop([process.execPath, 'src/start.ts'])).stderr).toBe('')
  }, 120_000)

  test('a server that cannot be compiled runs from its sources', async () => {
    await writeFile(inFolder('src/compile.ts'), 'throw new Error("no room")')
    const { exitCode, output, stderr } = await startAndStop([process.execPath, 'src/start.ts'])
    expect(stderr).toContain('no room')
    expect(stderr).toContain('Compiling the server failed')
    expect([exitCode, output.includes('compiled')]).toEqual([0, false])
    await writeFile(inFolder('src/compile.ts'), COMPILE)
  }, 120_000)

  test('builds again when another version is unpacked over it, whose files are older than the build', async () => {
    const main = inFolder('client/src/main.ts')
    await startAndStop([process.execPath, 'src/start.ts'])
    // An archive gives its files the time of the release.
    const released = new Date(Date.now() - 86_400_000)
    await writeFile(main, 'document.title = "second"\n')
    await utimes(main, released, released)
    expect((await startAndStop([process.execPath, 'src/start.ts'])).stderr).toContain('Building')
    expect((await startAndStop([process.execPath, 'src/start.ts'])).stderr).not.toContain('Building')
    // Versions that did not yet keep what they had built it from.
    await rm(inFolder('node_modules/.built-client'))
    expect((await startAndStop([process.execPath, 'src/start.ts'])).stderr).toContain('Building')
  }, 120_000)

  test('takes the client that somebody else has built where whoever starts it may not write', async () => {
    const program = inFolder('bun')
    await copyFile(process.execPath, program)
    await rm(inFolder('node_modules/.built-client'))
    letOrdinaryUserPass(folder.path)
    await chmod(inFolder('client/dist'), 0o555)
    await chmod(inFolder('node_modules'), 0o555)
    const { exitCode, stderr } = await startAndStop([...AS_ORDINARY_USER, program, 'src/start.ts'])
    expect([exitCode, stderr]).toEqual([0, ''])
    await chmod(inFolder('client/dist'), 0o755)
    await chmod(inFolder('node_modules'), 0o755)
  }, 120_000)

  test('takes what "bun run build" has made, and says in a line that it may not make it anew', async () => {
    for (const made of ['client/dist', 'dist', 'node_modules/.built-client']) await rm(inFolder(made), { recursive: true, force: true })
    const build = spawnIn(folder.path, [process.execPath, 'run', 'build'])
    expect([await build.child.exited, await build.stderr()]).toEqual([0, expect.stringContaining('Compiling the server')])
    const program = inFolder('bun')
    await copyFile(process.execPath, program)
    letOrdinaryUserPass(folder.path)
    for (const made of ['client/dist', 'dist', 'node_modules']) await chmod(inFolder(made), 0o555)
    const started = async () => {
      const { exitCode, output, stderr } = await startAndStop([...AS_ORDINARY_USER, program, 'src/start.ts'])
      return { exitCode, isCompiled: output.includes('compiled'), stderr }
    }
    expect(await started()).toEqual({ exitCode: 0, isCompiled: true, stderr: '' })
    const later = new Date(Date.now() + 10_000)
    await utimes(inFolder('src/main.ts'), later, later)
    expect(await started()).toEqual({ exitCode: 0, isCompiled: false, stderr: expect.stringMatching(/^dist may not be written: .*\n$/) })
    for (const made of ['client/dist', 'dist', 'node_modules']) await chmod(inFolder(made), 0o755)
  }, 120_000)

  test('the death of the npm or npx that started it stops the server', async () => {
    const npm = inFolder('npm-cli.js')
    await writeFile(
      npm,
      `import { spawn } from 'node:child_process'\nspawn(process.argv[2], process.argv.slice(3), { stdio: 'inherit' })\n`,
    )
    const outcome = await startAndStop(['node', npm, process.execPath, 'run', 'start'])
    expect(outcome.output).toContain('drained')
  }, 120_000)
})
