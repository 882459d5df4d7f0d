import { useParams } from '@solidjs/router'
import { BookOpen } from 'lucide-solid'
import { Show } from 'solid-js'
import type { Item } from '../../api/types.ts'
import { CardWall } from '../../components/card-wall.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { GridSkeleton } from '../../components/grid-skeleton.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../i18n/details.ts'
import { createItem } from '../../primitives/create-item.ts'
import { createLevel } from '../../primitives/create-level.ts'
import { createCrumbs } from '../../primitives/crumbs.ts'
import { createLibrary } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { entryPath, keyOfSegment, libraryPath } from '../../primitives/paths.ts'

const Volumes = (props: { series: Item }) => {
  const volumes = createLevel(
    () => props.series.libraryId,
    () => props.series.itemKey,
  )
  return (
    <Section title={t('manga.volumes')} note={props.series.volumeCount ? String(props.series.volumeCount) : undefined}>
      <QueryView query={volumes} skeleton={<GridSkeleton shape="poster" size="medium" rows={2} />}>
        {(entries) => (
          <Show
            when={entries().length > 0}
            fallback={<EmptyState icon={<BookOpen size={28} />} heading={t('manga.noVolumesHeading')} text={t('manga.noVolumes')} />}
          >
            <CardWall entries={entries()} shape="poster" hrefOf={entryPath} />
          </Show>
        )}
      </QueryView>
    </Section>
  )
}

export const MangaSeries = () => {
  const params = useParams()
  const libraryId = () => Number(params.lib)
  const item = createItem(libraryId, () => keyOfSegment('manga_series', params.lib, params.id))
  const { library } = createLibrary(libraryId)
  createPageTitle(() => [item.isSuccess ? item.data?.title : undefined, library()?.name])
  createCrumbs(() => (library() ? [{ label: library()?.name ?? '', href: libraryPath(libraryId()) }] : []))
  return (
    <QueryView isScreen query={item} skeleton={<DetailSkeleton />}>
      {(series) => (
        <>
          <DetailHero
            title={series().title}
            posterUrl={series().coverUrl ?? series().thumbnailUrl}
            thumbhash={series().thumbhash}
            backdropUrl={null}
            posterFallback={<BookOpen size={40} aria-hidden="true" />}
            facts={series().childCount === null ? [] : [t('entry.volumes', series().childCount ?? 0)]}
            rating={series().rating}
            genres={series().genres ?? []}
            text={series().plot ?? series().description}
            actions={<ItemTags item={series()} />}
          />
          <Volumes series={series()} />
        </>
      )}
    </QueryView>
  )
}
