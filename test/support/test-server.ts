import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { Permissions, Role } from '../../src/domain/permissions.ts'
import { FLAGS } from '../../src/flags.ts'
import { RUNTIME_SETTINGS } from '../../src/runtime-settings.ts'
import { copyFreshIndex } from './fresh-index.ts'
import { type HttpClient, httpClient, type Json } from './http-client.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The real server as a process of its own, reached through its port and its signals alone. */

const REPOSITORY = join(import.meta.dir, '../..')
const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 15_000
const SCAN_LIMIT_MS = 120_000
const POLL_INTERVAL_MS = 25
/** After seconds of waiting: whoever asks forty times a second for long keeps the server busy with answers. */
const LATE_INTERVAL_MS = 100
/** Of the time waited so far, the part that may pass unseen. */
const UNSEEN = 1 / 40

export const ADMIN = { username: 'admin', password: 'password1' }
/** The password of everybody whom `as` makes. */
export const USER_PASSWORD = 'password of a user'

interface ServerSpec {
  libraries?: { type: LibraryType; path: string; name?: string }[]
  /** The first administrator; null starts a server that waits for its setup. */
  admin?: { username: string; password: string } | null
  env?: Record<string, string>
  /** A data folder that outlives the server; without it a temporary one goes when the server stops. */
  dataDir?: string
  /** An empty data folder gets an empty index first, which spares the server making one; a temporary one does so anyway. */
  hasIndex?: boolean
  /** For a server that is to come back at its address; otherwise any that is free. */
  port?: number
  args?: string[]
  /** Another Bun than the one that runs the tests: whom modes bind may not see that one. */
  program?: string
  /** A program that starts the server, e.g. `['setpriv', '--reuid=65534', …]`; it must replace itself by it. */
  prefix?: string[]
}

interface UserSpec {
  role?: Role
  permissions?: Partial<Permissions>
  libraryIds?: number[] | null
}

export interface TestServer extends AsyncDisposable {
  /** The base address, without a trailing slash. */
  url: string
  pid: number
  dataDir: string
  /** Nobody: a client without a session. */
  anonymous: HttpClient
  login: (username: string, password: string) => Promise<HttpClient>
  /** The administrator, or a user who is made on first use (later calls ignore `spec`). */
  as: (username: string, spec?: UserSpec) => Promise<HttpClient>
  /** Scans one library, waits for the end, and answers the scan. */
  scanAndWait: (libraryId: number) => Promise<Json>
  /** Waits until no scan is queued or running. */
  waitForScans: () => Promise<void>
  /** What the server has written so far, both streams. */
  output: () => string
  /** SIGTERM; throws where the server does not end with 0 in time. */
  stop: () => Promise<void>
  /** SIGKILL, as a power cut would. The data folder stays until `stop`. */
  kill: () => Promise<void>
  exited: Promise<number>
}

/** Where the log line that says "started" has its address. */
const ADDRESS = /"address":"(?<address>https?:\/\/[^"]+?)\/?"/

const isSettled = (scan: { status: string }): boolean => scan.status !== 'queued' && scan.status !== 'running'

interface Collected {
  text: () => string
  /** Settles when the streams have ended. */
  ended: Promise<unknown>
}

export const collect = (streams: ReadableStream<Uint8Array>[]): Collected => {
  let text = ''
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
  }
  return { text: () => text, ended: Promise.all(streams.map(read)) }
}

/** Asks until the answer is something; throws with `explain()` when the time is up. */
export const waitFor = async <Value>(
  ask: () => Promise<Value | undefined> | Value | undefined,
  limitMs: number,
  explain: () => string,
): Promise<Value> => {
  const begin = Date.now()
  for (;;) {
    const value = await ask()
    if (value !== undefined) return value
    const waitedMs = Date.now() - begin
    if (waitedMs > limitMs) throw new Error(explain())
    await Bun.sleep(Math.min(Math.max(waitedMs * UNSEEN, POLL_INTERVAL_MS), LATE_INTERVAL_MS))
  }
}

/** The server's command line: flags of API.md 12. */
const serverArguments = (dataDir: string, { libraries = [], admin = ADMIN, port = 0, args = [] }: ServerSpec): string[] => [
  ...['--port', String(port), '--host', '127.0.0.1', '--data', dataDir],
  ...(admin === null ? [] : ['--admin', `${admin.username}:${admin.password}`]),
  ...libraries.flatMap(({ type, path, name }) => ['--library', name === undefined ? `${type}=${path}` : `${name}:${type}=${path}`]),
  ...args,
]

/** What the server under test has of the environment of the tests: where files go, and how the engine is to work. */
const isPassedOn = (name: string): boolean => /^(TMPDIR|VITRINE_COMPILED|MIMALLOC_PURGE_DELAY|BUN_JSC_.*)$/.test(name)

const environment = (given: Record<string, string> = {}): Record<string, string> => {
  const { PATH = '', HOME = '/tmp' } = process.env
  const passedOn = Object.entries(process.env).flatMap(([name, value]) => (value !== undefined && isPassedOn(name) ? [[name, value]] : []))
  // Bun reads the file `.env` of whoever runs the tests, but for what is set already; empty is as good as not set.
  const unset = Object.values(FLAGS).flatMap(({ variable }) => [[variable, '']])
  // As in the container, and as `bun run start` has it.
  return {
    PATH,
    HOME,
    ...Object.fromEntries([...unset, ['ADMIN_PASSWORD', '']]),
    ...RUNTIME_SETTINGS,
    ...Object.fromEntries(passedOn),
    LOG_LEVEL: 'info',
    ...given,
  }
}

export const startServer = async (spec: ServerSpec = {}): Promise<TestServer> => {
  const ownFolder = spec.dataDir === undefined ? await temporaryFolder('data') : undefined
  const dataDir = spec.dataDir ?? join(ownFolder?.path ?? '', 'data')
  const index = join(dataDir, 'vitrine.db')
  // Whoever is somebody else by a prefix could not write to it.
  const getsIndex = spec.hasIndex ?? (ownFolder !== undefined && spec.prefix === undefined)
  if (getsIndex && !existsSync(index)) await copyFreshIndex(index, spec.admin === undefined ? ADMIN : undefined)
  const child = Bun.spawn([...(spec.prefix ?? []), spec.program ?? process.execPath, 'src/main.ts', ...serverArguments(dataDir, spec)], {
    cwd: REPOSITORY,
    env: environment(spec.env),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const written = collect([child.stdout, child.stderr])
  const output = written.text
  const explain = (what: string): string => `${what}; the server wrote:\n${output()}`

  const findUrl = async (): Promise<string | undefined> => {
    if (child.exitCode !== null) {
      await written.ended
      throw new Error(explain(`The server ended with ${child.exitCode} before it was ready`))
    }
    return ADDRESS.exec(output())?.groups?.address
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await child.exited
  }
  const ready = async (): Promise<string> => {
    const found = await waitFor(findUrl, START_LIMIT_MS, () => explain('The server printed no address'))
    const isHealthy = async (): Promise<true | undefined> => ((await fetch(`${found}/api/health`)).ok ? true : undefined)
    await waitFor(isHealthy, START_LIMIT_MS, () => explain('The server never became healthy'))
    return found
  }
  const url = await ready().catch(async (error: unknown) => {
    await kill()
    await ownFolder?.remove()
    throw error
  })

  const stop = async (): Promise<void> => {
    const wasRunning = child.exitCode === null && child.signalCode === null
    child.kill('SIGTERM')
    const isLate = Symbol('late')
    const outcome = await Promise.race([child.exited, Bun.sleep(STOP_LIMIT_MS).then(() => isLate)])
    if (outcome === isLate) await kill()
    await ownFolder?.remove()
    if (wasRunning && outcome !== 0)
      throw new Error(explain(outcome === isLate ? 'The server did not stop' : `The server ended with ${child.exitCode}`))
  }

  const login = async (username: string, password: string): Promise<HttpClient> => {
    const client = httpClient(url)
    const { status, body } = await client.post('/api/auth/login', { username, password })
    if (status !== 200) throw new Error(explain(`${username} could not sign in: ${status} ${JSON.stringify(body)}`))
    return client
  }
  const signedIn = new Map<string, Promise<HttpClient>>()
  const admin = spec.admin ?? ADMIN
  const signInOrMake = async (username: string, user: UserSpec): Promise<HttpClient> => {
    if (username === admin.username) return login(username, admin.password)
    const { status, body } = await (await as(admin.username)).post('/api/users', { username, password: USER_PASSWORD, ...user })
    if (status !== 201 && status !== 409) throw new Error(explain(`${username} could not be made: ${status} ${JSON.stringify(body)}`))
    return login(username, USER_PASSWORD)
  }
  const as = (username: string, user: UserSpec = {}): Promise<HttpClient> => {
    const client = signedIn.get(username) ?? signInOrMake(username, user)
    signedIn.set(username, client)
    return client
  }

  const scanAndWait = async (libraryId: number): Promise<Json> => {
    const client = await as(admin.username)
    const started = await client.post('/api/scans', { libraryId })
    if (started.status !== 202) throw new Error(explain(`The scan did not start: ${started.status} ${JSON.stringify(started.body)}`))
    const [{ id }] = started.body.scans
    const findSettled = async (): Promise<Json> => {
      const { scan } = (await client.get(`/api/scans/${id}`)).body
      return isSettled(scan) ? scan : undefined
    }
    return waitFor(findSettled, SCAN_LIMIT_MS, () => explain(`Scan ${id} did not end`))
  }
  const waitForScans = async (): Promise<void> => {
    const client = await as(admin.username)
    const areSettled = async (): Promise<true | undefined> => {
      const { scans } = (await client.get('/api/scans', { limit: 100 })).body
      return scans.every(isSettled) ? true : undefined
    }
    await waitFor(areSettled, SCAN_LIMIT_MS, () => explain('The scans did not end'))
  }

  return {
    url,
    pid: child.pid,
    dataDir,
    anonymous: httpClient(url),
    login,
    as,
    scanAndWait,
    waitForScans,
    output,
    stop,
    kill,
    exited: child.exited,
    [Symbol.asyncDispose]: stop,
  }
}
