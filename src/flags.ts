/** The flags of the command line (API.md, 12). Runs before the dependencies are there: no package is imported. */

import { DATABASE_NAME } from './domain/data-names.ts'
import { LIBRARY_TYPES } from './domain/item-type.ts'
import { DEFAULT_HOST, DEFAULT_PORT } from './domain/server-address.ts'
import { errorMessage } from './domain/thrown-error.ts'

/** Each line of the message names a flag or variable and what is wrong with it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

interface FlagFacts {
  /** Its twin in the environment. */
  variable: string
  takes: string
  byDefault: string
  about: string
}

/** The README's table says the same (test/support/readme.test.ts). */
export const FLAGS = {
  port: { variable: 'PORT', takes: 'NUMBER', byDefault: String(DEFAULT_PORT), about: 'where it listens; 0 takes one that is free' },
  host: { variable: 'HOST', takes: 'ADDRESS', byDefault: DEFAULT_HOST, about: 'on which address' },
  data: { variable: 'DATA_DIR', takes: 'DIR', byDefault: './data', about: 'its own folder: database, thumbnails, backups' },
  database: {
    variable: 'DATABASE_URL',
    takes: 'URL',
    byDefault: `file:<data>/${DATABASE_NAME}`,
    about: 'a file, or a libSQL server by http(s):// or libsql://',
  },
  admin: { variable: 'ADMIN_USERNAME', takes: 'NAME:PASSWORD', byDefault: 'none', about: 'made while nobody exists' },
  library: {
    variable: 'LIBRARIES',
    takes: 'TYPE=PATH',
    byDefault: 'none',
    about: `also NAME:TYPE=PATH, and several times; TYPE is one of ${LIBRARY_TYPES.join(', ')}`,
  },
  'media-roots': {
    variable: 'MEDIA_ROOTS',
    takes: 'A:B',
    byDefault: '/, in the image /media',
    about: 'libraries must lie below one of these folders',
  },
  'base-path': { variable: 'BASE_PATH', takes: '/x', byDefault: 'empty', about: 'the path that a reverse proxy serves it below' },
  'trust-proxy': { variable: 'TRUST_PROXY', takes: 'CIDR,…', byDefault: 'none', about: 'whose forwarding headers are believed' },
} as const satisfies Record<string, FlagFacts>
export type Flag = keyof typeof FLAGS

const isFlag = (name: string): name is Flag => Object.hasOwn(FLAGS, name)

/** `--flag value` and `--flag=value`; only `--library` may be given more than once. Throws `ConfigError`. */
export const readFlags = (argv: string[]): Partial<Record<Flag, string[]>> => {
  const flags: Partial<Record<Flag, string[]>> = {}
  const rest = [...argv]
  let last: Flag | undefined
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name = '', attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    // It may be the rest of a password.
    if (last !== undefined && !word.startsWith('-'))
      throw new ConfigError(`--${last}: one word too many follows it; a value with spaces needs quotes`)
    if (!isFlag(name)) {
      const known = Object.keys(FLAGS).map((flag) => `--${flag}`)
      throw new ConfigError(`${word.split('=')[0]}: there is no such flag. The flags are ${known.join(', ')}; --help tells of each.`)
    }
    const value = attached ?? (rest[0]?.startsWith('--') ? undefined : rest.shift())
    if (value === undefined) throw new ConfigError(`--${name}: needs a value`)
    if (flags[name] !== undefined && name !== 'library') throw new ConfigError(`--${name}: is given twice`)
    flags[name] = [...(flags[name] ?? []), value]
    last = name
  }
  return flags
}

/** `-h` may be the value of a flag. */
const asksForHelp = (argv: string[]): boolean => argv.includes('--help') || ['-h', 'help'].includes(argv[0] ?? '')

const helpText = (): string => {
  const lines = Object.entries(FLAGS).map(([name, { takes, byDefault, about }]) => ({
    flag: `--${name} ${takes}`,
    text: `${about} (default: ${byDefault})`,
  }))
  const width = Math.max(...lines.map(({ flag }) => flag.length))
  return [
    'bun run start [--FLAG VALUE …]',
    '',
    ...lines.map(({ flag, text }) => `  ${flag.padEnd(width)}  ${text}`),
    '',
    `In place of a flag a variable of the environment: ${Object.values(FLAGS)
      .map(({ variable }) => variable)
      .join(', ')}. These, and some that have no flag, are told of in README.md, "Flags".`,
    '',
  ].join('\n')
}

/** Ends the process where it is asked for help, or where a flag is none: before anything is made that takes a while. */
export const checkFlags = (argv: string[]): void => {
  if (asksForHelp(argv)) {
    process.stdout.write(helpText())
    process.exit(0)
  }
  try {
    readFlags(argv)
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`)
    process.exit(2)
  }
}
