import { type Accessor, createEffect, createMemo, on, untrack } from 'solid-js'

/**
 * An effect runs whenever what its value is read from is new: an answer that was asked for again brings the same address in
 * another object. This does `work` when the value has become another one, and not at first.
 */
export const onChange = <Value>(value: Accessor<Value>, work: (now: Value, before: Value) => void): void => {
  const current = createMemo(value)
  let before = untrack(current)
  createEffect(
    on(
      current,
      (now) => {
        const last = before
        before = now
        work(now, last)
      },
      { defer: true },
    ),
  )
}
