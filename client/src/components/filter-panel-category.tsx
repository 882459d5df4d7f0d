import { ChevronDown, Minus } from 'lucide-solid'
import { createMemo, createSignal, createUniqueId, For, Show } from 'solid-js'
import { searchKey } from '../../../src/domain/name-key.ts'
import type { FacetCategory, FacetTag } from '../api/types.ts'
import { t } from '../i18n/filter-panel.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { formatCount } from '../primitives/format.ts'
import { MoreButton } from './more-button.tsx'
import { SearchField } from './search-field.tsx'
import { TagDot } from './tag-chip.tsx'

/** Above this many tags a category has a search field of its own. */
const SEARCH_ABOVE = 8
/** Ten thousand tags are no list that anybody reads: the rest comes by searching, or a piece at a time. */
const SHOWN = 12
const SHOWN_MORE = 100

/** Closed sections stay closed from one visit of a panel to the next. */
const [closed, setClosed] = createSignal<ReadonlySet<number>>(new Set())

const TagRow = (props: { tag: FacetTag; category: FacetCategory; filters: Filters }) => {
  const id = createUniqueId()
  const state = () => props.filters.stateOf(props.tag.id)
  const toggle = (wanted: 'included' | 'excluded') => props.filters.setTag(props.tag.id, state() === wanted ? 'off' : wanted)
  return (
    <li class="group flex items-center gap-1">
      <button
        type="button"
        aria-pressed={state() === 'included'}
        onClick={() => toggle('included')}
        class="flex h-target-medium min-w-0 grow items-center gap-2 rounded-card px-2 text-left text-small transition-colors hover:bg-raised aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent"
      >
        <TagDot category={props.category} />
        <span
          id={id}
          title={props.tag.name}
          class={`min-w-0 grow truncate ${state() === 'excluded' ? 'line-through' : ''} ${state() !== 'included' && props.tag.count === 0 ? 'text-muted' : ''}`}
        >
          {props.tag.name}
        </span>
        <span class="text-caption font-normal text-muted tabular-nums">{formatCount(props.tag.count)}</span>
      </button>
      <button
        type="button"
        aria-label={t('filterPanel.exclude')}
        aria-describedby={id}
        aria-pressed={state() === 'excluded'}
        title={t('filterPanel.exclude')}
        onClick={() => toggle('excluded')}
        class="inline-flex size-target-medium shrink-0 items-center justify-center rounded-card text-muted transition-[color,background,opacity] hover:bg-raised hover:text-fg focus-visible:opacity-100 aria-pressed:bg-raised aria-pressed:text-fg aria-pressed:opacity-100 pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100"
      >
        <Minus size={16} aria-hidden="true" />
      </button>
    </li>
  )
}

/** One category of the panel: its tags with what each would leave, and a search among them where they are many. */
export const FilterPanelCategory = (props: { category: FacetCategory; filters: Filters }) => {
  const id = createUniqueId()
  let list: HTMLUListElement | undefined
  const [text, setText] = createSignal('')
  const [limit, setLimit] = createSignal(SHOWN)
  const isOpen = () => !closed().has(props.category.id)
  const toggle = () => {
    const next = new Set(closed())
    if (!next.delete(props.category.id)) next.add(props.category.id)
    setClosed(next)
  }
  const isChosen = (tag: FacetTag) => props.filters.stateOf(tag.id) !== 'off'
  const wanted = () => searchKey(text().trim())
  const found = createMemo(() => props.category.tags.filter((tag) => searchKey(tag.name).includes(wanted())))
  /** What is chosen is never hidden, wherever it stands in the list. */
  const shown = createMemo(() => {
    if (!isOpen()) return props.category.tags.filter(isChosen)
    const first = found().slice(0, limit())
    return wanted() === '' ? [...first, ...found().slice(limit()).filter(isChosen)] : first
  })
  const shownIds = createMemo(() => shown().map((tag) => tag.id))
  const rest = () => (isOpen() ? Math.max(0, found().length - limit()) : 0)
  return (
    <section class="border-t border-line py-2">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen()}
          aria-controls={id}
          onClick={toggle}
          class="flex h-target-medium w-full items-center gap-2 rounded-card px-2 text-small font-semibold transition-colors hover:bg-raised"
        >
          <span class="min-w-0 grow truncate text-left">{props.category.name}</span>
          <span class="text-caption font-normal text-muted tabular-nums">{formatCount(props.category.tags.length)}</span>
          <ChevronDown size={16} class={`shrink-0 text-muted transition-transform ${isOpen() ? '' : '-rotate-90'}`} aria-hidden="true" />
        </button>
      </h3>
      <div id={id}>
        <Show when={isOpen() && props.category.tags.length > SEARCH_ABOVE}>
          <div class="px-1 py-1">
            <SearchField
              isPlain
              label={t('filterPanel.searchIn', props.category.name)}
              text={text()}
              onType={setText}
              onClear={() => setText('')}
            />
          </div>
        </Show>
        <ul ref={list}>
          {/* By id: an answer with other counts must not take the focus away. */}
          <For each={shownIds()}>
            {(tagId) => (
              <Show when={props.category.tags.find((tag) => tag.id === tagId)}>
                {(tag) => <TagRow tag={tag()} category={props.category} filters={props.filters} />}
              </Show>
            )}
          </For>
        </ul>
        <Show when={isOpen() && found().length === 0}>
          <p class="px-2 py-2 text-small text-muted">{t('filterPanel.noTagIn', text().trim())}</p>
        </Show>
        <Show when={rest() > 0}>
          <MoreButton
            list={() => list}
            variant="ghost"
            size="small"
            class="px-2! font-normal! text-accent!"
            onMore={() => setLimit(limit() + SHOWN_MORE)}
          >
            {t('filterPanel.more', formatCount(rest()))}
          </MoreButton>
        </Show>
      </div>
    </section>
  )
}
