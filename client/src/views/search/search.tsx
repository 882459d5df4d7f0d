import { Search as SearchIcon, SearchX } from 'lucide-solid'
import { createComputed, createEffect, createMemo, createSignal, For, mapArray, onMount, Show } from 'solid-js'
import type { Library } from '../../api/types.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorCard } from '../../components/error-card.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { PageHeading } from '../../components/page-header.tsx'
import { RefetchBar } from '../../components/progress-bar.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Section } from '../../components/section.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { t } from '../../i18n/searching.ts'
import { createDelayed } from '../../primitives/create-delayed.ts'
import { createPlaces } from '../../primitives/create-places.ts'
import { createSearchPages, type SearchPages } from '../../primitives/create-search-pages.ts'
import { createSearchText } from '../../primitives/create-search-text.ts'
import { createUrlState } from '../../primitives/create-url-state.ts'
import { createLibraries } from '../../primitives/libraries.ts'
import { createPageTitle } from '../../primitives/page-title.ts'
import { takeFocus } from '../../primitives/route-focus.ts'
import { SearchRow } from './search-row.tsx'

/** Of each library, before one of them is asked for by itself. */
const SHOWN_PER_LIBRARY = 6
const SHOWN_OF_ONE = 50
const ALL = 'all'
/** In the place of a count. */
const FAILED = -1

interface LibraryResultsProps {
  library: Library
  pages: SearchPages
  /** The only library that is searched: all of its results can be reached. */
  isAlone: boolean
  onAlone: () => void
}

const LibraryResults = (props: LibraryResultsProps) => {
  let list: HTMLUListElement | undefined
  return (
    <>
      <Show when={props.pages.query.isLoadingError && props.pages.query.error}>
        {(error) => <ErrorCard error={error()} onRetry={() => void props.pages.query.refetch()} />}
      </Show>
      <Show when={props.pages.entries().length > 0}>
        <Section title={props.library.name}>
          <ul ref={list} class="flex flex-col" aria-label={t('search.results', props.library.name)}>
            <For each={props.pages.entries()}>{(entry) => <SearchRow entry={entry} />}</For>
          </ul>
          <Show when={props.pages.query.hasNextPage}>
            <Show
              when={props.isAlone}
              fallback={
                <MoreButton list={() => list} size="small" variant="ghost" class="mt-2 text-accent" onMore={props.onAlone}>
                  {t('search.seeAll', props.library.name)}
                </MoreButton>
              }
            >
              <div class="mt-4 flex justify-center">
                <MoreButton
                  list={() => list}
                  isBusy={props.pages.query.isFetchingNextPage}
                  onMore={() => void props.pages.query.fetchNextPage()}
                >
                  {t('action.loadMore')}
                </MoreButton>
              </div>
            </Show>
          </Show>
        </Section>
      </Show>
    </>
  )
}

interface ResultsProps {
  q: string
  libraries: Library[]
  isAlone: boolean
  /** What was found before is still looked at. */
  isHidden: boolean
  /** There is something to look at, or nothing was found. */
  onReady: () => void
  /** All libraries have answered: what there is to hear of it. */
  onTell: (text: string) => void
  onAlone: (libraryId: number) => void
  onClear: () => void
}

/** What one text finds: library by library in their order, and one that keeps the others waiting comes after them. */
const Results = (props: ResultsProps) => {
  const ids = createMemo(() => props.libraries.map(({ id }) => id))
  const [counts, setCounts] = createSignal<ReadonlyMap<number, number>>(new Map())
  const asked = mapArray(ids, (id) => {
    const pages = createSearchPages(() => ({ q: props.q, libraryId: id, limit: props.isAlone ? SHOWN_OF_ONE : SHOWN_PER_LIBRARY }))
    createEffect(() => {
      const isAnswered = pages.query.isSuccess && !pages.query.isPlaceholderData
      const count = pages.query.isLoadingError ? FAILED : pages.entries().length
      if (isAnswered || count === FAILED) setCounts((known) => new Map(known).set(id, count))
    })
    return { id, pages }
  })
  const searches = createMemo(asked)
  const placed = createPlaces(ids, (id) => counts().has(id))
  const shown = () => placed().filter((id) => ids().includes(id))
  const isWaiting = createDelayed(() => shown().length < ids().length)
  const isNothing = () => ids().every((id) => counts().get(id) === 0)
  const isReady = () => isNothing() || shown().some((id) => (counts().get(id) ?? 0) !== 0)
  createEffect(() => {
    if (isReady()) props.onReady()
  })
  createEffect(() => {
    if (!ids().every((id) => counts().has(id))) return
    const found = props.libraries.filter(({ id }) => (counts().get(id) ?? 0) > 0).map(({ name }) => name)
    props.onTell(isNothing() ? t('search.noMatchHeading') : found.length > 0 ? t('search.results', found.join(', ')) : '')
  })
  return (
    <div hidden={props.isHidden}>
      <For each={shown()}>
        {(id) => (
          <Show when={searches().find((search) => search.id === id)}>
            {(search) => (
              <Show when={props.libraries.find((library) => library.id === id)}>
                {(library) => (
                  <LibraryResults library={library()} pages={search().pages} isAlone={props.isAlone} onAlone={() => props.onAlone(id)} />
                )}
              </Show>
            )}
          </Show>
        )}
      </For>
      {/* Not the same one further down: what comes takes its place. */}
      <Show when={isWaiting() && ids().length - shown().length} keyed>
        {(_) => <Skeleton class="mt-10 h-24 w-full" />}
      </Show>
      <Show when={isNothing()}>
        <EmptyState icon={<SearchX size={28} />} heading={t('search.noMatchHeading')} text={t('search.noMatch', props.q)}>
          <Button onClick={() => props.onClear()}>{t('action.clear')}</Button>
        </EmptyState>
      </Show>
    </div>
  )
}

/** Everything that all visible libraries hold, by library. */
export const Search = () => {
  const url = createUrlState()
  const text = createSearchText('q')
  const q = () => url.get('q').trim()
  const { query, libraries } = createLibraries()
  const alone = () => libraries().find(({ id }) => String(id) === url.get('library'))
  const searched = () => {
    const one = alone()
    return one ? [one] : libraries()
  }
  /** What is looked at. It stays until what was typed after it has found something: results do not come and go one by one. */
  const [shown, setShown] = createSignal('')
  createComputed(() => q() === '' && setShown(''))
  /** What a search has come to, for who does not see it. */
  const [told, setTold] = createSignal('')
  createComputed(() => setTold(q() && ''))
  const texts = () => [...new Set([shown(), q()])].filter((known) => known !== '')
  let top!: HTMLElement
  // Whoever opens it with nothing to look for is about to type; after the heading has had the focus.
  onMount(() => {
    if (q() !== '') return
    queueMicrotask(() => {
      const field = top.querySelector('input')
      if (field) takeFocus(field, { preventScroll: true })
    })
  })
  createPageTitle(() => [q() === '' ? t('search.title') : t('search.titleOf', q())])
  return (
    <>
      <header ref={top} class="mb-2 flex flex-col gap-4">
        <PageHeading>{t('search.title')}</PageHeading>
        <div class="flex flex-wrap gap-2">
          <SearchField label={t('nav.search')} text={text.text()} onType={text.type} onClear={text.clear} />
          <Show when={libraries().length > 1}>
            <Select
              label={t('search.scope')}
              isLabelHidden
              value={alone() ? String(alone()?.id) : ALL}
              options={[{ value: ALL, label: t('search.all') }, ...libraries().map(({ id, name }) => ({ value: String(id), label: name }))]}
              onSelect={(value) => url.change({ library: value === ALL ? null : value })}
              class="w-full sm:w-52"
            />
          </Show>
        </div>
      </header>
      <RefetchBar isBusy={shown() !== '' && shown() !== q()} />
      <p class="sr-only" aria-live="polite">
        {told()}
      </p>
      <Show when={q() !== ''} fallback={<EmptyState icon={<SearchIcon size={28} />} heading={t('nav.search')} text={t('search.start')} />}>
        <QueryView query={query}>
          {() => (
            <For each={texts()}>
              {(known) => (
                <Results
                  q={known}
                  libraries={searched()}
                  isAlone={alone() !== undefined}
                  isHidden={shown() !== '' && shown() !== known}
                  onReady={() => known === q() && setShown(known)}
                  onTell={(text) => known === q() && setTold(text)}
                  onAlone={(id) => url.change({ library: String(id) })}
                  onClear={() => {
                    top.querySelector('input')?.focus()
                    text.clearWith({ library: null })
                  }}
                />
              )}
            </For>
          )}
        </QueryView>
      </Show>
    </>
  )
}
