/**
 * What is made of a checkout before it is the server: its packages, the client, and the compiled server. `bun run build` makes the last
 * two anew, whatever is there, also for whoever starts them and may not write. Runs before the dependencies are there: only what Bun
 * itself brings is imported.
 */

import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const REPOSITORY = join(import.meta.dir, '..')
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

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

export const fail = (reason: string): never => {
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

/** Answers whether anything had to be installed. */
export const installDependencies = async (): Promise<boolean> => {
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

/** What is there of it may be somebody else's. Where nothing is, its folder is to be made. */
const mayMake = ({ made }: Build): boolean => {
  const folder = dirname(join(REPOSITORY, made))
  if (!existsSync(folder)) return mayWrite(dirname(folder))
  return mayWrite(folder) && readdirSync(folder, { recursive: true, encoding: 'utf8' }).every((name) => mayWrite(join(folder, name)))
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
  return madeAt !== undefined && !mayMake(build) && sourcesOf(build).every(({ mtimeMs }) => mtimeMs <= madeAt)
}

/** Answers why it cannot be made. */
const make = async (build: Build): Promise<string | undefined> => {
  // Before: they may be edited meanwhile.
  const sources = hashOfSources(build)
  const failure = await runBun(build.what, build.command)
  if (failure === undefined) writeFileSync(build.mark, `${sources} ${hashOfMade(build)}`)
  return failure
}

/** Whether the client or the server is still to be made, as far as it can be. */
export const hasToBeBuilt = (): boolean => !(isMade(CLIENT) || isGiven(CLIENT)) || !(isMade(SERVER) || !mayMake(SERVER))

export const buildClient = async (): Promise<void> => {
  if (isMade(CLIENT) || isGiven(CLIENT)) return
  const failure = await make(CLIENT)
  if (failure !== undefined) fail(failure)
}

/** Answers whether it is there. The sources themselves do as well, and take longer to start. */
export const compileServer = async (): Promise<boolean> => {
  if (isMade(SERVER)) return true
  if (!mayMake(SERVER)) {
    say('dist may not be written: the server runs from its sources, and starts more slowly. Its owner makes it by "bun run build".')
    return false
  }
  const failure = await make(SERVER)
  if (failure !== undefined) say(failure)
  return failure === undefined
}

if (import.meta.main) {
  await installDependencies()
  for (const build of [CLIENT, SERVER]) {
    const failure = await make(build)
    if (failure !== undefined) fail(failure)
  }
}
