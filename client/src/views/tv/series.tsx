import { useParams } from '@solidjs/router'
import { Play, Tv } from 'lucide-solid'
import { Show } from 'solid-js'
import { browseAll } from '../../api/browse.ts'
import { listContinue } from '../../api/progress.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { BrowseEntry, Item } from '../../api/types.ts'
import { AiSection } from '../../components/ai-section.tsx'
import { LinkButton } from '../../components/button.tsx'
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
import { createItem } from '../../primitives/create-item.ts'
import { createLevel } from '../../primitives/create-level.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { yearFact } from '../../primitives/entry-facts.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { keyOfSegment, libraryPath, seriesPath, watchPath } from '../../primitives/paths.ts'
import { seasonAddress } from './season-address.ts'

const facts = (series: Item): string[] =>
  [
    yearFact(series) ?? '',
    series.seasonCount ? t('entry.seasons', series.seasonCount) : '',
    series.episodeCount ? t('entry.episodes', series.episodeCount) : '',
  ].filter((fact) => fact !== '')

interface Next {
  /**
   * What the start page goes on with; else the first that has not been seen, and of a series that has been, its first. Specials
   * count where there is nothing else.
   */
  episode: BrowseEntry | undefined
  isSeen: boolean
}

const findNext = async (libraryId: number, seasons: readonly BrowseEntry[], signal: AbortSignal): Promise<Next> => {
  const { entries } = await listContinue()
  const open = entries.find(({ parentKey }) => seasons.some(({ itemKey }) => itemKey === parentKey))
  const regular = seasons.filter(({ seasonNumber }) => seasonNumber !== 0)
  let first: BrowseEntry | undefined
  for (const { itemKey } of regular.length > 0 ? regular : seasons) {
    const episodes = await browseAll({ libraryId, parentKey: itemKey }, signal)
    const next = episodes.find(({ progress }) => !progress?.completed)
    if (next) return { episode: open ?? next, isSeen: false }
    first ??= episodes[0]
  }
  return { episode: open ?? first, isSeen: first !== undefined }
}

const PlayNext = (props: { libraryId: number; seriesKey: string; seasons: readonly BrowseEntry[] }) => {
  const query = createQuery(() => ({
    queryKey: [...queryKeys.libraryContent(props.libraryId), 'next-episode', props.seasons.map(({ itemKey }) => itemKey)],
    queryFn: ({ signal }) => findNext(props.libraryId, props.seasons, signal),
  }))
  const label = ({ seasonNumber, episodeNumber }: BrowseEntry) =>
    episodeNumber === null ? t('item.play') : t('tv.playNext', t('entry.episode', seasonNumber, episodeNumber))
  return (
    <>
      <Show when={query.data?.episode}>
        {(episode) => (
          <LinkButton href={watchPath(episode().itemKey)} variant="primary" size="large">
            <Play size={18} fill="currentColor" aria-hidden="true" />
            {label(episode())}
          </LinkButton>
        )}
      </Show>
      <Show when={query.data?.episode}>
        <MarksButton
          of={{ libraryId: props.libraryId, itemKeys: [props.seriesKey], isReading: false }}
          isDone={query.data?.isSeen ?? false}
        />
      </Show>
    </>
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
            libraryId={series().libraryId}
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
                <Show when={seasons.data}>
                  {(all) => <PlayNext libraryId={libraryId()} seriesKey={series().itemKey} seasons={all()} />}
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
            <VideoFiles title={t('tv.extras')} item={series()} icon={<Tv size={20} aria-hidden="true" />} />
            <AiSection item={series()} shownText={series().plot ?? series().description} />
            <FolderScan item={series()} />
            <DeleteFolder item={series()} />
          </Show>
        </>
      )}
    </QueryView>
  )
}
