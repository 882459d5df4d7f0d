import { type Accessor, createMemo } from 'solid-js'

/**
 * What there is of something, or was last: what shows it may be asked once more before it goes, and the values that `Show` and
 * `Match` hand on throw then, in the middle of a change of the whole screen.
 */
export const createLatest = <Value>(value: Accessor<Value | null | undefined>, first: NonNullable<Value>): Accessor<NonNullable<Value>> =>
  createMemo((before) => value() ?? before, first)
