/** One JSON line an event on standard output. `JSON.stringify` escapes control characters, so a file name cannot forge a line. */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
type LogFields = Record<string, unknown>

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** U+2028, U+2029 and bidirectional controls pass through JSON unescaped, and confuse a terminal that shows the line. */
const CONFUSING = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escapeConfusing = (line: string): string => line.replace(CONFUSING, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Characters. Stacks have some thousand. */
const MAX_TEXT = 8_000

/** drizzle tells the values of a statement that failed: hashes of passwords, and what people have written. They may look like anything. */
const withoutValues = (text: string): string => (text.split('\nparams: ', 1)[0] ?? '').slice(0, MAX_TEXT)

/** A stack begins with the message. */
const describeError = ({ message, stack = '', cause }: Error): LogFields => ({
  message: withoutValues(message),
  stack: withoutValues(stack.replace(message, () => withoutValues(message))),
  ...(cause instanceof Error ? { cause: describeError(cause) } : {}),
})

const replacer = (_key: string, value: unknown): unknown => {
  if (value instanceof Error) return describeError(value)
  return typeof value === 'bigint' ? Number(value) : value
}

export const createLog = (level: LogLevel, write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)): Log => {
  const threshold = LOG_LEVELS.indexOf(level)
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (event: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(name) < threshold) return
      write(escapeConfusing(JSON.stringify({ time: new Date().toISOString(), level: name, event, ...fields }, replacer)))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
