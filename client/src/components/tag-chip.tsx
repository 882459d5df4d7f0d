import { A } from '@solidjs/router'
import { Sparkles } from 'lucide-solid'
import { Show } from 'solid-js'
import type { ShownTag } from '../api/types.ts'
import { t } from '../i18n/translate.ts'
import { categoryColor } from '../primitives/category-colors.ts'
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
