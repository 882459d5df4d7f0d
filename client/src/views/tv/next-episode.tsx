import { Play } from 'lucide-solid'
import { type Accessor, Show } from 'solid-js'
import { browseAll } from '../../api/browse.ts'
import { listContinue } from '../../api/progress.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { LinkButton } from '../../components/button.tsx'
import { t } from '../../i18n/details.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { watchPath } from '../../primitives/paths.ts'

/**
 * What the start page goes on with; else the first that has not been seen, and of what has been, its first. Specials count
 * where there is nothing else.
 */
const findNext = async (libraryId: number, seasons: readonly BrowseEntry[], signal: AbortSignal): Promise<BrowseEntry | null> => {
  const seriesKey = seasons[0]?.parentKey
  if (!seriesKey) return null
  const { entries } = await listContinue(seriesKey)
  const open = entries.find(({ parentKey }) => seasons.some(({ itemKey }) => itemKey === parentKey))
  if (open) return open
  const regular = seasons.filter(({ seasonNumber }) => seasonNumber !== 0)
  let first: BrowseEntry | undefined
  for (const { itemKey } of regular.length > 0 ? regular : seasons) {
    const episodes = await browseAll({ libraryId, parentKey: itemKey }, signal)
    const next = episodes.find(({ progress }) => !progress?.completed)
    if (next) return next
    first ??= episodes[0]
  }
  return first ?? null
}

/** Where to go on in these seasons of one series. */
export const createNextEpisode = (libraryId: Accessor<number>, seasons: Accessor<readonly BrowseEntry[]>) =>
  createQuery(() => ({
    // By the series as well: once that is deleted, it is asked for no more.
    queryKey: [...queryKeys.libraryContent(libraryId()), 'next-episode', seasons()[0]?.parentKey, seasons().map(({ itemKey }) => itemKey)],
    queryFn: ({ signal }) => findNext(libraryId(), seasons(), signal),
  }))

const labelOf = ({ seasonNumber, episodeNumber }: BrowseEntry) =>
  episodeNumber === null ? t('item.play') : t('tv.playNext', t('entry.episode', seasonNumber, episodeNumber))

export const PlayNext = (props: { next: ReturnType<typeof createNextEpisode>; isSmall?: boolean }) => (
  <Show when={props.next.data}>
    {(episode) => (
      <LinkButton
        href={watchPath(episode().itemKey)}
        variant="primary"
        size={props.isSmall ? 'medium' : 'large'}
        class={props.isSmall ? undefined : 'max-sm:w-full'}
      >
        <Play size={18} fill="currentColor" aria-hidden="true" />
        {labelOf(episode())}
      </LinkButton>
    )}
  </Show>
)
