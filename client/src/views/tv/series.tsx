import { useParams } from '@solidjs/router'
import { Play, Tv } from 'lucide-solid'
import { Show } from 'solid-js'
import { browseAll } from '../../api/browse.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { BrowseEntry, Item } from '../../api/types.ts'
import { AiSection } from '../../components/ai-section.tsx'
import { LinkButton } from '../../components/button.tsx'
import { CardWall } from '../../components/card-wall.tsx'
import { DeleteFolder } from '../../components/delete-folder.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { GridSkeleton } from '../../components/grid-skeleton.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { NfoRefresh } from '../../components/nfo-refresh.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../i18n/details.ts'
import { createItem } from '../../primitives/create-item.ts'
import { createLevel } from '../../primitives/create-level.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { yearFact } from '../../primitives/entry-facts.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { keyOfSegment, libraryPath, seasonPath, seriesPath, watchPath } from '../../primitives/paths.ts'

const facts = (series: Item): string[] =>
  [
    yearFact(series) ?? '',
    series.seasonCount ? t('entry.seasons', series.seasonCount) : '',
    series.episodeCount ? t('entry.episodes', series.episodeCount) : '',
  ].filter((fact) => fact !== '')

/** The season to begin with: the first that is no collection of specials. */
const firstSeason = (seasons: readonly BrowseEntry[]) => seasons.find(({ seasonNumber }) => seasonNumber !== 0) ?? seasons[0]

const PlayNext = (props: { libraryId: number; season: BrowseEntry }) => {
  const query = () => ({ libraryId: props.libraryId, parentKey: props.season.itemKey })
  const episodes = createQuery(() => ({ queryKey: queryKeys.browseAll(query()), queryFn: ({ signal }) => browseAll(query(), signal) }))
  const next = () => {
    const known = episodes.data ?? []
    return known.find(({ progress }) => !progress?.completed) ?? known[0]
  }
  return (
    <Show when={next()}>
      {(episode) => (
        <LinkButton href={watchPath(episode().itemKey)} variant="primary" size="large">
          <Play size={18} fill="currentColor" aria-hidden="true" />
          {t('tv.playNext', t('entry.episode', episode().seasonNumber, episode().episodeNumber ?? 1))}
        </LinkButton>
      )}
    </Show>
  )
}

export const Series = () => {
  const params = useParams()
  const libraryId = () => Number(params.lib)
  const key = () => keyOfSegment('tv_series', params.lib, params.id)
  const item = createItem(libraryId, key)
  const seasons = createLevel(libraryId, key)
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
            posterUrl={series().posterUrl ?? series().thumbnailUrl ?? series().coverUrl}
            thumbhash={series().thumbhash}
            backdropUrl={series().backdropUrl ?? null}
            posterFallback={<Tv size={40} aria-hidden="true" />}
            facts={facts(series())}
            rating={series().rating}
            genres={series().genres ?? []}
            text={series().plot ?? series().description}
            tags={<ItemTags item={series()} />}
            actions={
              <>
                <Show when={firstSeason(seasons.data ?? [])}>{(season) => <PlayNext libraryId={libraryId()} season={season()} />}</Show>
                <NfoRefresh item={series()} />
              </>
            }
          />
          <Section title={t('tv.seasons')}>
            <QueryView query={seasons} skeleton={<GridSkeleton shape="poster" size="medium" rows={1} />}>
              {(entries) => (
                <Show
                  when={entries().length > 0}
                  fallback={<EmptyState icon={<Tv size={28} />} heading={t('tv.seasons')} text={t('tv.noSeasons')} />}
                >
                  <CardWall
                    entries={entries()}
                    shape="poster"
                    hrefOf={(entry) => seasonPath(seriesPath(libraryId(), series().itemKey), entry)}
                  />
                </Show>
              )}
            </QueryView>
          </Section>
          <AiSection item={series()} shownText={series().plot ?? series().description} />
          <DeleteFolder item={series()} />
        </>
      )}
    </QueryView>
  )
}
