import { A } from '@solidjs/router'
import { Sparkles } from 'lucide-solid'
import { Show } from 'solid-js'
import type { ShownTag } from '../api/types.ts'
import { t } from '../i18n/translate.ts'
import { categoryColor } from '../primitives/category-colors.ts'
import type { TaggingState } from '../primitives/create-item-tags.ts'
import { libraryPath } from '../primitives/paths.ts'

/** The colour of a tag's category. It only repeats what is said in words beside it. */
export const TagDot = (props: { category: { id: number; color: string | null } }) => (
  <span class="size-2 shrink-0 rounded-pill" style={{ background: categoryColor(props.category) }} aria-hidden="true" />
)

/** Leads to everything in the library that carries the tag. */
export const TagChip = (props: { tag: ShownTag; libraryId: number }) => (
  <A
    href={`${libraryPath(props.libraryId)}?tags=${props.tag.id}`}
    title={props.tag.categoryName}
    class="inline-flex min-h-7 items-center justify-center gap-2 rounded-chip border border-line bg-surface px-2 py-1 text-caption wrap-anywhere pointer-coarse:min-h-target-small pointer-coarse:min-w-target-small pointer-coarse:text-small transition-colors hover:border-control hover:text-accent"
  >
    <TagDot category={{ id: props.tag.categoryId, color: props.tag.color }} />
    {props.tag.name}
    <Show when={props.tag.source === 'ai'}>
      <Sparkles size={12} class="shrink-0 text-muted" aria-label={t('entry.byModel')} />
    </Show>
  </A>
)

interface TagToggleProps {
  name: string
  category: { id: number; color: string | null; name: string }
  /** `some` is one of several items that are tagged at once. */
  state: TaggingState
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
    class="inline-flex h-target-small max-w-full min-w-0 items-center gap-2 rounded-pill border border-line bg-surface px-3 text-small transition-colors hover:border-control aria-[pressed=mixed]:border-dashed aria-[pressed=mixed]:border-accent aria-pressed:border-accent aria-pressed:bg-accent-soft "
  >
    <TagDot category={props.category} />
    <span class="truncate">{props.name}</span>
    <Show when={props.note}>{(note) => <span class="text-caption text-muted tabular-nums">{note()}</span>}</Show>
  </button>
)
