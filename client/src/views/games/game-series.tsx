import { useParams } from '@solidjs/router'
import { Gamepad2 } from 'lucide-solid'
import { type JSX, Show } from 'solid-js'
import type { Item } from '../../api/types.ts'
import { ActiveFilters } from '../../components/active-filters.tsx'
import { AiSection } from '../../components/ai-section.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { EntryGrid } from '../../components/entry-grid.tsx'
import { FilterPanelLayout } from '../../components/filter-panel-layout.tsx'
import { FiltersButton } from '../../components/filters-button.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../i18n/details.ts'
import { createCardSize } from '../../primitives/create-card-size.ts'
import { createEntryPages } from '../../primitives/create-entry-pages.ts'
import { createFilters } from '../../primitives/create-filters.ts'
import { createItem } from '../../primitives/create-item.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { entryPath, keyOfSegment, libraryPath } from '../../primitives/paths.ts'
import { createCan } from '../../primitives/session.ts'
import { CoverButtons } from './cover-buttons.tsx'

/** What is below comes once the games are there: it would be pushed away by them. */
const GamesOf = (props: { series: Item; below: JSX.Element }) => {
  let start!: HTMLDivElement
  const [size] = createCardSize()
  const level = () => ({ libraryId: props.series.libraryId, parentKey: props.series.itemKey })
  const filters = createFilters(level, { start: () => start })
  const pages = createEntryPages(() => ({ ...level(), ...filters.query() }))
  return (
    <div ref={start}>
      <Section
        title={t('gameSeries.games')}
        actions={
          <>
            <SearchField
              label={t('library.search')}
              text={filters.search.text()}
              onType={filters.search.type}
              onClear={filters.search.clear}
            />
            <FiltersButton filters={filters} />
          </>
        }
      >
        <FilterPanelLayout filters={filters}>
          <ActiveFilters filters={filters} />
          <EntryGrid label={t('library.grid', props.series.title)} pages={pages} shape="poster" size={size()} hrefOf={entryPath} />
          <Show when={pages.query.data && pages.entries().length === 0}>
            <Show
              when={filters.count() > 0}
              fallback={
                <EmptyState icon={<Gamepad2 size={28} />} heading={t('gameSeries.noGamesHeading')} text={t('gameSeries.noGames')} />
              }
            >
              <NoMatch filters={filters} />
            </Show>
          </Show>
        </FilterPanelLayout>
      </Section>
      <Show when={!pages.query.isPending}>{props.below}</Show>
    </div>
  )
}

export const GameSeries = () => {
  const can = createCan()
  const params = useParams()
  const libraryId = () => Number(params.lib)
  const item = createItem(libraryId, () => keyOfSegment('game_series', params.lib, params.id))
  const { library } = createLibrary(libraryId)
  createPageTitle(() => [item.data?.title, library()?.name])
  createCrumbs(() => (library() ? [{ label: library()?.name ?? '', href: libraryPath(libraryId()) }] : []))
  return (
    <QueryView isScreen query={item} skeleton={<DetailSkeleton />}>
      {(series) => (
        <>
          <DetailHero
            title={series().title}
            missingSince={series().missingSince}
            posterUrl={series().coverUrl ?? series().thumbnailUrl}
            thumbhash={series().thumbhash}
            backdropUrl={series().wideCoverUrl ?? null}
            posterFallback={<Gamepad2 size={40} aria-hidden="true" />}
            facts={[t('entry.games', series().gameCount ?? series().childCount ?? 0)]}
            rating={null}
            genres={[]}
            text={series().description}
            tags={<ItemTags item={series()} />}
          />
          <GamesOf
            series={series()}
            below={
              <>
                <AiSection item={series()} shownText={series().description} />
                <Show when={can('upload')}>
                  <Section title={t('upload.editPictures')}>
                    <CoverButtons itemKey={series().itemKey} libraryId={series().libraryId} />
                  </Section>
                </Show>
              </>
            }
          />
        </>
      )}
    </QueryView>
  )
}
