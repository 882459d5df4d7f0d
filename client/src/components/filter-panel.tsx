import { Tags, X } from 'lucide-solid'
import { createEffect, For, Show } from 'solid-js'
import { t } from '../i18n/filter-panel.ts'
import { createDelayed } from '../primitives/create-delayed.ts'
import type { Filters } from '../primitives/create-filters.ts'
import { createUnfinished } from '../primitives/create-unfinished.ts'
import { FILE_CHOICES } from '../primitives/file-choice.ts'
import { createLibrary } from '../primitives/libraries.ts'
import { Button } from './button.tsx'
import { ErrorCard } from './error-card.tsx'
import { FilterPanelCategory } from './filter-panel-category.tsx'
import { IconButton } from './icon-button.tsx'
import { SearchField } from './search-field.tsx'
import { Skeleton } from './skeleton.tsx'
import { ToggleChip } from './toggle-chip.tsx'

/** What a level can be narrowed down by. Every choice takes effect at once. */
export const FilterPanelBody = (props: { filters: Filters }) => {
  const facets = () => props.filters.facets
  const unfinished = createUnfinished(props.filters)
  const { library } = createLibrary(() => props.filters.level().libraryId)
  const isLate = createDelayed(() => facets().query.isPending)
  const categoryIds = () =>
    facets()
      .categories()
      .map((category) => category.id)
  return (
    <>
      <div class="px-1 pb-3">
        <SearchField
          isPlain
          label={t('filterPanel.name')}
          text={props.filters.search.text()}
          onType={props.filters.search.type}
          onClear={props.filters.search.clear}
        />
      </div>
      <div class="flex flex-wrap gap-2 px-1 pb-3">
        <Show when={unfinished()}>
          {(name) => (
            <ToggleChip isOn={props.filters.query().unfinished} onToggle={() => props.filters.toggle('unfinished')}>
              {name()}
            </ToggleChip>
          )}
        </Show>
        <ToggleChip isOn={props.filters.query().untagged} onToggle={() => props.filters.toggle('untagged')}>
          {t('filterPanel.untagged')}
        </ToggleChip>
        <Show when={library()?.type === 'mixed'}>
          <For each={FILE_CHOICES}>
            {(choice) => (
              <ToggleChip isOn={props.filters.files().includes(choice)} onToggle={() => props.filters.toggleFiles(choice)}>
                {t(`filterPanel.files.${choice}`)}
              </ToggleChip>
            )}
          </For>
        </Show>
      </div>
      <Show when={categoryIds().length > 0}>
        <p class="px-2 pb-2 text-caption text-muted">{t('filterPanel.lead')}</p>
      </Show>
      <For each={categoryIds()}>
        {(id) => (
          <Show
            when={facets()
              .categories()
              .find((category) => category.id === id)}
          >
            {(category) => <FilterPanelCategory category={category()} filters={props.filters} />}
          </Show>
        )}
      </For>
      <Show when={isLate()}>
        <For each={[1, 2, 3, 4, 5, 6]}>{() => <Skeleton class="mb-2 h-target-medium w-full" />}</For>
      </Show>
      <Show when={facets().query.data && categoryIds().length === 0}>
        <div class="flex flex-col items-center gap-2 px-4 py-8 text-center">
          <Tags size={24} class="text-muted" aria-hidden="true" />
          <p class="text-small font-semibold">{t('filterPanel.noTagsHeading')}</p>
          <p class="text-caption text-muted">{t('filterPanel.noTags')}</p>
        </div>
      </Show>
      <Show when={facets().query.isLoadingError && facets().query.error}>
        {(error) => <ErrorCard error={error()} onRetry={() => void facets().query.refetch()} />}
      </Show>
    </>
  )
}

/** The panel beside the content. It begins where the content begins, and scrolls by itself. */
export const FilterPanel = (props: { filters: Filters; isFocused: boolean }) => {
  let panel!: HTMLElement
  createEffect(() => {
    if (props.isFocused) panel.focus({ preventScroll: true })
  })
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label={t('filters.open')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        props.filters.panel.close()
      }}
      class="sticky top-16 outline-none max-h-[calc(100dvh-5rem)] w-80 shrink-0 animate-fade self-start overflow-y-auto rounded-card border border-line bg-surface p-3"
    >
      <header class="mb-2 flex h-target-small items-center gap-2 pl-2">
        <h2 class="grow text-body font-semibold">{t('filters.open')}</h2>
        <Show when={props.filters.count() > 0}>
          <Button
            size="small"
            variant="ghost"
            onClick={() => {
              panel.focus({ preventScroll: true })
              props.filters.clear()
            }}
          >
            {t('filterPanel.clearAll')}
          </Button>
        </Show>
        <IconButton size="small" label={t('action.close')} onClick={props.filters.panel.close}>
          <X size={18} />
        </IconButton>
      </header>
      <FilterPanelBody filters={props.filters} />
    </aside>
  )
}
