import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from 'solid-js'

/** Skeletons wait this long: an answer that comes sooner is shown without a flicker. */
const SKELETON_DELAY_MS = 150

/** True once `isActive` has been true for `delayMs` without a break. */
export const createDelayed = (isActive: Accessor<boolean>, delayMs: number = SKELETON_DELAY_MS): Accessor<boolean> => {
  const [isLate, setLate] = createSignal(false)
  const isOn = createMemo(isActive)
  createEffect(() => {
    if (!isOn()) {
      setLate(false)
      return
    }
    const timer = setTimeout(() => setLate(true), delayMs)
    onCleanup(() => clearTimeout(timer))
  })
  return isLate
}
