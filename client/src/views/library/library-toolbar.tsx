import { ArrowDownWideNarrow, ArrowUpDown, Dice3, LayoutGrid, List } from 'lucide-solid'
import { createSignal, Show } from 'solid-js'
import type { LibraryType } from '../../../../src/domain/item-type.ts'
import { GRID_SIZES } from '../../../../src/domain/user-settings.ts'
import type { SortField } from '../../api/browse.ts'
import type { GridSize, Library } from '../../api/types.ts'
import { FiltersButton } from '../../components/filters-button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { late } from '../../components/late.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { Select } from '../../components/select.tsx'
import { SelectButton } from '../../components/select-button.tsx'
import { t as filterText } from '../../i18n/filters.ts'
import { t } from '../../i18n/translate.ts'
import type { Filters } from '../../primitives/create-filters.ts'
import type { Selection } from '../../primitives/create-selection.ts'
import type { createLibrarySort } from '../../primitives/library-sort.ts'
import type { LibraryView } from '../../primitives/library-view.ts'
import { createIsAdmin } from '../../primitives/session.ts'
import { FeedLink } from '../feed/feed-link.tsx'

// Of administrators alone.
const ScanButton = late(async () => (await import('./scan-button.tsx')).ScanButton)

interface LibraryToolbarProps {
  library: Library
  heading: string
  filters: Filters
  order: ReturnType<typeof createLibrarySort>
  size: GridSize
  onSize: (size: GridSize) => void
  view: LibraryView
  onView: (view: LibraryView) => void
  selection: Selection
  /** Undefined before the answer, null where there are too many to count. */
  total: number | null | undefined
}

const SIZE_LETTERS: Record<GridSize, string> = { small: 'S', medium: 'M', large: 'L' }

/** What people say of that they have seen or read it. */
const MARKED_TYPES: readonly LibraryType[] = ['movies', 'tv', 'manga']

const toTop = () => window.scrollTo({ top: 0 })

export const LibraryToolbar = (props: LibraryToolbarProps) => {
  const isAdmin = createIsAdmin()
  /** On phones the order and the view would leave less of the screen for what is in the library. */
  const [isUnfolded, setUnfolded] = createSignal(false)
  const direction = () => {
    const { sort, order } = props.order.query()
    if (sort === 'random') return 'shuffle'
    return order === 'asc' ? 'ascending' : 'descending'
  }
  const count = () => {
    // A folder may hold nothing but folders; that a library is empty is said elsewhere.
    if (props.filters.count() === 0) return props.total === 0 ? '' : t('library.items', props.total ?? props.library.itemCount)
    if (props.total === undefined) return ''
    return props.total === null ? t('library.manyResults') : t('library.results', props.total)
  }
  return (
    <header class="mb-4 flex flex-col gap-3">
      <div class="flex flex-wrap items-center gap-1">
        <div class="flex min-w-32 grow basis-0 flex-col sm:flex-row sm:items-baseline sm:gap-3">
          <PageHeading class="line-clamp-2 text-h1 font-semibold sm:line-clamp-1">{props.heading}</PageHeading>
          <span class="shrink-0 text-small text-muted tabular-nums" aria-live="polite">
            {count()}
          </span>
        </div>
        <Show when={props.library.type === 'mixed'}>
          <FeedLink libraryId={props.library.id} />
        </Show>
        <SelectButton selection={props.selection} canMark={MARKED_TYPES.includes(props.library.type)} />
        <Show when={isAdmin()}>
          {/* It comes late, and pushes nothing aside. */}
          <div class="size-target-large shrink-0">
            <ScanButton library={props.library} />
          </div>
        </Show>
      </div>
      <div class="flex flex-wrap items-center gap-2">
        <div class="flex min-w-0 grow basis-full flex-wrap gap-2 sm:basis-88">
          <SearchField
            label={t('library.search')}
            text={props.filters.search.text()}
            onType={props.filters.search.type}
            onClear={props.filters.search.clear}
          />
          <FiltersButton filters={props.filters} />
          <IconButton
            label={filterText('filters.arrange')}
            aria-expanded={isUnfolded()}
            onClick={() => setUnfolded(!isUnfolded())}
            class="border border-line bg-surface aria-expanded:border-accent sm:hidden"
          >
            <ArrowUpDown size={18} />
          </IconButton>
        </div>
        <div class={`flex w-full flex-wrap items-center gap-1 sm:w-auto sm:gap-2 ${isUnfolded() ? '' : 'max-sm:hidden'}`}>
          <Select<SortField>
            label={t('library.sort')}
            isLabelHidden
            value={props.order.query().sort}
            options={props.order.choices().map((field) => ({ value: field, label: t(`library.sorts.${field}`) }))}
            onSelect={(field) => {
              toTop()
              props.order.sortBy(field)
            }}
            class="grow basis-3/4 sm:w-40 sm:basis-auto"
          />
          <IconButton
            label={t(`library.${direction()}`)}
            onClick={() => {
              toTop()
              props.order.flip()
            }}
            class="border border-line bg-surface"
          >
            {/* Ascending is descending upside down. */}
            <Show
              when={direction() === 'shuffle'}
              fallback={<ArrowDownWideNarrow size={18} class={direction() === 'descending' ? '' : '-scale-y-100'} />}
            >
              <Dice3 size={18} />
            </Show>
          </IconButton>
          <SegmentedControl<LibraryView>
            label={filterText('filters.view')}
            value={props.view}
            options={[
              { value: 'grid', label: filterText('filters.views.grid'), icon: <LayoutGrid size={16} aria-hidden="true" /> },
              { value: 'list', label: filterText('filters.views.list'), icon: <List size={16} aria-hidden="true" /> },
            ]}
            onSelect={props.onView}
          />
          <Show when={props.view === 'grid'}>
            <SegmentedControl<GridSize>
              label={t('library.size')}
              value={props.size}
              options={GRID_SIZES.map((size) => ({ value: size, label: t(`library.sizes.${size}`), short: SIZE_LETTERS[size] }))}
              onSelect={props.onSize}
            />
          </Show>
        </div>
      </div>
    </header>
  )
}
