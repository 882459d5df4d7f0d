import { createSignal } from 'solid-js'

/** One of a few choices that belongs to this device, kept in its storage; where that is refused, for as long as the page lives. */
export const createDeviceChoice = <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice) => {
  const key = `vitrine.${name}`
  const read = (): Choice => {
    try {
      const stored = localStorage.getItem(key)
      return choices.find((choice) => choice === stored) ?? fallback
    } catch {
      // Storage is refused in some private windows.
      return fallback
    }
  }
  const [choice, setChoice] = createSignal<Choice>(read())
  return [
    choice,
    (next: Choice) => {
      setChoice(() => next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // Then it holds for this visit.
      }
    },
  ] as const
}
