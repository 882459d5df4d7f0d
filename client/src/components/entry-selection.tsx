import { CheckCheck, Tags, X } from 'lucide-solid'
import { createEffect, createSignal, onCleanup, Show } from 'solid-js'
import type { ItemType } from '../../../src/domain/item-type.ts'
import { getItem } from '../api/items.ts'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/tagging.ts'
import { createCloseRequest } from '../primitives/close-request.ts'
import { createBulkTags } from '../primitives/create-bulk-tags.ts'
import type { createEntryPages } from '../primitives/create-entry-pages.ts'
import { takeLostFocus } from '../primitives/create-row-focus.ts'
import type { Selection } from '../primitives/create-selection.ts'
import { followSelected } from '../primitives/follow-selected.ts'
import { isForOthers } from '../primitives/key-target.ts'
import { listen } from '../primitives/listen.ts'
import { notifyDone, notifyError } from '../primitives/notify.ts'
import { onChange } from '../primitives/on-change.ts'
import { setSoughtKey } from '../primitives/route-focus.ts'
import { createCan } from '../primitives/session.ts'
import { IconButton } from './icon-button.tsx'
import { MarksButton } from './marks-button.tsx'
import { TagSelector } from './tag-selector.tsx'

const READ_TYPES: readonly ItemType[] = ['manga_series', 'manga_volume']
const WATCHED_TYPES: readonly ItemType[] = ['movie', 'tv_series']

/** A tab holds no more with ease; how many they are is said beside the button. */
const MOST_SELECTED = 20_000

const MOVES = /^(?:Arrow|Page|Home|End)/
const keyOf = ({ itemKey }: BrowseEntry) => itemKey
const entryAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('main [data-item-key]')?.dataset.itemKey : undefined

/** What can be done to the selected entries, in a bar at the bottom of the window. */
export const EntrySelection = (props: { selection: Selection; pages: ReturnType<typeof createEntryPages> }) => {
  const can = createCan()
  const entries = followSelected({
    selection: props.selection,
    entries: props.pages.entries,
    filter: () => JSON.stringify({ ...props.pages.level(), parentKey: undefined }),
    ask: getItem,
    load: (isEnough) => gather(isEnough),
  })
  /** One library's entries are of one kind. */
  const markable = () => {
    const [first] = entries()
    if (!first || ![...READ_TYPES, ...WATCHED_TYPES].includes(first.itemType)) return undefined
    const itemKeys = entries().map(keyOf)
    return { libraryId: first.libraryId, itemKeys, isReading: READ_TYPES.includes(first.itemType) }
  }
  const [isSought, setSought] = createSignal(false)
  const found = () => entries().length
  const count = () => (isSought() ? props.selection.keys().size : found())
  // Another order, or another filter, begins with its first page: what is selected may lie in one of the next.
  onChange(
    () => JSON.stringify(props.pages.level()),
    () => setSought(true),
  )
  createEffect(() => {
    const { isFetching, isPlaceholderData, isError } = props.pages.query
    if (!isSought() || isFetching || isPlaceholderData) return
    const isThere = found() === props.selection.keys().size
    const isOver = isThere || isError || !props.pages.hasMore() || props.pages.entries().length >= MOST_SELECTED
    if (isOver) setSought(false)
    else props.pages.loadMore()
  })
  let done!: HTMLButtonElement
  let bar!: HTMLDivElement
  const tags = () => bar.querySelector<HTMLElement>('[aria-haspopup=dialog]')
  // A filter may take them away as they are tagged, and the button for it goes with them.
  onChange(count, (left) => left === 0 && takeLostFocus(done))
  /** The bar goes, and whoever was in it goes on from where they had begun. */
  const stop = () => {
    document.querySelector<HTMLElement>('[data-select-button]')?.focus({ preventScroll: true })
    props.selection.stop()
  }
  /** By a key that is soon pressed once too often. */
  const drop = () => {
    const keys = entries().map(keyOf)
    stop()
    const takeUp = () => {
      props.selection.start()
      props.selection.add(keys)
    }
    if (keys.length > 0) notifyDone(t('tags.selectionEnded'), { label: t('tags.undo'), run: takeUp })
  }
  // Left with the screen, it would go on asking for more of a list that nobody looks at, and that never grows again.
  onCleanup(() => props.selection.stop())
  createCloseRequest(() => props.selection.isActive(), drop)
  const [isGathering, setGathering] = createSignal(false)
  /** Loads what nobody has scrolled to. False where the selecting ended meanwhile, or another list was asked for. */
  const gather = async (isEnough = () => false): Promise<boolean> => {
    const level = JSON.stringify(props.pages.level())
    setGathering(true)
    while (props.pages.hasMore() && props.selection.isActive() && props.pages.entries().length < MOST_SELECTED && !isEnough()) {
      const { isError, error } = await props.pages.query.fetchNextPage({ cancelRefetch: false })
      if (!isError) continue
      notifyError(error)
      break
    }
    setGathering(false)
    return props.selection.isActive() && level === JSON.stringify(props.pages.level())
  }
  const selectAll = async () => {
    if (await gather()) props.selection.add(props.pages.entries().map(keyOf))
  }
  /** The end that the grid knows is that of the last page which has been loaded. */
  const selectToEnd = async (first: string) => {
    const reached = props.pages.entries().at(-1)?.itemKey
    if (!(await gather())) return
    const keys = props.pages.entries().map(keyOf)
    if (keys.includes(first)) props.selection.add(keys.slice(keys.indexOf(first)))
    // Whoever has gone on meanwhile stays there.
    if (entryAt(document.activeElement) === reached) setSoughtKey(keys.at(-1))
  }
  /** Where Shift and a key that moves through the grid began. */
  let from: string | undefined
  const begin = (event: KeyboardEvent) => {
    from = event.shiftKey && MOVES.test(event.key) ? entryAt(event.target) : undefined
    const isToEnd = event.key === 'End' && !event.ctrlKey && !event.metaKey && !event.altKey
    if (isToEnd && from !== undefined && props.pages.hasMore()) void selectToEnd(from)
  }
  const endRange = () => {
    from = undefined
  }
  // Before the grid, which moves the focus on.
  listen(window, { keydown: begin, pointerdown: endRange }, { capture: true })
  const extendTo = ({ target }: FocusEvent) => {
    const to = entryAt(target)
    if (from === undefined || to === undefined) return
    const keys = props.pages.entries().map(keyOf)
    const ends = [from, to].map((key) => keys.indexOf(key))
    from = undefined
    if (!ends.includes(-1)) props.selection.add(keys.slice(Math.min(...ends), Math.max(...ends) + 1))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Behind whatever lies on top of the screen, which is closed by this key first.
    if (event.key === 'Escape' && !event.defaultPrevented) drop()
    else if (isForOthers(event)) return
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) void selectAll()
    else if (event.key === 't' && !event.ctrlKey && !event.metaKey && !event.altKey) tags()?.click()
    else return
    event.preventDefault()
  }
  listen(window, { focusin: extendTo, keydown: onKeyDown })
  return (
    <div
      ref={bar}
      data-selection-bar
      class="fixed inset-x-4 safe-bottom-20 z-20 mx-auto flex max-w-100 animate-rise items-center gap-1 sm:gap-3 rounded-card border border-line bg-raised py-2 pr-2 pl-4 shadow-raised md:bottom-6"
    >
      <p class="grow truncate text-small tabular-nums" aria-live="polite">
        {t('filters.selected', count())}
      </p>
      <IconButton label={t('filters.selectAll')} isBusy={isGathering() || isSought()} onClick={() => void selectAll()}>
        <CheckCheck size={20} />
      </IconButton>
      <Show when={!isSought() && markable()}>
        {(of) => <MarksButton isSmall of={of()} isDone={entries().every(({ progress }) => progress?.completed)} />}
      </Show>
      <Show when={can('tag') && !isSought() && count() > 0}>
        <TagSelector
          label={t('tags.edit')}
          title={t('tags.ofMany', count())}
          target={(isAsked) => createBulkTags(entries, { libraryId: () => props.pages.level().libraryId, isAsked })}
          triggerClass="inline-flex h-target-large items-center gap-2 rounded-card bg-accent px-4 text-small font-semibold text-on-accent transition-colors hover:bg-accent-strong"
          trigger={
            <>
              <Tags size={18} aria-hidden="true" />
              {t('tags.edit')}
            </>
          }
        />
      </Show>
      <IconButton ref={done} label={t('action.done')} onClick={stop}>
        <X size={20} />
      </IconButton>
    </div>
  )
}
