import { createSignal, onCleanup } from 'solid-js'

const NOTE_MS = 1000

/** A word over the picture that goes by itself. */
export const createFlash = () => {
  const [text, setText] = createSignal<string | undefined>(undefined, { equals: false })
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  return {
    text,
    show: (next: string) => {
      clearTimeout(timer)
      setText(next)
      timer = setTimeout(() => setText(undefined), NOTE_MS)
    },
  }
}
