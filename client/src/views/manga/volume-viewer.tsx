import { createEffect, createSignal, Show } from 'solid-js'
import { mangaPageUrl } from '../../api/files.ts'
import { listMangaPages } from '../../api/manga.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { BrowseEntry } from '../../api/types.ts'
import { t } from '../../i18n/details.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { notifyError } from '../../primitives/notify.ts'
import { Viewer } from '../viewer/viewer.tsx'

/** The pages of a volume in the viewer, in the order of the archive. */
export const VolumeViewer = (props: { volume: BrowseEntry; onClose: () => void }) => {
  const [index, setIndex] = createSignal(props.volume.progress?.completed ? 0 : (props.volume.progress?.page ?? 0))
  const pages = createQuery(() => ({
    queryKey: queryKeys.mangaPages(props.volume.libraryId, props.volume.itemKey),
    queryFn: ({ signal }) => listMangaPages(props.volume.itemKey, signal),
  }))
  const count = () => (pages.isSuccess ? (pages.data?.pages.length ?? 0) : 0)
  createEffect(() => {
    if (pages.isError || (pages.isSuccess && count() === 0)) {
      notifyError(pages.error ?? new Error(t('viewer.pagesHeading')))
      props.onClose()
    }
  })
  const slideAt = (page: number) =>
    page < 0 || page >= count()
      ? undefined
      : {
          key: `${props.volume.itemKey}#${page}`,
          title: props.volume.title,
          kind: 'image' as const,
          url: mangaPageUrl(props.volume.itemKey, page),
          fallbackUrl: null,
          thumbhash: null,
          downloadUrl: null,
          durationSeconds: null,
          facts: [t('manga.page', page + 1)],
        }
  return (
    <Show when={count() > 0}>
      <Viewer
        length={count()}
        slideAt={slideAt}
        index={Math.min(index(), count() - 1)}
        count={count()}
        canDownload={false}
        onMove={setIndex}
        onClose={props.onClose}
      />
    </Show>
  )
}
