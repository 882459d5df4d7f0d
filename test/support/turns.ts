import type { Client, InStatement } from '@libsql/client'
import type { DatabaseHandle } from '../../src/db/client.ts'

/** How often others had their turn while something was read from a database that answers without leaving the thread. */
interface Turns {
  /** The database; what is read through it is counted. */
  db: DatabaseHandle['db']
  /** For each query, how many turns of the event loop there had been. */
  seen: number[]
  /** The most queries that ran in one turn, while nobody else was served. */
  most: () => number
  stop: () => void
}

export const countTurns = ({ client, db }: DatabaseHandle): Turns => {
  let turn = 0
  let next: ReturnType<typeof setImmediate>
  const tick = (): void => {
    turn += 1
    next = setImmediate(tick)
  }
  next = setImmediate(tick)
  const seen: number[] = []
  const execute = (statement: InStatement) => {
    seen.push(turn)
    // Whoever sleeps after a query goes on before the next immediate where the machine is slow, but not before others were served.
    setTimeout(() => (turn += 1), 0)
    return client.execute(statement)
  }
  const watched: Client = Object.create(client, { execute: { value: execute } })
  return {
    db: Object.create(db, { $client: { value: watched } }),
    seen,
    most: () =>
      Math.max(
        0,
        ...Map.groupBy(seen, (at) => at)
          .values()
          .map(({ length }) => length),
      ),
    stop: () => clearImmediate(next),
  }
}
