/** A form over saved values: what is typed, whether that differs, how it is saved, and the way back. */

import { type Accessor, createComputed, createMemo, on, untrack } from 'solid-js'
import { createStore, reconcile, type SetStoreFunction, unwrap } from 'solid-js/store'

interface Draft<Fields extends object> {
  fields: Fields
  set: SetStoreFunction<Fields>
  isDirty: Accessor<boolean>
  /** Saves what was typed on top of what is saved by now: `write` gets all fields, and both answer what is saved. */
  save: (read: () => Promise<Fields>, write: (fields: Fields) => Promise<Fields>) => Promise<void>
  /** Back to what is saved. */
  reset: () => void
}

const text = (value: unknown): string => JSON.stringify(value)

/** `next`, and of `fields` what differs from `before`: all three have the same names, at every depth. */
const merged = <Fields extends object>(fields: Fields, before: Fields, next: Fields): Fields => {
  const all = { ...next }
  for (const name of Object.keys(next) as (keyof Fields)[]) {
    const [typed, known, value] = [fields[name], before[name], next[name]]
    if (typeof typed === 'object' && typed && typeof known === 'object' && known && typeof value === 'object' && value) {
      all[name] = merged(typed, known, value)
    } else if (typed !== known) all[name] = typed
  }
  return all
}

/**
 * `saved` is plain data, and always made in the same way: it is compared as text. Where nothing was typed the draft follows
 * it: two people who change two fields at once do not undo each other's.
 */
export const createDraft = <Fields extends object>(saved: Accessor<Fields>): Draft<Fields> => {
  const [fields, set] = createStore<Fields>(structuredClone(untrack(saved)))
  const typed = (): Fields => structuredClone(unwrap(fields))
  const replace = (next: Fields): void => set(reconcile(structuredClone(next)))
  let before = untrack(saved)
  createComputed(
    on(
      createMemo(() => text(saved())),
      () => {
        const next = untrack(saved)
        replace(merged(typed(), before, next))
        before = next
      },
      { defer: true },
    ),
  )
  return {
    fields,
    set,
    isDirty: createMemo(() => text(fields) !== text(saved())),
    save: async (read, write) => {
      const sent = typed()
      const onto = merged(sent, before, await read())
      const next = await write(onto)
      // What was typed meanwhile is not saved yet.
      replace(merged(typed(), sent, next))
    },
    reset: () => replace(untrack(saved)),
  }
}
