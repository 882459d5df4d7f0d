import { useParams } from '@solidjs/router'
import { BookOpen } from 'lucide-solid'
import { createEffect, onMount, Show } from 'solid-js'
import { parseItemKey } from '../../../../src/domain/item-key.ts'
import { ApiProblem } from '../../api/http.ts'
import { getItem } from '../../api/items.ts'
import { mangaPagesQuery } from '../../api/manga.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { LinkButton } from '../../components/button.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { t } from '../../i18n/reader.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createReaderSettings } from '../../primitives/create-reader-settings.ts'
import { folderFact } from '../../primitives/entry-facts.ts'
import { createFileFailure } from '../../primitives/file-failure.ts'
import { followMoved } from '../../primitives/follow-moved.ts'
import { createFullscreenEnd } from '../../primitives/fullscreen-end.ts'
import { listen } from '../../primitives/listen.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { decodeSegment, libraryPath, mangaSeriesPath, readPath } from '../../primitives/paths.ts'
import { readProgress, saveUntold } from '../../primitives/saved-surely.ts'
import { createWayUp } from '../../primitives/step-back.ts'
import { ReaderTopBar } from './reader-bars.tsx'
import { Volume } from './volume.tsx'
import { Waiting } from './waiting.tsx'

export const Reader = () => {
  const params = useParams()
  const key = () => decodeSegment(params.id) ?? ''
  const libraryId = () => parseItemKey(key())?.libraryId ?? 0
  const volume = createQuery(() => ({
    queryKey: queryKeys.item(libraryId(), key()),
    queryFn: ({ signal }) => {
      if (parseItemKey(key())?.itemType !== 'manga_volume') throw new ApiProblem(404, 'not_found', '')
      return getItem(key(), signal)
    },
  }))
  // The page must be the one that was saved a moment ago, and not one from the cache.
  const progress = createQuery(() => ({
    queryKey: queryKeys.progress(key()),
    queryFn: async () => {
      await saveUntold(key())
      return readProgress(key())
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  }))
  const manga = createQuery(() => mangaPagesQuery(libraryId(), key()))
  const { failure, setFailure, judge } = createFileFailure(key, () => manga.refetch())
  createEffect(async () => setFailure(manga.isError ? await judge() : undefined))
  followMoved(volume, key, ({ itemKey }) => readPath(itemKey))
  const parent = () => volume.data?.parents.at(-1)
  const folder = () => volume.data && folderFact(volume.data)
  createPageTitle(() => [volume.data?.title, folder(), parent()?.title])
  createFullscreenEnd()
  const control = createReaderSettings(key)
  const upPath = () => {
    const series = parent()
    if (series) return mangaSeriesPath(libraryId(), series.itemKey)
    return libraryId() > 0 ? libraryPath(libraryId()) : '/'
  }
  const goUp = createWayUp(upPath)
  /** While it was read: what is known of it is shown no more. */
  const isGone = () => volume.error instanceof ApiProblem && [403, 404].includes(volume.error.status)
  const isReading = () => Boolean(volume.data && !isGone() && manga.data?.pages.length && progress.data && control.isReady())
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isReading()) goUp()
  }
  onMount(() => listen(document, { keydown: onKeyDown }))
  return (
    <div data-theme="dark" data-stage="page" data-own-keys class="fixed inset-0 z-50 overflow-hidden bg-stage text-fg">
      {/* A volume brings its own bar: until it is there, and where it cannot be read, nobody is shut in. */}
      <Show when={!isReading()}>
        <ReaderTopBar isShown title={volume.data?.title ?? ''} series={parent()?.title} folder={folder()} upPath={upPath()} onUp={goUp} />
      </Show>
      <div class={isReading() ? 'contents' : 'flex h-full flex-col justify-center overflow-y-auto px-4 pt-14'}>
        <QueryView isScreen query={volume} skeleton={<Waiting />}>
          {(known) => (
            <>
              <PageHeading class="sr-only">{known().title}</PageHeading>
              <Show
                when={failure() !== 'away'}
                fallback={
                  <p role="status" class="text-center text-muted">
                    {t('reader.failure.away')}
                  </p>
                }
              >
                <QueryView query={manga} skeleton={<Waiting />}>
                  {(pages) => (
                    <Show
                      when={pages().pages.length > 0}
                      fallback={
                        <div class="flex flex-col items-center gap-4 text-muted">
                          <BookOpen size={40} aria-hidden="true" />
                          <p>{t('reader.noPages')}</p>
                          <LinkButton href={upPath()} replace onClick={goUp}>
                            {t('reader.toSeries')}
                          </LinkButton>
                        </div>
                      }
                    >
                      <QueryView query={progress} skeleton={<Waiting />}>
                        {(begun) => (
                          <Show when={control.isReady() && known().itemKey} keyed>
                            <Volume
                              volume={known()}
                              manga={pages()}
                              begun={begun()}
                              control={control}
                              series={parent()?.title}
                              upPath={upPath()}
                              onUp={goUp}
                            />
                          </Show>
                        )}
                      </QueryView>
                    </Show>
                  )}
                </QueryView>
              </Show>
            </>
          )}
        </QueryView>
      </div>
    </div>
  )
}
