import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { createAuth } from '../../src/auth/auth.ts'
import type { Config } from '../../src/config.ts'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createWriter } from '../../src/db/writer.ts'
import type { Deps } from '../../src/deps.ts'
import { createClientFiles } from '../../src/http/client-files.ts'
import { createRequestLimits } from '../../src/http/request-limit.ts'
import { createLog } from '../../src/log.ts'
import { createEventBus } from '../../src/services/events.ts'
import { createPlaces } from '../../src/services/places.ts'
import { createAdminIfFirst } from '../../src/services/users.ts'
import { copyFreshIndex } from './fresh-index.ts'
import { type HttpClient, httpClient } from './http-client.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { ADMIN, USER_PASSWORD } from './test-server.ts'

/** Sign-in and people over real HTTP in this process, with a real database: for tests that must also look into the rows. */

export interface TestApp extends AsyncDisposable {
  /** With the base path, without a trailing slash. */
  url: string
  deps: Deps
  database: DatabaseHandle
  /** The lines of the log, parsed. */
  logged: Record<string, unknown>[]
  anonymous: () => HttpClient
  login: (username: string, password: string) => Promise<HttpClient>
  /** The administrator, or a user made for the purpose. */
  as: (username: string, spec?: Record<string, unknown>) => Promise<HttpClient>
}

const CONFIG: Omit<Config, 'dataDir' | 'databaseUrl'> = {
  port: 0,
  host: '127.0.0.1',
  databaseAuthToken: null,
  admin: null,
  libraries: [],
  mediaRoots: ['/'],
  basePath: '',
  trustProxy: [],
  logLevel: 'info',
  sessionDays: 30,
  scanOnStart: false,
  dailyBackups: 0,
  ffmpegPath: null,
  ffprobePath: null,
  ocrDataDir: null,
  version: '0.0.0-test',
}

const outOfReach = (): never => {
  throw new Error('Sign-in has no business with scans and thumbnails')
}

const createDeps = (config: Config, database: DatabaseHandle, logged: Record<string, unknown>[]): Deps => {
  const { db } = database
  const parts = {
    config,
    db,
    write: createWriter(database),
    log: createLog('info', (line) => logged.push(JSON.parse(line))),
  }
  return {
    ...parts,
    events: createEventBus(),
    places: createPlaces(),
    limits: createRequestLimits(),
    auth: createAuth(parts),
    scans: { wake: outOfReach, cancel: outOfReach, reschedule: outOfReach, leaveOut: outOfReach },
    nfoJobs: { wake: outOfReach, begin: outOfReach, outcome: outOfReach },
    removals: { wake: outOfReach, removed: outOfReach, settle: outOfReach, trashEnd: outOfReach },
    aiQueue: {
      wake: outOfReach,
      cancelled: outOfReach,
      withNoneAhead: outOfReach,
      settingsChanged: outOfReach,
      reload: outOfReach,
      state: outOfReach,
      waitingFor: outOfReach,
    },
    // Nothing is kept here that was not.
    upkeep: { entriesMissed: () => undefined },
    pages: { list: outOfReach, read: outOfReach, readPicture: outOfReach },
    uploads: { encode: outOfReach },
    subtitles: { asVtt: outOfReach },
    thumbnails: { get: outOfReach, findKept: outOfReach, hashesOf: outOfReach, wake: outOfReach, state: outOfReach },
    media: { probe: outOfReach, subtitles: outOfReach, preview: outOfReach, copiedPieces: outOfReach, wake: outOfReach },
    hls: {
      open: outOfReach,
      find: outOfReach,
      playlist: outOfReach,
      init: outOfReach,
      piece: outOfReach,
      close: outOfReach,
    },
    beginAnewWith: outOfReach,
  }
}

export const startTestApp = async ({
  admin = true,
  ...config
}: Partial<Omit<Config, 'admin'>> & { admin?: boolean } = {}): Promise<TestApp> => {
  const folder = await temporaryFolder('sign-in')
  const full: Config = { ...CONFIG, dataDir: folder.path, databaseUrl: `file:${join(folder.path, 'vitrine.db')}`, ...config }
  await copyFreshIndex(join(folder.path, 'vitrine.db'))
  const database = await openDatabase(full)
  await migrate(database, createLog('error'))
  const logged: Record<string, unknown>[] = []
  const deps = createDeps(full, database, logged)
  if (admin) await createAdminIfFirst(deps, ADMIN)
  const app = createApp({ deps, client: createClientFiles(join(folder.path, 'no-client'), full.basePath) })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request, own) => app.fetch(request, own) })
  const url = `http://127.0.0.1:${server.port}${full.basePath}`

  const login = async (username: string, password: string): Promise<HttpClient> => {
    const client = httpClient(url)
    const { status, body } = await client.post('/api/auth/login', { username, password })
    if (status !== 200) throw new Error(`${username} could not sign in: ${status} ${JSON.stringify(body)}`)
    return client
  }
  const as = async (username: string, spec: Record<string, unknown> = {}): Promise<HttpClient> => {
    if (username === ADMIN.username) return login(username, ADMIN.password)
    const { status, body } = await (await login(ADMIN.username, ADMIN.password)).post('/api/users', {
      username,
      password: USER_PASSWORD,
      ...spec,
    })
    if (status !== 201) throw new Error(`${username} could not be made: ${status} ${JSON.stringify(body)}`)
    return login(username, USER_PASSWORD)
  }
  const end = async (): Promise<void> => {
    await server.stop(true)
    await deps.write.idle()
    await database.close()
    await folder.remove()
  }
  // Of a test that has failed before, a SuppressedError tells neither.
  const stop = (): Promise<void> =>
    end().catch((error: unknown) => {
      console.error('The application of a test could not be ended:', error)
      throw error
    })
  return { url, deps, database, logged, anonymous: () => httpClient(url), login, as, [Symbol.asyncDispose]: stop }
}
