import { X } from 'lucide-solid'
import { For, type JSX, Show } from 'solid-js'
import { t } from '../i18n/filter-panel.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { createUnfinished } from '../primitives/create-unfinished.ts'
import { focusFiltersButton } from '../primitives/filters-button.ts'
import { Button } from './button.tsx'
import { TagDot } from './tag-chip.tsx'

/** Whoever takes several off goes on from the next one, and after the last from where filters are chosen. */
const focusNeighbour = (button: HTMLElement) => {
  const chip = button.closest('li')
  const next = (chip?.nextElementSibling ?? chip?.previousElementSibling)?.querySelector('button')
  if (next) next.focus({ preventScroll: true })
  else focusFiltersButton()
}

const Chip = (props: { label: string; dot?: JSX.Element; onRemove: () => void }) => (
  <li class="flex max-w-80 min-w-0">
    <button
      type="button"
      aria-label={t('filterPanel.remove', props.label)}
      onClick={(event) => {
        focusNeighbour(event.currentTarget)
        props.onRemove()
      }}
      class="flex h-target-small min-w-0 items-center gap-2 rounded-pill border border-line bg-surface pr-2 pl-3 text-small transition-colors hover:border-control"
    >
      {props.dot}
      <span class="truncate">{props.label}</span>
      <X size={14} class="shrink-0 text-muted" aria-hidden="true" />
    </button>
  </li>
)

/** Everything that narrows the list down, each to be taken off by a click. */
export const ActiveFilters = (props: { filters: Filters }) => {
  const unfinished = createUnfinished(props.filters)
  const TagChipOf = (own: { id: number; isExcluded: boolean }) => {
    const tag = () => props.filters.facets.find(own.id)
    const name = () => tag()?.name ?? t('filterPanel.unknownTag')
    return (
      <Chip
        label={own.isExcluded ? t('filterPanel.not', name()) : name()}
        dot={<Show when={tag()}>{(known) => <TagDot category={known().category} />}</Show>}
        onRemove={() => props.filters.setTag(own.id, 'off')}
      />
    )
  }
  return (
    <Show when={props.filters.count() > 0}>
      <div class="mb-4 flex flex-wrap items-center gap-2">
        <ul class="contents" aria-label={t('filterPanel.list')}>
          <Show when={props.filters.q()}>
            {(q) => <Chip label={t('filterPanel.text', q())} onRemove={() => props.filters.search.clear()} />}
          </Show>
          <Show when={props.filters.query().unfinished}>
            <Chip label={unfinished() ?? t('filterPanel.unwatched')} onRemove={() => props.filters.toggle('unfinished')} />
          </Show>
          <Show when={props.filters.query().untagged}>
            <Chip label={t('filterPanel.untagged')} onRemove={() => props.filters.toggle('untagged')} />
          </Show>
          <For each={props.filters.files()}>
            {(choice) => <Chip label={t(`filterPanel.files.${choice}`)} onRemove={() => props.filters.toggleFiles(choice)} />}
          </For>
          <For each={props.filters.tags().included}>{(id) => <TagChipOf id={id} isExcluded={false} />}</For>
          <For each={props.filters.tags().excluded}>{(id) => <TagChipOf id={id} isExcluded />}</For>
        </ul>
        <Button
          size="small"
          variant="ghost"
          onClick={() => {
            focusFiltersButton()
            props.filters.clear()
          }}
        >
          {t('filterPanel.clearAll')}
        </Button>
      </div>
    </Show>
  )
}
