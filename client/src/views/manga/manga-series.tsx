import { BookOpen } from 'lucide-solid'
import { Show } from 'solid-js'
import { resumePage } from '../../../../src/domain/progress.ts'
import { listContinue } from '../../api/progress.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { BrowseEntry, Item } from '../../api/types.ts'
import { AiSection } from '../../components/ai-section.tsx'
import { LinkButton } from '../../components/button.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FolderScan } from '../../components/folder-scan.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { LevelEntries } from '../../components/level-entries.tsx'
import { MarksButton } from '../../components/marks-button.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { t } from '../../i18n/details.ts'
import { createItemPage } from '../../primitives/create-item.ts'
import { createLevel } from '../../primitives/create-level.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { formatCount } from '../../primitives/format.ts'
import { readPath } from '../../primitives/paths.ts'
import { seriesPart } from '../../primitives/series-part.ts'
import { volumeName } from '../../primitives/volume-name.ts'

/** Where to read on: what the start page goes on with, else the first volume that has not been read. */
const ReadOn = (props: { series: Item; volumes: readonly BrowseEntry[] }) => {
  const begun = createQuery(() => ({
    queryKey: [...queryKeys.libraryContent(props.series.libraryId), 'next-volume', props.series.itemKey],
    queryFn: async () => (await listContinue(props.series.itemKey)).entries[0] ?? null,
  }))
  const volume = () =>
    begun.isPending ? undefined : (begun.data ?? props.volumes.find(({ progress }) => !progress?.completed) ?? props.volumes[0])
  const label = (known: BrowseEntry) => {
    if (resumePage(known.progress, known.pageCount)) return t('manga.readOn', volumeName(known))
    return known.progress?.completed ? t('manga.again') : t('manga.begin', volumeName(known))
  }
  /** Around the name of the series, which stands above. */
  const shown = (known: BrowseEntry) => {
    const part = seriesPart(known.title, props.series.title)
    const [before = '', ...after] = part ? label(known).split(part) : [label(known)]
    return { before, part, after: after.join('') }
  }
  return (
    // On a phone it takes what its row has left, which is kept for it: what stands below is to stay there.
    <Show when={volume()} fallback={<span class="h-11 max-sm:flex-1" />}>
      {(known) => (
        <LinkButton
          href={readPath(known().itemKey)}
          variant="primary"
          size="large"
          class="min-w-0 max-w-full max-sm:flex-1"
          title={label(known())}
        >
          <BookOpen size={18} class="shrink-0" aria-hidden="true" />
          <span class="relative truncate">
            {shown(known()).before}
            <span class="sr-only">{shown(known()).part}</span>
            {shown(known()).after}
          </span>
        </LinkButton>
      )}
    </Show>
  )
}

/** How many there are, and how many of them have been read. */
const readNote = (series: Item, volumes: readonly BrowseEntry[]): string => {
  const read = volumes.filter(({ progress }) => progress?.completed).length
  const count = formatCount(volumes.length || (series.volumeCount ?? 0))
  return read > 0 ? t('manga.readOf', formatCount(read), count) : count
}

export const MangaSeries = () => {
  const { item, libraryId, key } = createItemPage('manga_series')
  const volumes = createLevel(libraryId, key)
  return (
    <QueryView isScreen query={item} skeleton={<DetailSkeleton />}>
      {(series) => (
        <>
          <DetailHero
            item={series()}
            posterUrl={series().coverUrl ?? series().thumbnailUrl}
            backdropUrl={null}
            posterFallback={<BookOpen size={40} aria-hidden="true" />}
            facts={series().childCount === null ? [] : [t('entry.volumes', series().childCount ?? 0)]}
            text={series().plot ?? series().description}
            tags={<ItemTags item={series()} />}
            actions={
              <Show when={volumes.data?.length ?? series().childCount}>
                <ReadOn series={series()} volumes={volumes.data ?? []} />
                <MarksButton
                  of={{ libraryId: libraryId(), itemKeys: [series().itemKey], isReading: true }}
                  isDone={volumes.data?.every(({ progress }) => progress?.completed) ?? false}
                />
              </Show>
            }
          />
          <LevelEntries
            parent={series()}
            title={t('manga.volumes')}
            note={readNote(series(), volumes.data ?? [])}
            empty={<EmptyState icon={<BookOpen size={28} />} heading={t('manga.noVolumesHeading')} text={t('manga.noVolumes')} />}
            below={
              <>
                <AiSection item={series()} shownText={series().plot ?? series().description} />
                <FolderScan item={series()} />
              </>
            }
          />
        </>
      )}
    </QueryView>
  )
}
