/** Pieces of SQL with their arguments. */

import type { InValue } from '@libsql/client'

export interface Clause {
  sql: string
  args: InValue[]
}

export const all = (clauses: readonly Clause[]): Clause => ({
  sql: clauses.length === 0 ? 'true' : clauses.map((clause) => clause.sql).join(' AND '),
  args: clauses.flatMap((clause) => clause.args),
})

/** Pieces one after the other, with what stands between and around them. */
export const clause = (texts: TemplateStringsArray, ...pieces: readonly (Clause | string)[]): Clause => ({
  sql: texts.reduce((sql, text, place) => {
    const piece = pieces[place - 1]
    return `${sql}${typeof piece === 'string' ? piece : (piece?.sql ?? '')}${text}`
  }),
  args: pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.args)),
})
