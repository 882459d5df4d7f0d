import { createEffect, createMemo, Show } from 'solid-js'
import { getItem } from '../../api/items.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { createEntryPages } from '../../primitives/create-entry-pages.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { createCan } from '../../primitives/session.ts'
import { slideOf } from '../viewer/slide.ts'
import { Viewer } from '../viewer/viewer.tsx'

interface MixedViewerProps {
  libraryId: number
  pages: ReturnType<typeof createEntryPages>
  itemKey: string
  onMove: (itemKey: string) => void
  onClose: () => void
}

/** The next page is asked for this many slides before the last one that is known. */
const SLIDES_AHEAD = 10

/** The grid's entries in the viewer; a deep link to an item that no page has brought yet shows that item alone. */
export const MixedViewer = (props: MixedViewerProps) => {
  const can = createCan()
  const index = createMemo(() => props.pages.entries().findIndex((entry) => entry.itemKey === props.itemKey))
  const single = createQuery(() => ({
    queryKey: queryKeys.item(props.libraryId, props.itemKey),
    queryFn: ({ signal }) => getItem(props.itemKey, signal),
    enabled: index() < 0,
  }))
  const entries = () => {
    if (index() >= 0) return props.pages.entries()
    return single.isSuccess && single.data ? [single.data] : []
  }
  const slideAt = (target: number) => {
    const entry = entries()[target]
    return entry && slideOf(entry)
  }
  createEffect(() => {
    if (index() >= entries().length - SLIDES_AHEAD) props.pages.loadMore()
  })
  return (
    <Show when={entries().length > 0}>
      <Viewer
        length={entries().length}
        slideAt={slideAt}
        index={Math.max(0, index())}
        count={index() < 0 ? 1 : (props.pages.total() ?? entries().length)}
        canDownload={can('download')}
        onMove={(target) => {
          const entry = entries()[target]
          if (entry) props.onMove(entry.itemKey)
        }}
        onClose={props.onClose}
      />
    </Show>
  )
}
