import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import packageJson from '../package.json' with { type: 'json' }
import { cleanBasePath } from './domain/base-path.ts'
import { DATABASE_NAME } from './domain/data-names.ts'
import { isLibraryType, LIBRARY_TYPES, type LibraryType } from './domain/item-type.ts'
import { passwordProblem } from './domain/password.ts'
import { DEFAULT_HOST, DEFAULT_PORT } from './domain/server-address.ts'
import { tagNameProblem } from './domain/tag-name.ts'
import { cleanUsername, usernameProblem } from './domain/username.ts'
import { ConfigError, FLAGS, type Flag, readFlags } from './flags.ts'
import { parseAddressRange } from './http/address-range.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'

/** Everything that flags and environment decide (API.md, 12). Paths are absolute. */
export interface Config {
  port: number
  host: string
  dataDir: string
  /** `file:…`, `http(s)://…` or `libsql://…`. */
  databaseUrl: string
  databaseAuthToken: string | null
  admin: { username: string; password: string } | null
  /** `isNamed`: by the flag itself, and not after its folder. */
  libraries: { name: string; isNamed: boolean; type: LibraryType; path: string }[]
  mediaRoots: string[]
  /** Empty, or `/x` without a trailing slash. */
  basePath: string
  /** CIDR ranges whose forwarding headers are believed. */
  trustProxy: string[]
  logLevel: LogLevel
  sessionDays: number
  scanOnStart: boolean
  /** How many of them are kept, beside those of earlier weeks; 0 makes none. */
  dailyBackups: number
  ffmpegPath: string | null
  ffprobePath: string | null
  ocrDataDir: string | null
  version: string
}

type Environment = Record<string, string | undefined>

const PORT_MAX = 65_535
const SESSION_DAYS_MAX = 3650
const DEFAULT_SESSION_DAYS = 30

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, `must be a whole number from ${min} to ${max}`)
    .transform(Number)

const path = z
  .string()
  .refine((text) => text !== '' && !text.includes('\0'), 'must be a path')
  .transform((text) => resolve(text))

const list = (separator: string) =>
  z.string().transform((text) =>
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

const username = z
  .string({ error: 'needs a name' })
  .transform(cleanUsername)
  .superRefine((name, context) => {
    const problem = usernameProblem(name)
    if (problem !== undefined) context.addIssue(`the name is not possible: ${problem}`)
  })

const password = z.string({ error: 'needs a password' }).superRefine((text, context) => {
  const problem = passwordProblem(text)
  if (problem !== undefined) context.addIssue(`the password is not possible: ${problem}`)
})

/** Without the brackets that an address has around it in a URL: a bare socket knows none. */
const host = z
  .string()
  .regex(/^(?:[\w.-]+|[\da-fA-F:.]+(?:%\w+)?|\[[\da-fA-F:.]+(?:%\w+)?\])$/, 'must be a host name or an address')
  .transform((text) => text.replace(/^\[|\]$/g, ''))

/** `new URL('file:x.db')` takes the relative path for an absolute one, so it is taken apart by hand. */
const absoluteFileUrl = (url: string): string | undefined => {
  const match = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(url)
  if (match?.[1] === undefined || match[1].startsWith('//') || match[1].startsWith(':memory:')) return undefined
  try {
    return Bun.pathToFileURL(resolve(decodeURIComponent(match[1]))).href
  } catch {
    return undefined
  }
}

const databaseUrl = z.string().transform((url, context) => {
  const absolute = url.startsWith('file:')
    ? absoluteFileUrl(url)
    : /^(?:https?|libsql):\/\/[^/]/.test(url) && URL.canParse(url)
      ? url
      : undefined
  if (absolute !== undefined) return absolute
  context.addIssue('must be file:PATH, http://…, https://… or libsql://…')
  return z.NEVER
})

const basePath = z
  .string()
  .refine((text) => /^\/*(?:[\w~-][\w.~-]*(?:\/+|$))*$/.test(text), 'must be a path like /media or /home/media')
  .transform(cleanBasePath)

const trustProxy = list(',').transform((texts, context) =>
  texts.flatMap((text) => {
    const range = parseAddressRange(text)
    if (range) return [`${range.address}/${range.prefix}`]
    context.addIssue(`${JSON.stringify(text)} is no address or CIDR range such as 10.0.0.0/8`)
    return []
  }),
)

/** The first `TYPE=` decides, so that a name and a path may hold colons and equals signs. */
const LIBRARY = new RegExp(`^(?:(.*?):)??(${LIBRARY_TYPES.join('|')})=(.+)$`, 's')

const libraries = z.array(z.string()).transform((texts, context) =>
  texts.flatMap((text) => {
    const [, given, type = '', folder = ''] = LIBRARY.exec(text) ?? []
    if (isLibraryType(type) && !folder.includes('\0')) {
      const root = resolve(folder)
      const folderName = basename(root).trim()
      // A folder may be called what a library cannot be.
      const givenName = given?.trim() ?? ''
      const name = givenName || (tagNameProblem(folderName) === undefined ? folderName : type)
      const problem = tagNameProblem(name)
      if (problem !== undefined) context.addIssue(`${JSON.stringify(text)}: the name ${JSON.stringify(name)} is not possible: ${problem}`)
      return [{ name, isNamed: givenName !== '', type, path: root }]
    }
    context.addIssue(`${JSON.stringify(text)} must be TYPE=PATH or NAME:TYPE=PATH, where TYPE is one of ${LIBRARY_TYPES.join(', ')}`)
    return []
  }),
)

const oneOf = <const T extends string>(values: readonly T[]) => z.enum(values, { error: `must be one of ${values.join(', ')}` })

const yesOrNo = z
  .string()
  .toLowerCase()
  .pipe(oneOf(['0', '1', 'false', 'true']))
  .transform((text) => text === '1' || text === 'true')

const program = (searchPath: string | undefined) =>
  z.string().transform((name, context) => {
    const found = Bun.which(name, { PATH: searchPath ?? '' })
    if (found === null) context.addIssue(`${JSON.stringify(name)} is no program that can be run`)
    return found
  })

const folder = path.refine((text) => statSync(text, { throwIfNoEntry: false })?.isDirectory(), 'must be a folder that exists')

/** The image sets VITRINE_CONTAINER; in any other container, such as a development one, every folder is allowed. */
const defaultMediaRoots = (env: Environment): string => (env.VITRINE_CONTAINER === '1' ? '/media' : '/')

const schemaFor = (env: Environment) =>
  z.object({
    port: wholeNumber(0, PORT_MAX).default(DEFAULT_PORT),
    host: host.default(DEFAULT_HOST),
    dataDir: path.prefault(FLAGS.data.byDefault),
    databaseUrl: databaseUrl.optional(),
    databaseAuthToken: z.string().nullable(),
    username: username.nullable(),
    password: password.nullable(),
    libraries,
    mediaRoots: list(':').pipe(z.array(path).min(1, 'must name at least one folder')).prefault(defaultMediaRoots(env)),
    basePath: basePath.default(''),
    trustProxy: trustProxy.prefault(''),
    logLevel: oneOf(LOG_LEVELS).default('info'),
    sessionDays: wholeNumber(1, SESSION_DAYS_MAX).default(DEFAULT_SESSION_DAYS),
    scanOnStart: yesOrNo.default(true),
    dailyBackups: wholeNumber(0, 365).default(7),
    ffmpegPath: program(env.PATH).default(Bun.which('ffmpeg', { PATH: env.PATH ?? '' })),
    ffprobePath: program(env.PATH).default(Bun.which('ffprobe', { PATH: env.PATH ?? '' })),
    ocrDataDir: folder.optional(),
  })

interface Source {
  value: unknown
  /** How the message names it. */
  label: string
}

const collectSources = (flags: Partial<Record<Flag, string[]>>, env: Environment): Record<string, Source> => {
  // Compose files pass variables that are not set on as empty ones.
  const variable = (name: string): Source => ({ value: env[name] === '' ? undefined : env[name], label: name })
  const either = (flag: Flag): Source => (flags[flag] ? { value: flags[flag][0], label: `--${flag}` } : variable(FLAGS[flag].variable))
  const admin = flags.admin?.[0]
  const [username, password] = [variable('ADMIN_USERNAME'), variable('ADMIN_PASSWORD')]
  const hasAdminVariables = username.value !== undefined || password.value !== undefined
  const orNull = (source: Source): Source => (hasAdminVariables ? source : { ...source, value: null })
  return {
    port: either('port'),
    host: either('host'),
    dataDir: either('data'),
    databaseUrl: either('database'),
    databaseAuthToken: { value: env.DATABASE_AUTH_TOKEN || null, label: 'DATABASE_AUTH_TOKEN' },
    username: admin === undefined ? orNull(username) : { value: admin.split(':')[0], label: '--admin' },
    password: admin === undefined ? orNull(password) : { value: /:(.*)/s.exec(admin)?.[1], label: '--admin' },
    libraries: flags.library
      ? { value: flags.library, label: '--library' }
      : {
          value: (env.LIBRARIES ?? '')
            .split(';')
            .map((text) => text.trim())
            .filter((text) => text !== ''),
          label: 'LIBRARIES',
        },
    mediaRoots: either('media-roots'),
    basePath: either('base-path'),
    trustProxy: either('trust-proxy'),
    logLevel: variable('LOG_LEVEL'),
    sessionDays: variable('SESSION_DAYS'),
    scanOnStart: variable('SCAN_ON_START'),
    dailyBackups: variable('DAILY_BACKUPS'),
    ffmpegPath: variable('FFMPEG_PATH'),
    ffprobePath: variable('FFPROBE_PATH'),
    ocrDataDir: variable('OCR_DATA_DIR'),
  }
}

/** Throws `ConfigError`. Relative paths start at the working directory. */
export const parseConfig = (argv: string[], env: Environment): Config => {
  const sources = collectSources(readFlags(argv), env)
  const given = Object.fromEntries(Object.entries(sources).map(([key, { value }]) => [key, value]))
  // To compile a schema that is used once takes longer than everything else here.
  const parsed = schemaFor(env).safeParse(given, { jitless: true })
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map(({ path: [key], message }) => `${sources[String(key)]?.label}: ${message}`).join('\n'))
  const { username, password, ...values } = parsed.data
  return {
    ...values,
    databaseUrl: values.databaseUrl ?? Bun.pathToFileURL(join(values.dataDir, DATABASE_NAME)).href,
    admin: username !== null && password !== null ? { username, password } : null,
    ocrDataDir: values.ocrDataDir ?? null,
    version: packageJson.version,
  }
}
