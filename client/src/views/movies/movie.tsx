import { Clapperboard, Play, RotateCcw } from 'lucide-solid'
import { Show } from 'solid-js'
import { resumePosition } from '../../../../src/domain/progress.ts'
import type { Item } from '../../api/types.ts'
import { AiSection } from '../../components/ai-section.tsx'
import { LinkButton } from '../../components/button.tsx'
import { DeleteFolder } from '../../components/delete-folder.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { FolderScan } from '../../components/folder-scan.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { NfoRefresh } from '../../components/nfo-refresh.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { VideoFiles } from '../../components/video-files.tsx'
import { WatchedButton } from '../../components/watched-button.tsx'
import { t } from '../../i18n/details.ts'
import { createItemPage } from '../../primitives/create-item.ts'
import { yearFact } from '../../primitives/entry-facts.ts'
import { formatClock, formatDate, formatRuntime } from '../../primitives/format.ts'
import { watchPath } from '../../primitives/paths.ts'

const facts = (movie: Item): string[] =>
  [
    yearFact(movie) ?? '',
    movie.runtimeMinutes ? formatRuntime(movie.runtimeMinutes) : movie.durationSeconds ? formatRuntime(movie.durationSeconds / 60) : '',
    t('item.added', formatDate(movie.addedAt)),
  ].filter((fact) => fact !== '')

const PlayButtons = (props: { movie: Item }) => {
  const position = () => resumePosition(props.movie.progress)
  return (
    <>
      <LinkButton href={watchPath(props.movie.itemKey)} variant="primary" size="large">
        <Play size={18} fill="currentColor" aria-hidden="true" />
        <Show when={position()} fallback={t('item.play')}>
          {(seconds) => <>{t('item.resume', formatClock(seconds()))}</>}
        </Show>
      </LinkButton>
      <Show when={position()}>
        <LinkButton href={`${watchPath(props.movie.itemKey)}?t=0`} size="large">
          <RotateCcw size={18} aria-hidden="true" />
          {t('item.startOver')}
        </LinkButton>
      </Show>
    </>
  )
}

const MoviePage = (props: { movie: Item }) => (
  <>
    <DetailHero
      item={props.movie}
      posterUrl={props.movie.posterUrl ?? props.movie.thumbnailUrl ?? props.movie.coverUrl}
      backdropUrl={props.movie.backdropUrl ?? null}
      posterFallback={<Clapperboard size={40} aria-hidden="true" />}
      facts={facts(props.movie)}
      text={props.movie.plot ?? props.movie.description}
      tags={<ItemTags item={props.movie} />}
      actions={
        <>
          <PlayButtons movie={props.movie} />
          <WatchedButton entry={props.movie} />
          <NfoRefresh item={props.movie} />
        </>
      }
    />
    <VideoFiles item={props.movie} icon={<Clapperboard size={20} aria-hidden="true" />} />
    <AiSection item={props.movie} shownText={props.movie.plot ?? props.movie.description} />
    <FolderScan item={props.movie} />
    <DeleteFolder item={props.movie} />
  </>
)

export const Movie = () => {
  const { item } = createItemPage('movie')
  return (
    <QueryView isScreen query={item} skeleton={<DetailSkeleton />}>
      {(movie) => <MoviePage movie={movie()} />}
    </QueryView>
  )
}
