/** A level of a library from the middle: the page around one item, and its neighbours in both directions. */

import { type Accessor, createMemo } from 'solid-js'
import { type BrowseQuery, browse } from '../api/browse.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/viewers.ts'
import { isShort } from './create-entry-pages.ts'
import { createPagedQuery } from './create-query.ts'

const PAGE_SIZE = 100
/** Neighbouring pages are asked for this many entries before they are needed. */
const AHEAD = 10

/** Entries by their place in the whole list: what is not loaded yet is a gap at its ends. */
export interface EntryList {
  /** Place of the first loaded entry. */
  offset: Accessor<number>
  entries: Accessor<readonly BrowseEntry[]>
  /** Null where nobody counted that far. */
  total: Accessor<number | null>
  /** One past the last place that is known to be there. */
  end: Accessor<number>
  at: (index: number) => BrowseEntry | undefined
  /** The place of an item; -1 where it is not loaded. */
  indexOf: (itemKey: string) => number
  /** The key that what the list was asked for has now, by the one that it was asked for by. */
  movedTo?: (itemKey: string) => string | undefined
  /** Loads what will be needed around this place. */
  ensure: (index: number) => void
}

type Pages = Pick<
  ReturnType<typeof createPagedQuery>,
  'error' | 'isFetching' | 'isFetchNextPageError' | 'isFetchPreviousPageError' | 'fetchNextPage' | 'fetchPreviousPage'
>

/** What comes after this place, or before it, where it could not be had, and is not being asked for. */
export const missingPage = (pages: Pages, list: EntryList, index: number) => {
  const { error } = pages
  if (!error || pages.isFetching) return undefined
  const isNext = pages.isFetchNextPageError && index === list.offset() + list.entries().length - 1
  if (!isNext && !(pages.isFetchPreviousPageError && index === list.offset())) return undefined
  return { error, heading: t('lightbox.missing', isNext), ask: () => void (isNext ? pages.fetchNextPage() : pages.fetchPreviousPage()) }
}

export const createEntryWindow = (query: Accessor<BrowseQuery>, isEnabled: Accessor<boolean> = () => true) => {
  const pages = createPagedQuery(() => ({
    queryKey: queryKeys.browse(query()),
    queryFn: ({ pageParam, signal }) => browse({ limit: PAGE_SIZE, ...query() }, pageParam, signal),
    getPreviousPageParam: (first) => first.prevCursor ?? undefined,
    enabled: isEnabled(),
    refetchOnWindowFocus: isShort,
  }))
  const loaded = () => pages.data?.pages ?? []
  const entries = createMemo((): readonly BrowseEntry[] => loaded().flatMap((page) => page.entries))
  const offset = () => loaded()[0]?.position ?? 0
  const total = () => loaded()[0]?.total ?? null
  const list: EntryList = {
    offset,
    entries,
    total,
    end: () => (pages.hasNextPage ? (total() ?? offset() + entries().length + 1) : offset() + entries().length),
    at: (index) => entries()[index - offset()],
    indexOf: (itemKey) => {
      const place = entries().findIndex((entry) => entry.itemKey === itemKey)
      return place < 0 ? -1 : place + offset()
    },
    movedTo: (itemKey) =>
      itemKey === query().around ? loaded().find(({ around }) => around !== undefined && around !== itemKey)?.around : undefined,
    ensure: (index) => {
      if (pages.isFetching) return
      // A page that could not be loaded is not asked for again and again. That at the other end is.
      const mayGoBack = pages.hasPreviousPage && !pages.isFetchPreviousPageError
      const mayGoOn = pages.hasNextPage && !pages.isFetchNextPageError
      if (mayGoBack && index - offset() < AHEAD) void pages.fetchPreviousPage({ cancelRefetch: false })
      else if (mayGoOn && index >= offset() + entries().length - AHEAD) void pages.fetchNextPage({ cancelRefetch: false })
    },
  }
  return { query: pages, ...list }
}
