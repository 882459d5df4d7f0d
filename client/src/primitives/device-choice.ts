import { createSignal } from 'solid-js'
import { recall, remember } from './device-memory.ts'

/** One of a few choices that belongs to this device; where that can remember nothing, for as long as the page lives. */
export const createDeviceChoice = <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice) => {
  const stored = recall(name)
  const [choice, setChoice] = createSignal<Choice>(choices.find((known) => known === stored) ?? fallback)
  return [
    choice,
    (next: Choice) => {
      setChoice(() => next)
      remember(name, next)
    },
  ] as const
}
