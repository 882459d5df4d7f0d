import { A, useNavigate, useParams } from '@solidjs/router'
import { ArrowLeft } from 'lucide-solid'
import { Show } from 'solid-js'
import { parseItemKey } from '../../../../src/domain/item-key.ts'
import { downloadUrl, fileUrl } from '../../api/files.ts'
import { ApiProblem } from '../../api/http.ts'
import { getItem } from '../../api/items.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Item } from '../../api/types.ts'
import { PageHeading } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { VideoPlayer } from '../../components/video-player.tsx'
import { t } from '../../i18n/details.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { decodeSegment, entryPath, libraryPath, seasonPath, seriesPath } from '../../primitives/paths.ts'
import { createCan } from '../../primitives/session.ts'

const WatchPage = (props: { item: Item }) => {
  const can = createCan()
  const navigate = useNavigate()
  const url = createUrlState()
  const startAt = () => (url.get('t') === '' ? undefined : Number(url.get('t')) || 0)
  /** The screen above: the season of an episode, the page of a movie. */
  const upPath = () => {
    if (props.item.itemType !== 'tv_episode') return entryPath(props.item)
    const [series] = props.item.parents
    if (!series) return libraryPath(props.item.libraryId)
    const address = seriesPath(props.item.libraryId, series.itemKey)
    return props.item.seasonNumber === null ? address : seasonPath(address, { seasonNumber: props.item.seasonNumber, title: '' })
  }
  const over = () => {
    const { itemType, episodeNumber, seasonNumber, parents } = props.item
    if (itemType !== 'tv_episode') return undefined
    return [parents[0]?.title, episodeNumber === null ? undefined : t('entry.episode', seasonNumber, episodeNumber)]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <div data-theme="dark" data-stage class="fixed inset-0 z-50 flex flex-col bg-stage text-fg">
      <header class="flex h-14 shrink-0 items-center gap-3 px-2">
        <A
          href={upPath()}
          aria-label={t('action.back')}
          title={t('action.back')}
          class="inline-flex size-11 items-center justify-center rounded-card text-muted hover:bg-raised hover:text-fg"
          onClick={(event) => {
            // Where we came from, with its scroll position, if that was a screen of ours.
            if (window.history.length <= 1 || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            navigate(-1)
          }}
        >
          <ArrowLeft size={22} />
        </A>
        <div class="min-w-0">
          <PageHeading class="truncate text-small font-semibold">{props.item.title}</PageHeading>
          <Show when={over()}>
            <p class="truncate text-caption text-muted">{over()}</p>
          </Show>
        </div>
      </header>
      <div class="relative min-h-0 grow">
        <VideoPlayer
          itemKey={props.item.itemKey}
          url={fileUrl(props.item.itemKey)}
          title={props.item.title}
          posterUrl={props.item.backdropUrl ?? null}
          downloadUrl={can('download') ? downloadUrl(props.item.itemKey) : null}
          startAt={startAt()}
        />
      </div>
    </div>
  )
}

export const Watch = () => {
  const params = useParams()
  const key = () => decodeSegment(params.id) ?? ''
  const item = createQuery(() => ({
    queryKey: queryKeys.item(parseItemKey(key())?.libraryId ?? 0, key()),
    queryFn: ({ signal }) => {
      if (!parseItemKey(key())) throw new ApiProblem(404, 'not_found', '')
      return getItem(key(), signal)
    },
    // The position must be the one that was saved a moment ago.
    staleTime: 0,
  }))
  createPageTitle(() => [item.isSuccess ? item.data?.title : undefined])
  return (
    <QueryView isScreen query={item} skeleton={<div class="fixed inset-0 z-50 bg-stage" />}>
      {(known) => <WatchPage item={known()} />}
    </QueryView>
  )
}
