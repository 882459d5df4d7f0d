import { Tv } from 'lucide-solid'
import { Show } from 'solid-js'
import type { BrowseEntry, Item } from '../../api/types.ts'
import { AiSection } from '../../components/ai-section.tsx'
import { CardWall } from '../../components/card-wall.tsx'
import { DeleteFolder } from '../../components/delete-folder.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FolderScan } from '../../components/folder-scan.tsx'
import { GridSkeleton } from '../../components/grid-skeleton.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { MarksButton } from '../../components/marks-button.tsx'
import { NfoRefresh } from '../../components/nfo-refresh.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Section } from '../../components/section.tsx'
import { VideoFiles } from '../../components/video-files.tsx'
import { t } from '../../i18n/details.ts'
import { createItemPage } from '../../primitives/create-item.ts'
import { createLevel } from '../../primitives/create-level.ts'
import { yearFact } from '../../primitives/entry-facts.ts'
import { seriesPath } from '../../primitives/paths.ts'
import { createNextEpisode, PlayNext } from './next-episode.tsx'
import { seasonAddress } from './season-address.ts'

const facts = (series: Item): string[] =>
  [
    yearFact(series) ?? '',
    series.seasonCount ? t('entry.seasons', series.seasonCount) : '',
    series.episodeCount ? t('entry.episodes', series.episodeCount) : '',
  ].filter((fact) => fact !== '')

const PlaySeries = (props: { libraryId: number; seasons: readonly BrowseEntry[] }) => {
  const next = createNextEpisode(
    () => props.libraryId,
    () => props.seasons,
  )
  return <PlayNext next={next} />
}

export const Series = () => {
  const { item, libraryId, key } = createItemPage('tv_series')
  const seasons = createLevel(libraryId, key)
  return (
    <QueryView isScreen query={item} skeleton={<DetailSkeleton />}>
      {(series) => (
        <>
          <DetailHero
            item={series()}
            posterUrl={series().posterUrl ?? series().thumbnailUrl ?? series().coverUrl}
            backdropUrl={series().backdropUrl ?? null}
            posterFallback={<Tv size={40} aria-hidden="true" />}
            facts={facts(series())}
            text={series().plot ?? series().description}
            tags={<ItemTags item={series()} />}
            actions={
              <>
                <Show when={series().episodeCount}>
                  {/* Its place is kept for it: on a phone it would push what stands beside it into another row. */}
                  <div class="min-h-11 max-sm:grow max-sm:basis-48">
                    <Show when={seasons.data}>{(all) => <PlaySeries libraryId={libraryId()} seasons={all()} />}</Show>
                  </div>
                  <MarksButton
                    of={{ libraryId: libraryId(), itemKeys: [series().itemKey], isReading: false }}
                    isDone={series().progress?.completed ?? false}
                  />
                </Show>
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
                    hrefOf={(entry) => seasonAddress(seriesPath(libraryId(), series().itemKey), entry, entries())}
                  />
                </Show>
              )}
            </QueryView>
          </Section>
          {/* The seasons would push it away. */}
          <Show when={!seasons.isPending}>
            <VideoFiles item={series()} icon={<Tv size={20} aria-hidden="true" />} />
            <AiSection item={series()} shownText={series().plot ?? series().description} />
            <FolderScan item={series()} />
            <DeleteFolder item={series()} />
          </Show>
        </>
      )}
    </QueryView>
  )
}
