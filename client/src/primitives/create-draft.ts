/** A form over saved values: what is typed, whether that differs, and the way back. */

import { type Accessor, createComputed, createMemo, on, untrack } from 'solid-js'
import { createStore, reconcile, type SetStoreFunction } from 'solid-js/store'

export interface Draft<Fields extends object> {
  fields: Fields
  set: SetStoreFunction<Fields>
  isDirty: Accessor<boolean>
  /** Back to what is saved. */
  reset: () => void
}

const text = (value: unknown): string => JSON.stringify(value)

/** `saved` is plain data, and always made in the same way: it is compared as text. New saved values replace a draft that nobody has touched. */
export const createDraft = <Fields extends object>(saved: Accessor<Fields>): Draft<Fields> => {
  const [fields, set] = createStore<Fields>(structuredClone(untrack(saved)))
  const reset = (): void => set(reconcile(structuredClone(untrack(saved))))
  let before = text(untrack(saved))
  createComputed(
    on(
      createMemo(() => text(saved())),
      (next) => {
        if (text(fields) === before) reset()
        before = next
      },
    ),
  )
  return { fields, set, isDirty: createMemo(() => text(fields) !== text(saved())), reset }
}
