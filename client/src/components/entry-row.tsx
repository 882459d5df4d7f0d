import { Check, ScanText, Star } from 'lucide-solid'
import { For, Show } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/translate.ts'
import { doneText, entryFacts, partText, progressFraction, splitTitle } from '../primitives/entry-facts.ts'
import { formatBytes, formatDate, formatRating } from '../primitives/format.ts'
import { EntryLink } from './entry-link.tsx'
import { Picture } from './picture.tsx'
import { SelectionMark, type SelectionState } from './selection-mark.tsx'
import { ItemIcon } from './type-icon.tsx'

interface EntryRowProps {
  entry: BrowseEntry
  href: string
  isEager?: boolean
  tabIndex?: number
  onOpen?: (event: MouseEvent) => void
  selection: SelectionState
}

const dateOf = ({ sortDate, addedAt }: BrowseEntry): string => formatDate(sortDate ?? addedAt)
const sizeOf = ({ size }: BrowseEntry): string => (size === null ? '' : formatBytes(size))

/** What has a column of its own where there is room stands among the facts where there is none. */
const factsOf = (entry: BrowseEntry) => {
  const seen = progressFraction(entry)
  return [
    ...entryFacts(entry).map((text) => ({ text, from: '' })),
    { text: seen === undefined ? '' : partText(seen), from: '' },
    { text: dateOf(entry), from: 'md:hidden' },
    { text: sizeOf(entry), from: 'sm:hidden' },
  ].filter(({ text }) => text !== '')
}

/** An entry of a list: as wide as the list, as high as its picture. */
export const EntryRow = (props: EntryRowProps) => (
  <EntryLink
    entry={props.entry}
    href={props.href}
    onOpen={props.onOpen}
    tabIndex={props.tabIndex}
    selection={props.selection}
    class="group flex h-16 w-full items-center gap-3 rounded-card px-2 transition-colors hover:bg-surface sm:gap-4"
  >
    <SelectionMark state={props.selection} />
    <Picture
      url={props.entry.thumbnailUrl ?? props.entry.coverUrl}
      alternateUrl={props.entry.coverUrl}
      alt=""
      thumbhash={props.entry.thumbhash}
      sizes="56px"
      isEager={props.isEager}
      fallback={
        <div class="absolute inset-0 flex items-center justify-center text-muted">
          <ItemIcon itemType={props.entry.itemType} mediaKind={props.entry.mediaKind} size={20} />
        </div>
      }
      class={`h-14 shrink-0 rounded-chip ring-1 ring-line ${props.entry.itemType === 'mixed_file' ? 'w-14' : 'w-10'}`}
    />
    <span class="min-w-0 grow">
      <span class="block truncate text-small font-semibold transition-colors group-hover:text-accent">
        {props.entry.itemType === 'mixed_file' ? props.entry.title : splitTitle(props.entry.title).name}
      </span>
      <span class="block truncate text-caption text-muted tabular-nums">
        <For each={factsOf(props.entry)}>{({ text, from }) => <span class={`not-first:before:content-['_·_'] ${from}`}>{text}</span>}</For>
      </span>
    </span>
    <Show when={props.entry.hasExtractedText}>
      <ScanText size={16} class="shrink-0 text-muted" aria-label={t('entry.hasText')} />
    </Show>
    <Show when={props.entry.progress?.completed}>
      <Check size={16} class="shrink-0 text-accent" aria-label={doneText(props.entry)} />
    </Show>
    <span class="hidden w-14 shrink-0 items-center justify-end gap-1 text-caption text-muted tabular-nums sm:flex">
      <Show when={props.entry.rating}>
        {(rating) => (
          <>
            <Star size={12} class="text-warning" fill="currentColor" aria-hidden="true" />
            {formatRating(rating())}
          </>
        )}
      </Show>
    </span>
    <span class="hidden w-20 shrink-0 text-right text-caption text-muted tabular-nums sm:block">{sizeOf(props.entry)}</span>
    <span class="hidden w-28 shrink-0 text-right text-caption text-muted tabular-nums md:block">{dateOf(props.entry)}</span>
  </EntryLink>
)
