/** Arguments and environment → configuration → database → migrations → parts → app → server → ordered shutdown. */

import { join } from 'node:path'
import { DrizzleQueryError } from 'drizzle-orm'
import { createApp } from './app.ts'
import { restoreDatabase } from './backup.ts'
import { type Config, parseConfig } from './config.ts'
import { clearTemporary, isAloneWithData, prepareDataFolder } from './data-folder.ts'
import { withoutEachAway } from './db/away-log.ts'
import { isBusy } from './db/busy.ts'
import { databaseFile, openDatabase } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import type { Deps } from './deps.ts'
import { serverAddress } from './domain/server-address.ts'
import { errorCode, errorMessage } from './domain/thrown-error.ts'
import { AppError } from './errors.ts'
import { ConfigError, checkFlags } from './flags.ts'
import { createClientFiles } from './http/client-files.ts'
import { closingFiles } from './http/file-body.ts'
import { IDLE_TIMEOUT_SECONDS } from './http/unhurried.ts'
import { createLog, type Log } from './log.ts'
import { createParts } from './parts.ts'
import { checkNewLibraries } from './services/flag-libraries.ts'
import { findLibraryAroundData } from './services/library-paths.ts'
import { createAdminIfFirst } from './services/users.ts'

/** None: each route has a limit of its own and says itself what was too large, where Bun would answer without a word. It reads no more than is asked for. */
const MAX_REQUEST_BYTES = Number.MAX_SAFE_INTEGER
const DRAIN_MS = 10_000
const CLIENT_FOLDER = join(import.meta.dir, '../client/dist')

const refuse = (error: ConfigError): never => {
  process.stderr.write(`${error.message}\n`)
  process.exit(2)
}

const readConfig = (): Config => {
  try {
    return parseConfig(process.argv.slice(2), process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return refuse(error)
  }
}

const reasonOf = (error: unknown): string => {
  if (isBusy(error)) return 'another program, such as a restore, has held the database for too long. Start again when it is done.'
  // Of a statement it says the values, such as the hash of a password, and only its cause says why it failed.
  return errorMessage(error instanceof DrizzleQueryError ? error.cause : error)
}

/** What cannot be reached says itself only that it cannot. */
const withServer = ({ databaseUrl }: Config): string =>
  databaseFile(databaseUrl) === null ? ` with the database at ${new URL(databaseUrl).host}` : ''

/** Throws `ConfigError` for a library that is to be made and can never be one. */
const assertNewLibraries = (deps: Pick<Deps, 'config' | 'db'>): Promise<void> =>
  checkNewLibraries(deps).catch((error: unknown) => {
    throw error instanceof AppError ? new ConfigError(`--library, LIBRARIES: ${error.message}`) : error
  })

/** Throws `ConfigError`: everybody who may see such a library could read the database. */
const assertDataApart = async (deps: Pick<Deps, 'config' | 'db'>): Promise<void> => {
  const found = await findLibraryAroundData(deps)
  if (found) throw new ConfigError(`${found.flag}: ${found.path} lies in the folder of the library "${found.library}"; keep it elsewhere`)
}

/** Throws `ConfigError`. */
const listening = <Listener>({ host, port }: Config, listen: () => Listener): Listener => {
  try {
    return listen()
  } catch (error) {
    // Bun says nothing of why where the system knows no address of the name.
    const code = errorCode(error) || 'ENOTFOUND'
    if (code === 'EADDRINUSE') throw new ConfigError(`--port, PORT: ${port} is in use on ${host}`)
    if (code === 'EACCES') throw new ConfigError(`--port, PORT: ${port} may not be used`)
    throw new ConfigError(`--host, HOST: there is no listening on ${host} (${code})`)
  }
}

const serve = (config: Config, fetch: (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>) =>
  listening(config, () =>
    Bun.serve({
      port: config.port,
      hostname: config.host,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      maxRequestBodySize: MAX_REQUEST_BYTES,
      // In its development mode Bun shows sources and paths, to clients and in the log.
      development: false,
      // Outside that mode Bun shares a port with whoever shares theirs: two servers would answer in turn.
      reusePort: false,
      fetch,
    }),
  )

/**
 * A start that cannot listen, as beside a server that runs already, is over before it has touched or migrated anything. A bare socket: the
 * end of a `Bun.serve` collects all garbage. Throws `ConfigError`.
 */
const assertListens = (config: Config): void =>
  listening(config, () =>
    Bun.listen({ port: config.port, hostname: config.host, exclusive: true, socket: { data: () => undefined } }),
  ).stop(true)

/** Only a process that has never opened the database can be sure that it does not hold it any more. */
const RESTORE_FROM = 'VITRINE_RESTORE_FROM'

/** The same program with the same arguments in this very process: a container, npm or a service manager notices nothing. */
const becomeNewWith = (backup: string): void => {
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, command, { ...process.env, [RESTORE_FROM]: backup })
  process.exit(0)
}

/** What the server that this one was has left to do. Where that cannot be, the database stays as it is. */
const restoreIfAsked = async (config: Config, log: Log): Promise<void> => {
  const backup = process.env[RESTORE_FROM]
  const file = databaseFile(config.databaseUrl)
  delete process.env[RESTORE_FROM]
  if (backup === undefined || file === null) return
  try {
    const kept = await restoreDatabase(file, backup)
    log.info('restored', { backup, kept })
  } catch (error) {
    log.error('restore_failed', { backup, error })
  }
}

/** Until there is something to stop in order. Process 1 of a container gets no signal that it does not listen for, and a migration may take minutes. */
let onSignal: (signal: 'SIGTERM' | 'SIGINT') => void = () => process.exit(0)

const start = async (config: Config, log: Log): Promise<void> => {
  assertListens(config)
  const isAlone = await prepareDataFolder(config)
  if (!isAlone) log.warn('another_server_runs', { dataDir: config.dataDir })
  await restoreIfAsked(config, log)
  const database = await openDatabase(config)
  await migrate(database, log)
  database.expectAnswers()
  await assertDataApart({ config, db: database.db })
  await assertNewLibraries({ config, db: database.db })
  if (isAlone) await clearTemporary(config)
  const beginAnewWith = (backup: string): void => {
    if (isStopping) throw new AppError('conflict', 'The server ends already.')
    // Another one may have been started since this one.
    if (database.file === null || !isAloneWithData(config))
      throw new AppError('conflict', 'Another server uses this database too: stop it first.')
    end = () => becomeNewWith(backup)
    void stop('restore')
  }
  const parts = await createParts({ config, database, log }, { isShared: database.file === null || !isAlone, beginAnewWith })
  const { deps } = parts
  const app = createApp({ deps, client: createClientFiles(CLIENT_FOLDER, config.basePath) })

  // Before anybody can ask: the first visitor would be offered to become it.
  if (config.admin) await createAdminIfFirst(deps, config.admin)
  const server = serve(
    config,
    closingFiles((request, self: Bun.Server<undefined>) => app.fetch(request, self)),
  )

  let isStopping = false
  /** What comes after the last write. A signal has the last word. */
  let end = (): void => process.exit(0)
  const stop = async (reason: string): Promise<void> => {
    if (isStopping) return
    isStopping = true
    log.info('stopping', { reason })
    const deadline = setTimeout(() => end(), DRAIN_MS)
    const stopped = parts.stop()
    const drained = server.stop(false)
    await stopped
    await Promise.race([drained, Bun.sleep(DRAIN_MS - 1000)])
    await server.stop(true)
    parts.close()
    await deps.write.idle()
    await database.close().catch((error: unknown) => log.warn('not_stopped_well', { error }))
    clearTimeout(deadline)
    log.info('stopped', {})
    // A signal that has come by now is heard in the next turn only.
    await Bun.sleep(0)
    end()
  }
  onSignal = (signal) => {
    end = () => process.exit(0)
    void stop(signal)
  }

  // What is stopped in its midst has not failed.
  await parts.start().catch((error: unknown) => {
    if (!isStopping) throw error
  })
  if (isStopping) return
  if (process.getuid?.() === 0)
    log.warn('runs_as_root', { advice: 'A user of its own needs to read the libraries and to own the data folder.' })
  const address = serverAddress({ host: config.host, port: server.port, basePath: config.basePath })
  // For the person at the terminal, whatever the log level is; before the log says it, for programs that take the first address.
  process.stdout.write(`Vitrine ${config.version} is ready at ${address}\n`)
  log.info('started', { address, version: config.version })
  // Whoever has asked by now is answered before the work in the background begins.
  await Bun.sleep(0)
  if (!isStopping) parts.wake()
}

checkFlags(process.argv.slice(2))
const config = readConfig()
const log = withoutEachAway(createLog(config.logLevel))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => onSignal(signal))
process.on('unhandledRejection', (error) => log.error('unhandled_rejection', { error }))
start(config, log).catch((error: unknown) => {
  if (error instanceof ConfigError) refuse(error)
  log.error('start_failed', { error })
  process.stderr.write(`Vitrine could not start${withServer(config)}: ${reasonOf(error)}\n`)
  process.exit(1)
})
