import { debounce } from '@solid-primitives/scheduled'
import { createSignal } from 'solid-js'

const NOTE_MS = 1000

/** A word over the picture that goes by itself. */
export const createNote = () => {
  const [text, setText] = createSignal<string | undefined>(undefined, { equals: false })
  const goLater = debounce(() => setText(undefined), NOTE_MS)
  return {
    text,
    show: (next: string) => {
      setText(next)
      goLater()
    },
  }
}
