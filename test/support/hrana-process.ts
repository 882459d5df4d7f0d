/**
 * A libSQL server in small: Hrana 2 over HTTP in front of one SQLite file, so that everything that talks to a remote
 * database is tested against a server of its own, in a process of its own. Started by hrana-server.ts with the file and
 * the token to ask for as arguments; prints its port.
 *
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_2_SPEC.md
 */

import Connection from 'libsql'
import { z } from 'zod'

const valueSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('null') }),
  z.object({ type: z.literal('integer'), value: z.string() }),
  z.object({ type: z.literal('float'), value: z.number() }),
  z.object({ type: z.literal('text'), value: z.string() }),
  z.object({ type: z.literal('blob'), base64: z.string() }),
])
type Value = z.infer<typeof valueSchema>

const statementSchema = z.object({
  sql: z.string().nullish(),
  sql_id: z.number().nullish(),
  args: z.array(valueSchema).nullish(),
  named_args: z.array(z.object({ name: z.string(), value: valueSchema })).nullish(),
})
type Statement = z.infer<typeof statementSchema>

type Condition = { type: 'ok' | 'error'; step: number } | { type: 'not'; cond: Condition } | { type: 'and' | 'or'; conds: Condition[] }

const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.object({ type: z.enum(['ok', 'error']), step: z.number() }),
    z.object({ type: z.literal('not'), cond: conditionSchema }),
    z.object({ type: z.enum(['and', 'or']), conds: z.array(conditionSchema) }),
  ]),
)

const requestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('close') }),
  z.object({ type: z.literal('execute'), stmt: statementSchema }),
  z.object({
    type: z.literal('batch'),
    batch: z.object({ steps: z.array(z.object({ stmt: statementSchema, condition: conditionSchema.nullish() })) }),
  }),
  z.object({ type: z.literal('sequence'), sql: z.string().nullish(), sql_id: z.number().nullish() }),
  z.object({ type: z.literal('store_sql'), sql_id: z.number(), sql: z.string() }),
  z.object({ type: z.literal('close_sql'), sql_id: z.number() }),
  z.object({ type: z.literal('get_autocommit') }),
])
type Request = z.infer<typeof requestSchema>

const pipelineSchema = z.object({ baton: z.string().nullish(), requests: z.array(requestSchema) })

interface Stream {
  db: Connection.Database
  texts: Map<number, string>
  expiry: ReturnType<typeof setTimeout>
}

/** As sqld does it: a stream that nobody uses is closed, and with it the transaction that it holds. */
const STREAM_EXPIRY_MS = 10_000

const toSqlite = (value: Value): unknown => {
  switch (value.type) {
    case 'null':
      return null
    case 'integer':
      return BigInt(value.value)
    case 'blob':
      return Buffer.from(value.base64, 'base64')
    default:
      return value.value
  }
}

const toHrana = (value: unknown): Value => {
  if (typeof value === 'bigint') return { type: 'integer', value: value.toString() }
  if (typeof value === 'number') return { type: 'float', value }
  if (typeof value === 'string') return { type: 'text', value }
  if (value instanceof Uint8Array) return { type: 'blob', base64: Buffer.from(value).toString('base64') }
  return { type: 'null' }
}

const textOf = (stream: Stream, { sql, sql_id }: { sql?: string | null; sql_id?: number | null }): string => {
  const text = sql ?? stream.texts.get(sql_id ?? -1)
  if (text === undefined) throw new Error('The request has no SQL text.')
  return text
}

const boundValues = ({ args, named_args }: Statement): unknown => {
  if (named_args && named_args.length > 0)
    return Object.fromEntries(named_args.map(({ name, value }) => [name.replace(/^[:@$]/, ''), toSqlite(value)]))
  return (args ?? []).map(toSqlite)
}

const execute = (stream: Stream, statement: Statement) => {
  const prepared = stream.db.prepare(textOf(stream, statement)).safeIntegers(true)
  const values = boundValues(statement)
  if (!prepared.reader) {
    const { changes, lastInsertRowid } = prepared.run(values)
    return { cols: [], rows: [], affected_row_count: Number(changes), last_insert_rowid: String(lastInsertRowid) }
  }
  const cols = prepared.columns().map(({ name, type }) => ({ name, decltype: type }))
  const rows = prepared.raw(true).all(values)
  return { cols, rows: rows.map((row) => z.array(z.unknown()).parse(row).map(toHrana)), affected_row_count: 0, last_insert_rowid: null }
}

/** As sqld has it, without what SQLite says beyond its first codes: `SQLITE_CONSTRAINT`. */
const errorOf = (error: unknown) => ({
  message: error instanceof Error ? error.message : String(error),
  code: /^(?:SQLITE_)?[A-Z]+/.exec(z.object({ code: z.string() }).safeParse(error).data?.code ?? 'UNKNOWN')?.[0] ?? 'UNKNOWN',
})

const WRITES =
  /^\s*(?:begin\s+(?:immediate|exclusive)|insert|update|delete|replace|create|drop|alter|with\b.*\b(?:insert|update|delete)\b)/is

/**
 * The stream that writes, and those that wait for it in the order in which they came, as in sqld. None of them ever asks
 * SQLite in vain: a statement that met SQLITE_BUSY can keep the lock until it is collected.
 */
let writer: Stream | null = null
const waiting: (() => void)[] = []

const letNextWrite = (stream: Stream): void => {
  if (writer !== stream || stream.db.inTransaction) return
  writer = null
  waiting.shift()?.()
}

const inTurn = async <T>(stream: Stream, sql: string, work: () => T): Promise<T> => {
  if (WRITES.test(sql)) {
    while (writer !== null && writer !== stream) await new Promise<void>((resolve) => waiting.push(resolve))
    writer = stream
  }
  try {
    return work()
  } finally {
    letNextWrite(stream)
  }
}

const batch = async (stream: Stream, steps: { stmt: Statement; condition?: Condition | null }[]) => {
  const results: (ReturnType<typeof execute> | null)[] = []
  const errors: (ReturnType<typeof errorOf> | null)[] = []
  const holds = (condition: Condition): boolean => {
    switch (condition.type) {
      case 'ok':
        return results[condition.step] !== null
      case 'error':
        return errors[condition.step] !== null
      case 'not':
        return !holds(condition.cond)
      case 'and':
        return condition.conds.every(holds)
      case 'or':
        return condition.conds.some(holds)
    }
  }
  for (const [index, { stmt, condition }] of steps.entries()) {
    results[index] = null
    errors[index] = null
    if (condition && !holds(condition)) continue
    try {
      results[index] = await inTurn(stream, textOf(stream, stmt), () => execute(stream, stmt))
    } catch (error) {
      errors[index] = errorOf(error)
    }
  }
  return { step_results: results, step_errors: errors }
}

const [, , file = '', token = ''] = process.argv
const streams = new Map<string, Stream>()

const closeStream = (baton: string): void => {
  const stream = streams.get(baton)
  if (stream === undefined) return
  clearTimeout(stream.expiry)
  streams.delete(baton)
  if (stream.db.inTransaction) stream.db.exec('ROLLBACK')
  letNextWrite(stream)
  stream.db.close()
}

const openStream = (): Stream => ({ db: new Connection(file), texts: new Map(), expiry: setTimeout(() => undefined, 0) })

const answer = async (stream: Stream, request: Request) => {
  switch (request.type) {
    case 'close':
      return {}
    case 'execute':
      return { result: await inTurn(stream, textOf(stream, request.stmt), () => execute(stream, request.stmt)) }
    case 'batch':
      return { result: await batch(stream, request.batch.steps) }
    case 'sequence': {
      const text = textOf(stream, request)
      await inTurn(stream, text, () => stream.db.exec(text))
      return {}
    }
    case 'store_sql':
      stream.texts.set(request.sql_id, request.sql)
      return {}
    case 'close_sql':
      stream.texts.delete(request.sql_id)
      return {}
    case 'get_autocommit':
      return { is_autocommit: !stream.db.inTransaction }
  }
}

const pipeline = async (body: unknown): Promise<Response> => {
  const { baton: givenBaton, requests } = pipelineSchema.parse(body)
  const known = givenBaton ? streams.get(givenBaton) : openStream()
  if (known === undefined) return Response.json({ message: 'The stream has expired', code: 'STREAM_EXPIRED' }, { status: 400 })
  if (givenBaton) streams.delete(givenBaton)
  clearTimeout(known.expiry)
  const results: unknown[] = []
  for (const request of requests)
    try {
      results.push({ type: 'ok', response: { type: request.type, ...(await answer(known, request)) } })
    } catch (error) {
      results.push({ type: 'error', error: errorOf(error) })
    }
  const baton = crypto.randomUUID()
  streams.set(baton, known)
  known.expiry = setTimeout(() => closeStream(baton), STREAM_EXPIRY_MS)
  const isClosed = requests.some(({ type }) => type === 'close')
  if (isClosed) closeStream(baton)
  return Response.json({ baton: isClosed ? null : baton, base_url: null, results })
}

new Connection(file).exec('PRAGMA journal_mode=WAL')

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    if (token !== '' && request.headers.get('authorization') !== `Bearer ${token}`)
      return Response.json({ message: 'Unauthorized' }, { status: 401 })
    const { pathname } = new URL(request.url)
    if (request.method === 'GET' && pathname === '/v2') return new Response('Hello, this is HTTP API v2 (Hrana over HTTP)')
    if (request.method === 'POST' && pathname === '/v2/pipeline') return pipeline(await request.json())
    return new Response('not found', { status: 404 })
  },
})
process.stdout.write(`${server.port}\n`)
