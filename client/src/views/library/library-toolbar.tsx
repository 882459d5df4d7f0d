import { ArrowDownWideNarrow, ArrowUpNarrowWide, RefreshCw } from 'lucide-solid'
import { Show } from 'solid-js'
import { GRID_SIZES } from '../../../../src/domain/user-settings.ts'
import type { SortField } from '../../api/browse.ts'
import type { GridSize, Library } from '../../api/types.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { SegmentedControl } from '../../components/segmented-control.tsx'
import { Select } from '../../components/select.tsx'
import { t } from '../../i18n/translate.ts'
import type { createSearchText } from '../../primitives/create-search-text.ts'
import { isScanActive } from '../../primitives/libraries.ts'
import type { createLibrarySort } from '../../primitives/library-sort.ts'
import { createScanStart } from '../../primitives/scan-start.ts'
import { createIsAdmin } from '../../primitives/session.ts'

interface LibraryToolbarProps {
  library: Library
  search: ReturnType<typeof createSearchText>
  order: ReturnType<typeof createLibrarySort>
  size: GridSize
  onSize: (size: GridSize) => void
  /** Undefined before the answer, null where there are too many to count. */
  total: number | null | undefined
  isFiltered: boolean
}

const SIZE_LETTERS: Record<GridSize, string> = { small: 'S', medium: 'M', large: 'L' }

const toTop = () => window.scrollTo({ top: 0 })

export const LibraryToolbar = (props: LibraryToolbarProps) => {
  const isAdmin = createIsAdmin()
  const scan = createScanStart()
  const count = () => {
    if (!props.isFiltered) return t('library.items', props.total ?? props.library.itemCount)
    if (props.total === undefined) return ''
    return props.total === null ? t('library.manyResults') : t('library.results', props.total)
  }
  return (
    <header class="mb-4 flex flex-wrap items-center gap-x-3 gap-y-3 sm:mb-6">
      <div class="mr-auto flex min-w-0 grow basis-40 items-baseline gap-3 sm:basis-auto">
        <PageHeading class="truncate text-h1 font-semibold">{props.library.name}</PageHeading>
        <span class="shrink-0 text-small text-muted tabular-nums" aria-live="polite">
          {count()}
        </span>
      </div>
      <Show when={isAdmin()}>
        <IconButton
          label={t('scan.start', props.library.name)}
          disabled={isScanActive(props.library.lastScan)}
          onClick={() => void scan(props.library.id)}
          class="sm:order-last"
        >
          <RefreshCw size={18} classList={{ 'animate-spin': isScanActive(props.library.lastScan) }} />
        </IconButton>
      </Show>
      <SearchField
        label={t('library.search')}
        text={props.search.text()}
        onType={(text) => {
          toTop()
          props.search.type(text)
        }}
        onClear={props.search.clear}
      />
      <div class="flex w-full items-center gap-2 sm:w-auto">
        <Select<SortField>
          label={t('library.sort')}
          isLabelHidden
          value={props.order.sort()}
          options={props.order.choices().map((field) => ({ value: field, label: t(`library.sorts.${field}`) }))}
          onSelect={(field) => {
            toTop()
            props.order.sortBy(field)
          }}
          class="grow sm:w-40"
        />
        <IconButton
          label={props.order.order() === 'asc' ? t('library.ascending') : t('library.descending')}
          onClick={() => {
            toTop()
            props.order.flip()
          }}
          class="border border-line bg-surface"
        >
          <Show when={props.order.order() === 'asc'} fallback={<ArrowDownWideNarrow size={18} />}>
            <ArrowUpNarrowWide size={18} />
          </Show>
        </IconButton>
        <SegmentedControl<GridSize>
          label={t('library.size')}
          value={props.size}
          options={GRID_SIZES.map((size) => ({ value: size, label: t(`library.sizes.${size}`), short: SIZE_LETTERS[size] }))}
          onSelect={props.onSize}
        />
      </div>
    </header>
  )
}
