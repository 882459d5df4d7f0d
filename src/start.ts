/**
 * `bun run start`: makes the checkout ready, then becomes the server, in this same process so that signals reach it.
 * Runs before the dependencies are there: only what Bun itself brings is imported.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient, compileServer, fail, hasToBeBuilt, installDependencies, REPOSITORY } from './build.ts'
import { ConfigError, checkFlags } from './flags.ts'
import { RUNTIME_SETTINGS } from './runtime-settings.ts'

const checkBunVersion = (): void => {
  const { engines } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
  if (!Bun.semver.satisfies(Bun.version, engines.bun))
    fail(`Vitrine needs Bun ${engines.bun}, this is ${Bun.version}. Try: npx -y bun@${engines.bun.replace(/^\D+/, '')} run start`)
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

const lacksSettings = (env: NodeJS.ProcessEnv): boolean => Object.keys(RUNTIME_SETTINGS).some((name) => env[name] === undefined)

/** As the server would, which is there only once what takes a minute is made. The packages are there. */
const checkValues = async (): Promise<void> => {
  const { parseConfig } = await import('./config.ts')
  try {
    parseConfig(process.argv.slice(2), process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  }
}

checkFlags(process.argv.slice(2))
checkBunVersion()
// They are read when a process begins. Where one cannot begin again, the server does without.
if (lacksSettings(process.env)) beginAgain({ ...RUNTIME_SETTINGS, ...process.env })
// A process remembers which packages it did not find, and its threads would not find them either.
if (await installDependencies()) beginAgain(process.env)
if (hasToBeBuilt()) await checkValues()
await buildClient()
process.env.VITRINE_COMPILED = (await compileServer()) ? '1' : '0'
stopWithNpm()
await import('./main.ts')
