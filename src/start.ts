/**
 * `bun run start`: makes the checkout ready, then becomes the server, in this same process so that signals reach it.
 * Runs before the dependencies are there: only what Bun itself brings is imported.
 */

import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const REPOSITORY = join(import.meta.dir, '..')
const LOCKFILE = join(REPOSITORY, 'bun.lock')
/** The hash of the lockfile that node_modules was installed from: modification times do not survive a checkout. */
const INSTALLED = join(REPOSITORY, 'node_modules/.installed-lockfile')

/** What is made of the sources. */
interface Build {
  what: string
  /** Of `bun`. */
  command: string[]
  /** Its last file, in a folder that is all its own. */
  made: string
  /** The hashes of what it was made from, and of what was made, as far as they can be seen without reading them. */
  mark: string
  sources: string[]
}

const PACKAGES = ['package.json', 'bun.lock']

const CLIENT: Build = {
  what: 'Building the client',
  command: ['node_modules/vite/bin/vite.js', 'build', '--config', 'client/vite.config.ts'],
  made: 'client/dist/index.html',
  mark: join(REPOSITORY, 'node_modules/.built-client'),
  // `src/domain` runs in the browser too.
  sources: ['client/src', 'client/public', 'client/index.html', 'client/vite.config.ts', 'src/domain', ...PACKAGES],
}

const SERVER: Build = {
  what: 'Compiling the server',
  command: ['src/compile.ts'],
  made: 'dist/server.js',
  mark: join(REPOSITORY, 'dist/.compiled-from'),
  sources: ['src', ...PACKAGES],
}

/**
 * Bun reads files and hashes passwords with as many threads as there are cores, and a disk that hangs keeps each one that asks
 * about it: two such questions would stop a whole server. One that is never needed is never made.
 */
const THREADS = '64'

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const fail = (reason: string): never => {
  say(reason)
  process.exit(1)
}

/** Runs Bun with `args`; answers its output where it fails. */
const runBun = async (what: string, args: string[]): Promise<string | undefined> => {
  say(`${what} …`)
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: REPOSITORY,
    env: { ...process.env, NO_COLOR: '1' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
  return exitCode === 0 ? undefined : `${stdout}${stderr}\n${what} failed (exit code ${exitCode}).`
}

const checkBunVersion = (): void => {
  const { engines } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
  if (!Bun.semver.satisfies(Bun.version, engines.bun))
    fail(`Vitrine needs Bun ${engines.bun}, this is ${Bun.version}. Try: npx -y bun@${engines.bun.replace(/^\D+/, '')} run start`)
}

/** Answers whether anything had to be installed. */
const installDependencies = async (): Promise<boolean> => {
  const wanted = createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === wanted) return false
  const failure = await runBun('Installing the dependencies', ['install', '--frozen-lockfile'])
  if (failure !== undefined) fail(failure)
  writeFileSync(INSTALLED, wanted)
  return true
}

interface FoundFile {
  path: string
  size: number
  mtimeMs: number
}

const listFiles = (path: string): FoundFile[] => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory())
    return readdirSync(path)
      .toSorted()
      .flatMap((name) => listFiles(join(path, name)))
  return stats === undefined ? [] : [{ path, size: stats.size, mtimeMs: stats.mtimeMs }]
}

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const sourcesOf = ({ sources }: Build): FoundFile[] => sources.flatMap((source) => listFiles(join(REPOSITORY, source)))

const hashOf = (lines: string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex')

/** Times alone say too little: an archive of another version gives its files that of the release, which may lie before the build. */
const hashOfSources = (build: Build): string =>
  hashOf([`${REPOSITORY} ${Bun.version}`, ...sourcesOf(build).map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`)])

/** After a power cut files may be empty that were written before their mark. */
const hashOfMade = ({ made, mark }: Build): string =>
  hashOf(listFiles(dirname(join(REPOSITORY, made))).flatMap(({ path, size }) => (path === mark ? [] : [`${path} ${size}`])))

const isMade = (build: Build): boolean =>
  existsSync(build.mark) && readFileSync(build.mark, 'utf8') === `${hashOfSources(build)} ${hashOfMade(build)}`

/** Where somebody else has made it by hand, for whoever starts it to read alone, the times have to do. */
const isGiven = (build: Build): boolean => {
  const made = join(REPOSITORY, build.made)
  const madeAt = statSync(made, { throwIfNoEntry: false })?.mtimeMs
  return madeAt !== undefined && !mayWrite(dirname(made)) && sourcesOf(build).every(({ mtimeMs }) => mtimeMs <= madeAt)
}

/** Answers why it cannot be made. */
const make = async (build: Build): Promise<string | undefined> => {
  // Before: they may be edited meanwhile.
  const sources = hashOfSources(build)
  const failure = await runBun(build.what, build.command)
  if (failure === undefined) writeFileSync(build.mark, `${sources} ${hashOfMade(build)}`)
  return failure
}

const buildClient = async (): Promise<void> => {
  if (isMade(CLIENT) || isGiven(CLIENT)) return
  const failure = await make(CLIENT)
  if (failure !== undefined) fail(failure)
}

/** Answers whether it is there. The sources themselves do as well, and take longer to start. */
const compileServer = async (): Promise<boolean> => {
  if (isMade(SERVER)) return true
  if (!mayWrite(REPOSITORY)) return false
  const failure = await make(SERVER)
  if (failure !== undefined) say(failure)
  return failure === undefined
}

interface ProcessStatus {
  /** One letter; `Z` is one that has ended and whose parent has not looked yet. */
  state: string
  parent: number
  /** With its arguments. */
  command: string
}

/** Undefined where there is no such process, where it is hidden (`hidepid`), and on systems without /proc. See proc_pid_stat(5): the name in brackets may hold anything. */
const findProcess = (pid: number): ProcessStatus | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, state = '', parent = ''] = stat.slice(stat.lastIndexOf(')')).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { state, parent: Number(parent), command }
  } catch {
    return undefined
  }
}

const findNpmAbove = (pid: number): number | undefined => {
  const parent = findProcess(pid)?.parent ?? 0
  if (parent <= 1) return undefined
  const command = findProcess(parent)?.command ?? ''
  return /^npm |np[mx]-cli\.js/.test(command) ? parent : findNpmAbove(parent)
}

const NPM_POLL_INTERVAL_MS = 250

/** `bun run` hands signals on, but npm and npx die of theirs and leave the server running: their death is its SIGTERM. */
const stopWithNpm = (): void => {
  const npm = findNpmAbove(process.pid)
  if (npm === undefined) return
  const timer = setInterval(() => {
    if ((findProcess(npm)?.state ?? 'Z') !== 'Z') return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, NPM_POLL_INTERVAL_MS)
  timer.unref()
}

/** As the same process, so that signals still reach it. */
const beginAgain = (env: NodeJS.ProcessEnv): void =>
  process.execve?.(process.execPath, [process.execPath, import.meta.path, ...process.argv.slice(2)], env)

checkBunVersion()
// How many there may be is read when a process begins.
if (process.env.UV_THREADPOOL_SIZE === undefined) beginAgain({ ...process.env, UV_THREADPOOL_SIZE: THREADS })
// A process remembers which packages it did not find, and its threads would not find them either.
if (await installDependencies()) beginAgain(process.env)
await buildClient()
process.env.VITRINE_COMPILED = (await compileServer()) ? '1' : '0'
stopWithNpm()
await import('./main.ts')
