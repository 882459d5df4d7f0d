import { createEffect, createMemo, onCleanup, Show } from 'solid-js'
import { ApiProblem } from '../../api/http.ts'
import { getItem, itemQuery } from '../../api/items.ts'
import { late } from '../../components/late.tsx'
import { t } from '../../i18n/viewers.ts'
import type { createEntryPages } from '../../primitives/create-entry-pages.ts'
import { createEntryWindow, type EntryList, missingPage } from '../../primitives/create-entry-window.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { keepPlaces } from '../../primitives/keep-places.ts'
import { createIsAway } from '../../primitives/library-away.ts'
import { notifyError } from '../../primitives/notify.ts'
import { setTitleOver } from '../../primitives/page-title.ts'
import { problemText } from '../../primitives/problem-text.ts'
import { createCan } from '../../primitives/session.ts'
import { slideOf } from '../viewer/slide.ts'
import { Viewer } from '../viewer/viewer.tsx'

/** Brings tags and texts along, which most pictures are looked at without. */
const ViewerPanel = late(async () => (await import('../viewer/viewer-panel.tsx')).ViewerPanel)

interface MixedViewerProps {
  libraryId: number
  pages: ReturnType<typeof createEntryPages>
  itemKey: string
  onMove: (itemKey: string) => void
  onClose: () => void
}

/** The next page is asked for this many slides before the last one that is known. */
const SLIDES_AHEAD = 10

const listOfPages = (pages: ReturnType<typeof createEntryPages>): EntryList => ({
  offset: () => 0,
  entries: pages.entries,
  total: pages.total,
  end: () => pages.entries().length,
  at: (index) => pages.entries()[index],
  indexOf: (itemKey) => pages.entries().findIndex((entry) => entry.itemKey === itemKey),
  ensure: (index) => {
    if (index >= pages.entries().length - SLIDES_AHEAD) pages.loadMore()
  },
})

/**
 * The grid's entries in the viewer. A deep link to an item that the grid has not loaded brings the page around it; one that
 * the filter leaves out is shown alone.
 */
export const MixedViewer = (props: MixedViewerProps) => {
  const can = createCan()
  const isAway = createIsAway(() => props.libraryId)
  const shown = () => props.itemKey
  const grid = keepPlaces(listOfPages(props.pages), shown, getItem)
  const isInGrid = createMemo(() => grid.indexOf(props.itemKey) >= 0)
  const isGridKnown = () => props.pages.query.data !== undefined
  // The place that was asked for first: turning on must not ask for another page around each item.
  const firstKey = props.itemKey
  const page = createEntryWindow(
    () => ({ ...props.pages.level(), around: firstKey }),
    () => isGridKnown() && grid.indexOf(firstKey) < 0,
  )
  const around = keepPlaces(page, shown, getItem)
  const isAround = createMemo(() => !isInGrid() && around.indexOf(props.itemKey) >= 0)
  /** Not where nobody answered: that is asked for again by itself. */
  const isLeftOut = () => page.query.isError && !(page.query.error instanceof ApiProblem && page.query.error.status === 0)
  const single = createQuery(() => ({
    ...itemQuery(props.libraryId, props.itemKey),
    enabled: isGridKnown() && !isInGrid() && !isAround() && isLeftOut(),
  }))
  createEffect(() => {
    const { error } = single
    if (!error) return
    const isGone = error instanceof ApiProblem && error.status === 404
    notifyError(isGone ? new Error(t('problem.notFound')) : error)
    if (isGone) props.onClose()
  })
  // A file has no plot; an item says so by null, and an entry by having none.
  const found = createMemo(() => (single.data ? { ...single.data, plot: undefined } : undefined))
  const alone: EntryList = {
    offset: () => 0,
    entries: () => {
      const entry = found()
      return entry ? [entry] : []
    },
    total: () => 1,
    end: () => 1,
    at: found,
    indexOf: () => 0,
    ensure: () => undefined,
  }
  /** A list once chosen stays: the places of two lists are not the same. */
  const list = createMemo<EntryList | undefined>((chosen) => {
    if (chosen && chosen.indexOf(props.itemKey) >= 0) return chosen
    if (isInGrid()) return grid
    if (isAround()) return around
    return single.data ? alone : undefined
  })
  const index = () => list()?.indexOf(props.itemKey) ?? -1
  createEffect(() => {
    const title = list()?.at(index())?.title
    setTitleOver(title ? `${title} - ` : '')
  })
  onCleanup(() => setTitleOver(''))
  // What has moved is the same item by another key.
  createEffect(() => {
    const entry = list()?.at(index())
    if (entry && entry.itemKey !== props.itemKey) props.onMove(entry.itemKey)
  })
  createEffect(() => {
    if (index() >= 0) list()?.ensure(index())
  })
  const missing = createMemo(() => {
    const known = list()
    return known && missingPage(known === grid ? props.pages.query : page.query, known, index())
  })
  createEffect(() => {
    const there = missing()
    if (!there) return
    notifyError(new Error(`${there.heading}. ${problemText(there.error)}`), { label: t('action.retry'), run: there.ask })
  })
  return (
    <Show when={list()} keyed>
      {(known) => (
        <Viewer
          length={known.end()}
          slideAt={(target) => {
            const entry = known.at(target)
            return entry && slideOf(entry)
          }}
          index={Math.max(0, known.indexOf(props.itemKey))}
          count={known.total()}
          canDownload={can('download') && !isAway()}
          onMove={(target) => {
            const entry = known.at(target)
            if (entry) props.onMove(entry.itemKey)
          }}
          onClose={props.onClose}
          panel={(part, onClose) => <ViewerPanel libraryId={props.libraryId} itemKey={props.itemKey} part={part} onClose={onClose} />}
        />
      )}
    </Show>
  )
}
