import { Key } from '@solid-primitives/keyed'
import { A, useNavigate, useParams } from '@solidjs/router'
import { Tv } from 'lucide-solid'
import { For, Show } from 'solid-js'
import { isItemKey } from '../../../../src/domain/item-key.ts'
import { browseAll } from '../../api/browse.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { BrowseEntry, Item } from '../../api/types.ts'
import { ActiveFilters } from '../../components/active-filters.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterPanelLayout } from '../../components/filter-panel-layout.tsx'
import { FiltersButton } from '../../components/filters-button.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { LibraryAway } from '../../components/library-away.tsx'
import { MarksButton } from '../../components/marks-button.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { RefetchBar } from '../../components/progress-bar.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ResultCount } from '../../components/result-count.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/details.ts'
import { createFilters } from '../../primitives/create-filters.ts'
import { createItem, libraryCrumb } from '../../primitives/create-item.ts'
import { createLevel } from '../../primitives/create-level.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { keyOfSegment, seriesPath } from '../../primitives/paths.ts'
import { createCan } from '../../primitives/session.ts'
import { EpisodeRow } from './episode-row.tsx'
import { createNextEpisode, PlayNext } from './next-episode.tsx'
import { seasonAddress, seasonAt } from './season-address.ts'

/** Above this many seasons the tabs become a list to choose from. */
const MAX_TABS = 8

const SeasonTabs = (props: { seasons: readonly BrowseEntry[]; current: BrowseEntry; address: string }) => {
  const navigate = useNavigate()
  const isLong = () => props.seasons.length > MAX_TABS
  const addressOf = (season: BrowseEntry) => seasonAddress(props.address, season, props.seasons)
  const go = (itemKey: string) => {
    const season = props.seasons.find((candidate) => candidate.itemKey === itemKey)
    if (season) navigate(addressOf(season))
  }
  return (
    <Show when={props.seasons.length > 1}>
      <nav
        aria-label={t('tv.seasons')}
        class={isLong() ? 'hidden' : 'hidden max-w-full gap-1 overflow-x-auto rounded-card border border-line bg-surface p-1 sm:flex'}
      >
        <Key each={props.seasons} by="itemKey">
          {(season) => (
            <A
              href={addressOf(season())}
              // The router's own mark compares encoded with decoded paths, which differ for most series.
              aria-current={season().itemKey === props.current.itemKey ? 'page' : undefined}
              class="flex h-target-small shrink-0 items-center rounded-chip px-3 text-small text-muted transition-colors hover:text-fg aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:text-fg"
            >
              {season().title}
            </A>
          )}
        </Key>
      </nav>
      <Select
        label={t('tv.seasons')}
        isLabelHidden
        value={props.current.itemKey}
        options={props.seasons.map((season) => ({ value: season.itemKey, label: season.title }))}
        onSelect={go}
        class={isLong() ? 'w-full sm:w-60' : 'w-full sm:hidden'}
      />
    </Show>
  )
}

const SeasonPage = (props: { series: Item; seasons: readonly BrowseEntry[]; season: BrowseEntry }) => {
  const can = createCan()
  const address = () => seriesPath(props.series.libraryId, props.series.itemKey)
  const level = () => ({ libraryId: props.season.libraryId, parentKey: props.season.itemKey })
  const filters = createFilters(level)
  const item = createItem(
    () => props.season.libraryId,
    () => (isItemKey(props.season.itemKey) ? props.season.itemKey : undefined),
  )
  const episodes = createQuery(() => {
    const query = { ...level(), ...filters.query() }
    return {
      queryKey: queryKeys.browseAll(query),
      queryFn: ({ signal }) => browseAll(query, signal),
      // Of this season: another one's episodes would be wrong, and not only old.
      placeholderData: (previous: BrowseEntry[] | undefined) => (previous?.[0]?.parentKey === props.season.itemKey ? previous : undefined),
    }
  })
  const shown = () => episodes.data ?? []
  const total = () => (episodes.isPlaceholderData ? undefined : episodes.data?.length)
  const next = createNextEpisode(
    () => props.season.libraryId,
    () => [props.season],
  )
  const { library } = createLibrary(() => props.series.libraryId)
  createPageTitle(() => [props.season.title, props.series.title, library()?.name])
  createCrumbs(() => [...libraryCrumb(library()), { label: props.series.title, href: address() }])
  return (
    <>
      <header class="mb-6 flex flex-col gap-4">
        <div class="flex flex-wrap items-start gap-3">
          <div class="flex min-w-0 grow flex-wrap items-baseline gap-x-3 gap-y-2 wrap-anywhere">
            <PageHeading>{props.season.title}</PageHeading>
            <A href={address()} class="inline-flex items-center rounded-chip text-small text-muted hover:text-accent min-h-finger">
              {props.series.title}
            </A>
            {/* What comes in a moment stays out of nobody's way: most seasons have no tag, and the button alone. */}
            <Show when={item.data} fallback={can('tag') && item.isPending && <div class="h-target-small w-24" />}>
              {(season) => (
                // What is on its way to one season, and a selector that is open, belong to that season.
                <Show when={season().itemKey} keyed>
                  <ItemTags item={season()} />
                </Show>
              )}
            </Show>
          </div>
          <Show when={next.isPending || next.data}>
            {/* It comes late, and pushes nothing down. */}
            <div class="h-target-large max-sm:w-full">
              <PlayNext next={next} isSmall />
            </div>
          </Show>
        </div>
        <div class="flex flex-wrap items-center gap-3">
          <SeasonTabs seasons={props.seasons} current={props.season} address={address()} />
          <div class="flex w-full flex-wrap gap-2 sm:ml-auto sm:w-auto">
            <SearchField label={t('tv.search')} text={filters.search.text()} onType={filters.search.type} onClear={filters.search.clear} />
            <FiltersButton filters={filters} />
            <Show when={shown().length > 0}>
              <MarksButton
                isSmall
                of={{ libraryId: props.season.libraryId, itemKeys: shown().map(({ itemKey }) => itemKey), isReading: false }}
                isDone={shown().every(({ progress }) => progress?.completed)}
              />
            </Show>
          </div>
        </div>
      </header>
      <LibraryAway libraryId={props.season.libraryId} class="mb-3" />
      <FilterPanelLayout filters={filters} total={total()}>
        <RefetchBar isBusy={episodes.isRefetching} />
        <ResultCount isFiltered={filters.count() > 0} total={total()} />
        <ActiveFilters filters={filters} />
        <QueryView query={episodes} skeleton={<For each={[1, 2, 3, 4]}>{() => <Skeleton class="mb-3 h-28 w-full" />}</For>}>
          {() => (
            <Show
              when={shown().length > 0}
              fallback={
                <Show
                  when={filters.count() > 0}
                  fallback={<EmptyState icon={<Tv size={28} />} heading={t('tv.noEpisodesHeading')} text={t('tv.noEpisodes')} />}
                >
                  <NoMatch filters={filters} />
                </Show>
              }
            >
              <ol class="flex flex-col gap-2" aria-label={t('tv.episodes')}>
                <Key each={shown()} by="itemKey">
                  {(episode) => <EpisodeRow episode={episode()} />}
                </Key>
              </ol>
            </Show>
          )}
        </QueryView>
      </FilterPanelLayout>
    </>
  )
}

export const Season = () => {
  const params = useParams()
  const libraryId = () => Number(params.lib)
  const key = () => keyOfSegment('tv_series', params.lib, params.id)
  const series = createItem(libraryId, key)
  const seasons = createLevel(libraryId, key)
  const current = () => seasonAt(seasons.data ?? [], params.n)
  return (
    <QueryView isScreen query={series} skeleton={<Skeleton class="h-80 w-full" />}>
      {(known) => (
        <QueryView query={seasons}>
          {(all) => (
            <Show
              when={current()}
              fallback={<EmptyState isScreen icon={<Tv size={28} />} heading={t('problem.notFoundHeading')} text={t('problem.notFound')} />}
            >
              {(season) => <SeasonPage series={known()} seasons={all()} season={season()} />}
            </Show>
          )}
        </QueryView>
      )}
    </QueryView>
  )
}
