import type { Row } from './table.ts'

interface BenchContext {
  /** Rounds after the warm-up. */
  rounds: number
  /** One line about what goes on, for whoever waits. */
  say: (line: string) => void
}

export type Bench = (context: BenchContext) => Promise<Row[]>
