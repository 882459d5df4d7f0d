import { Show } from 'solid-js'
import type { TaggingState } from '../primitives/create-item-tags.ts'
import { TagAlias } from './tag-alias.tsx'
import { TagDot } from './tag-chip.tsx'
import { TOGGLE_CLASS } from './toggle-chip.tsx'

interface TagToggleProps {
  name: string
  category: { id: number; color: string | null; name: string }
  /** `some` is one of several items that are tagged at once. */
  state: TaggingState
  /** Another name of it, by which it was found. */
  alias?: string | undefined
  /** A short note behind the name, as a number. */
  note?: string | undefined
  onToggle: () => void
}

const PRESSED = { on: 'true', off: 'false', some: 'mixed' } as const

/** A tag to be put on and taken off by a click. */
export const TagToggle = (props: TagToggleProps) => (
  <button
    type="button"
    data-tag-toggle
    aria-pressed={PRESSED[props.state]}
    title={props.category.name}
    onClick={() => props.onToggle()}
    class={`${TOGGLE_CLASS} aria-[pressed=mixed]:border-dashed aria-[pressed=mixed]:border-accent`}
  >
    <TagDot category={props.category} />
    <span class="truncate">{props.name}</span>
    <TagAlias alias={props.alias} />
    <Show when={props.note}>{(note) => <span class="text-caption text-muted tabular-nums">{note()}</span>}</Show>
  </button>
)
