import { Gamepad2 } from 'lucide-solid'
import { Show } from 'solid-js'
import { AiSection } from '../../components/ai-section.tsx'
import { DetailHero } from '../../components/detail-hero.tsx'
import { DetailSkeleton } from '../../components/detail-skeleton.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FolderScan } from '../../components/folder-scan.tsx'
import { ItemTags } from '../../components/item-tags.tsx'
import { LevelEntries } from '../../components/level-entries.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../i18n/details.ts'
import { createItemPage } from '../../primitives/create-item.ts'
import { createCan } from '../../primitives/session.ts'
import { CoverButtons } from './cover-buttons.tsx'

export const GameSeries = () => {
  const can = createCan()
  const { item } = createItemPage('game_series')
  return (
    <QueryView isScreen query={item} skeleton={<DetailSkeleton />}>
      {(series) => (
        <>
          <DetailHero
            item={series()}
            posterUrl={series().coverUrl ?? series().thumbnailUrl}
            backdropUrl={series().wideCoverUrl ?? null}
            posterFallback={<Gamepad2 size={40} aria-hidden="true" />}
            facts={[t('entry.games', series().gameCount ?? series().childCount ?? 0)]}
            text={series().description}
            tags={<ItemTags item={series()} />}
          />
          <LevelEntries
            parent={series()}
            title={t('gameSeries.games')}
            empty={<EmptyState icon={<Gamepad2 size={28} />} heading={t('gameSeries.noGamesHeading')} text={t('gameSeries.noGames')} />}
            below={
              <>
                <AiSection item={series()} shownText={series().description} />
                <Show when={can('upload')}>
                  <Section title={t('upload.editPictures')}>
                    <CoverButtons itemKey={series().itemKey} libraryId={series().libraryId} />
                  </Section>
                </Show>
                <FolderScan item={series()} />
              </>
            }
          />
        </>
      )}
    </QueryView>
  )
}
