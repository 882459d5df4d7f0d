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

type Connection = Libsql.Database
type Statement = Libsql.Statement<unknown[]>

/** For each connection. What is asked again and again is some dozens; each of them takes some ten kilobytes. */
const MAX_STATEMENTS = 128
/** Longer ones list values or identifiers, and hardly come again. */
const MAX_SQL_CHARACTERS = 8000
/** What was bound last stays with a statement; the rows of a scan's batch would be kept for nothing. */
const MAX_BOUND_CHARACTERS = 16_384
/** Not `PRAGMA`: some do their work while they are compiled (https://www.sqlite.org/pragma.html). */
const IS_REPEATABLE = /^\s*(?:select|with|insert|update|delete|begin|commit|rollback)\b/i
/** Statements of a migration begin with comments. */
const CHANGES_SCHEMA = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:create|alter|drop)\b/i

interface Kept {
  statements: Map<string, Statement>
  schemaVersion: number
}

const keptBy = new WeakMap<Connection, Kept>()
/** Counts what may have changed the schema: a kept statement knows the columns of the schema that it was compiled for. */
let schemaVersion = 0

const statementsOf = (connection: Connection): Map<string, Statement> => {
  const known = keptBy.get(connection)
  if (known?.schemaVersion === schemaVersion) return known.statements
  const statements = new Map<string, Statement>()
  keptBy.set(connection, { statements, schemaVersion })
  return statements
}

const isLong = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > MAX_BOUND_CHARACTERS : value instanceof Uint8Array && value.byteLength > MAX_BOUND_CHARACTERS

/** As libSQL reads what it is given: an array, or names with values, or one value after the other. */
const valuesOf = (bound: unknown[]): unknown[] => {
  const [first] = bound
  if (bound.length !== 1 || typeof first !== 'object' || first === null) return bound
  return Array.isArray(first) ? first : Object.values(first)
}

/** A statement that knows its columns by heart, and that is forgotten when it fails or holds on to much. */
const teach = (statement: Statement, forget: () => void): Statement => {
  const columns = statement.reader ? statement.columns() : []
  let places: number | undefined
  const guard =
    <Result>(execute: (...bound: unknown[]) => Result) =>
    (...bound: unknown[]): Result => {
      try {
        const values = valuesOf(bound)
        places ??= values.length
        // Where nothing is bound, the value of the last time would stand.
        if (values.length !== places) throw new TypeError(`A statement of ${places} values was given ${values.length}.`)
        if (values.some(isLong)) forget()
        return execute(...bound)
      } catch (error) {
        // It may not have ended, and would hold its lock; or it was its first number of values that was wrong.
        forget()
        throw error
      }
    }
  return Object.assign(statement, {
    columns: () => columns,
    all: guard(statement.all.bind(statement)),
    run: guard(statement.run.bind(statement)),
  })
}

const prepareAnew: (this: Connection, sql: string) => Statement = Libsql.prototype.prepare

const prepare = function (this: Connection, sql: string): Statement {
  if (CHANGES_SCHEMA.test(sql)) schemaVersion++
  if (sql.length > MAX_SQL_CHARACTERS || !IS_REPEATABLE.test(sql)) return prepareAnew.call(this, sql)
  const statements = statementsOf(this)
  const known = statements.get(sql)
  const statement = known ?? teach(prepareAnew.call(this, sql), () => statements.delete(sql))
  setNewest(statements, sql, statement, MAX_STATEMENTS)
  return statement
}

const executeAll: (this: Connection, sql: string) => void = Libsql.prototype.exec

const exec = function (this: Connection, sql: string): void {
  // Any of its statements may.
  schemaVersion++
  executeAll.call(this, sql)
}

/** Holds for every connection of the process, those that are open already too. */
export const keepStatements = (): void => {
  Object.assign(Libsql.prototype, { prepare, exec })
}
