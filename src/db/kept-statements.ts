/**
 * Keeps what SQLite has compiled. @libsql/client prepares each execution anew, which is more than half of a look-up by
 * key (16 µs, and 6 without) and of a page of a list (150, and 72). Its pool opens its connections itself, so the class
 * that it opens them with is taught to hand out a statement again.
 *
 * That is safe because the client runs every statement to its end before anything else can run: one that has ended holds
 * neither lock nor snapshot, libSQL resets it before it is run again, and SQLite compiles it anew by itself when the
 * schema has changed.
 */

import Libsql from 'libsql'
import { setNewest } from '../domain/bounded-map.ts'
import { CONNECTION_SETTINGS } from './connection-settings.ts'

type Connection = Libsql.Database
type Statement = Libsql.Statement<unknown[]>

/** For each connection. What is asked again and again is some dozens; each of them takes some ten kilobytes. */
const MAX_STATEMENTS = 128
/** Longer ones list values or identifiers, and hardly come again. */
const MAX_SQL_CHARACTERS = 8000
/** What was bound last stays with a statement, so only those that were used last may have been given more than this. */
const MUCH = 16_384
/** The rows of a scan's batch, which comes two hundred times, in several forms: to compile what takes them costs a tenth of writing them. */
const MAX_STATEMENTS_WITH_MUCH = 8
/** With more than this none is kept. */
const TOO_MUCH = 1_048_576
/** Not `PRAGMA`: some do their work while they are compiled (https://www.sqlite.org/pragma.html). */
const IS_REPEATABLE = /^\s*(?:select|with|insert|update|delete|begin|commit|rollback)\b/i
/** Statements of a migration begin with comments. */
const CHANGES_SCHEMA = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:create|alter|drop)\b/i

interface Kept {
  statements: Map<string, Statement>
  /** Those of them that were given much. */
  withMuch: Map<string, Statement>
  schemaVersion: number
}

const keptBy = new WeakMap<Connection, Kept>()
/** Counts what may have changed the schema: a kept statement knows the columns of the schema that it was compiled for. */
let schemaVersion = 0

const executeAll: (this: Connection, sql: string) => void = Libsql.prototype.exec

const keptOf = (connection: Connection): Kept => {
  const known = keptBy.get(connection)
  if (known?.schemaVersion === schemaVersion) return known
  if (!known) executeAll.call(connection, CONNECTION_SETTINGS)
  const kept = { statements: new Map<string, Statement>(), withMuch: new Map<string, Statement>(), schemaVersion }
  keptBy.set(connection, kept)
  return kept
}

const sizeOf = (value: unknown): number => (typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 0)

/** As libSQL reads what it is given: an array, or names with values, or one value after the other. */
const valuesOf = (bound: unknown[]): unknown[] => {
  const [first] = bound
  if (bound.length !== 1 || typeof first !== 'object' || first === null) return bound
  return Array.isArray(first) ? first : Object.values(first)
}

/** @libsql/client asks every statement for bare rows each time, and takes this for "it has none". Making an error costs more than a write. */
const HAS_NO_ROWS = new TypeError('This statement returns no data')

/** What is switched on already is not switched on again. */
const once = (change: (isOn?: boolean) => Statement): ((isOn?: boolean) => Statement) => {
  let was: boolean | undefined
  let statement: Statement
  return (isOn = true) => {
    if (isOn !== was) statement = change(isOn)
    was = isOn
    return statement
  }
}

/**
 * A statement that knows by heart what its rows are like, and is asked no more to be so; that says how much it is given, and is
 * forgotten when it fails.
 */
const teach = (statement: Statement, { forget, given }: { forget: () => void; given: (size: number) => void }): Statement => {
  const hasRows = statement.reader
  const columns = hasRows ? statement.columns() : []
  let places: number | undefined
  const guard =
    <Result>(execute: (...bound: unknown[]) => Result) =>
    (...bound: unknown[]): Result => {
      try {
        const values = valuesOf(bound)
        places ??= values.length
        // Where nothing is bound, the value of the last time would stand.
        if (values.length !== places) throw new TypeError(`A statement of ${places} values was given ${values.length}.`)
        given(values.reduce<number>((most, value) => Math.max(most, sizeOf(value)), 0))
        return execute(...bound)
      } catch (error) {
        // It may not have ended, and would hold its lock; or it was its first number of values that was wrong.
        forget()
        throw error
      }
    }
  return Object.assign(statement, {
    columns: () => columns,
    safeIntegers: once(statement.safeIntegers.bind(statement)),
    raw: hasRows
      ? once(statement.raw.bind(statement))
      : () => {
          throw HAS_NO_ROWS
        },
    all: guard(statement.all.bind(statement)),
    run: guard(statement.run.bind(statement)),
  })
}

const prepareAnew: (this: Connection, sql: string) => Statement = Libsql.prototype.prepare

const compile = (connection: Connection, sql: string, { statements, withMuch }: Kept): Statement => {
  const forget = (): void => {
    statements.delete(sql)
    withMuch.delete(sql)
  }
  const given = (size: number): void => {
    if (size <= MUCH) return
    forget()
    if (size <= TOO_MUCH) setNewest(withMuch, sql, statement, MAX_STATEMENTS_WITH_MUCH)
  }
  const statement = teach(prepareAnew.call(connection, sql), { forget, given })
  return statement
}

const prepare = function (this: Connection, sql: string): Statement {
  if (CHANGES_SCHEMA.test(sql)) schemaVersion++
  if (sql.length > MAX_SQL_CHARACTERS || !IS_REPEATABLE.test(sql)) return prepareAnew.call(this, sql)
  const kept = keptOf(this)
  const statementWithMuch = kept.withMuch.get(sql)
  if (statementWithMuch) return statementWithMuch
  const statement = kept.statements.get(sql) ?? compile(this, sql, kept)
  setNewest(kept.statements, sql, statement, MAX_STATEMENTS)
  return statement
}

const exec = function (this: Connection, sql: string): void {
  // Any of its statements may.
  schemaVersion++
  executeAll.call(this, sql)
}

/** Holds for every connection of the process, those that are open already too. */
export const keepStatements = (): void => {
  Object.assign(Libsql.prototype, { prepare, exec })
}
