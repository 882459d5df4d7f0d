import { createMemo, For, Show } from 'solid-js'
import { markedParts } from '../primitives/marked-parts.ts'

/** A text with the places that matched. Text nodes alone: what stands in a file is never markup. */
export const Highlighted = (props: { text: string; ranges: readonly (readonly [number, number])[] }) => {
  const parts = createMemo(() => markedParts(props.text, props.ranges))
  return (
    <For each={parts()}>
      {(part) => (
        <Show when={part.isMarked} fallback={part.text}>
          <mark class="rounded-chip bg-accent-soft font-semibold text-accent">{part.text}</mark>
        </Show>
      )}
    </For>
  )
}
