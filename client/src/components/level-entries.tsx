import { createMemo, type JSX, Show } from 'solid-js'
import type { Item } from '../api/types.ts'
import { t } from '../i18n/filters.ts'
import { createCardSize, createCardZoom } from '../primitives/create-card-size.ts'
import { createEntryPages } from '../primitives/create-entry-pages.ts'
import { createFilters } from '../primitives/create-filters.ts'
import { createSelection } from '../primitives/create-selection.ts'
import { entryPath } from '../primitives/paths.ts'
import { withSeriesPart } from '../primitives/series-part.ts'
import { ActiveFilters } from './active-filters.tsx'
import { EntryGrid } from './entry-grid.tsx'
import { EntrySelection } from './entry-selection.tsx'
import { FilterPanelLayout } from './filter-panel-layout.tsx'
import { FiltersButton } from './filters-button.tsx'
import { NoMatch } from './no-match.tsx'
import { ResultCount } from './result-count.tsx'
import { SearchField } from './search-field.tsx'
import { Section } from './section.tsx'
import { SelectButton } from './select-button.tsx'

interface LevelEntriesProps {
  parent: Pick<Item, 'itemKey' | 'itemType' | 'libraryId' | 'title'>
  title: string
  note?: string
  /** Where there is nothing below it, whatever is filtered. */
  empty: JSX.Element
  /** Comes once the entries are there: it would be pushed away by them. */
  below: JSX.Element
}

/** What lies below a series of games or manga, with a search, filters and a selection of its own. */
export const LevelEntries = (props: LevelEntriesProps) => {
  let start!: HTMLDivElement
  const [size, setSize] = createCardSize()
  createCardZoom(size, setSize, () => true)
  const level = () => ({ libraryId: props.parent.libraryId, parentKey: props.parent.itemKey })
  const filters = createFilters(level, { start: () => start })
  const pages = createEntryPages(() => ({ ...level(), ...filters.query() }))
  const selection = createSelection(pages.entries)
  const total = () => (pages.query.data && !pages.query.isPlaceholderData ? pages.total() : undefined)
  const entries = createMemo(() => pages.entries().map((entry) => withSeriesPart(entry, props.parent.title)))
  return (
    <div ref={start}>
      <Section
        title={props.title}
        {...(props.note === undefined ? {} : { note: props.note })}
        actions={
          <>
            <SearchField
              label={t('library.search')}
              text={filters.search.text()}
              onType={filters.search.type}
              onClear={filters.search.clear}
            />
            <FiltersButton filters={filters} />
            <SelectButton selection={selection} canMark={props.parent.itemType === 'manga_series'} />
          </>
        }
      >
        <FilterPanelLayout filters={filters} total={total()}>
          <ResultCount isFiltered={filters.count() > 0} total={total()} />
          <ActiveFilters filters={filters} />
          <EntryGrid
            label={t('library.grid', props.parent.title)}
            pages={{ ...pages, entries }}
            shape="poster"
            size={size()}
            hrefOf={entryPath}
            selection={selection}
          />
          <Show when={pages.query.data && pages.entries().length === 0}>
            <Show when={filters.count() > 0} fallback={props.empty}>
              <NoMatch filters={filters} />
            </Show>
          </Show>
        </FilterPanelLayout>
      </Section>
      <Show when={selection.isActive()}>
        <EntrySelection selection={selection} pages={pages} />
      </Show>
      <Show when={!pages.query.isPending}>{props.below}</Show>
    </div>
  )
}
