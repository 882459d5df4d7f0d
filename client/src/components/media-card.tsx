import { Check, Play, ScanText } from 'lucide-solid'
import { Show } from 'solid-js'
import type { BrowseEntry, CardEntry } from '../api/types.ts'
import { t } from '../i18n/translate.ts'
import { doneText, entryFacts, partText, progressFraction, splitTitle } from '../primitives/entry-facts.ts'
import { formatClock } from '../primitives/format.ts'
import type { CardShape } from '../primitives/grid-layout.ts'
import { sizesOf } from '../primitives/picture-source.ts'
import { EntryLink } from './entry-link.tsx'
import { late } from './late.tsx'
import { Picture } from './picture.tsx'
import { SelectionMark, type SelectionState } from './selection-mark.tsx'
import { ItemIcon } from './type-icon.tsx'

// Of games alone.
const PlatformBadges = late(async () => (await import('./platform-badges.tsx')).PlatformBadges)

interface MediaCardProps {
  entry: CardEntry
  shape: CardShape
  href: string
  /** Pixels. */
  width: number
  pictureHeight: number
  isEager?: boolean
  tabIndex?: number
  /** Where the card opens something on the screen itself: prevents the navigation. */
  onOpen?: (event: MouseEvent) => void
  selection?: SelectionState
}

const pictureOf = (entry: BrowseEntry) => entry.thumbnailUrl ?? entry.coverUrl

/** Tiles have the file's name right below; a cover that is missing bears its title like a cover. */
const Fallback = (props: { entry: BrowseEntry; shape: CardShape }) => (
  <div class="absolute inset-0 flex flex-col items-center justify-center gap-2 bg-raised p-3 text-center text-muted">
    <ItemIcon itemType={props.entry.itemType} mediaKind={props.entry.mediaKind} size={32} />
    <Show when={props.shape !== 'tile'}>
      <span class="line-clamp-3 max-w-full text-caption">{props.entry.title}</span>
    </Show>
  </div>
)

const Badges = (props: { entry: BrowseEntry }) => (
  <>
    <Show when={props.entry.hasExtractedText}>
      <span class="absolute top-2 right-2 rounded-chip bg-scrim p-1 text-[#fff]" title={t('entry.hasText')}>
        <ScanText size={14} aria-label={t('entry.hasText')} />
      </span>
    </Show>
    <Show when={props.entry.platforms}>{(platforms) => <PlatformBadges platforms={platforms()} />}</Show>
    <Show when={props.entry.itemType === 'mixed_file' && props.entry.mediaKind === 'video'}>
      <span class="absolute right-2 bottom-2 flex items-center gap-1 rounded-chip bg-scrim px-1 text-caption text-[#fff] tabular-nums">
        <Play size={10} fill="currentColor" aria-hidden="true" />
        <Show when={props.entry.durationSeconds}>{(seconds) => <>{formatClock(seconds())}</>}</Show>
      </span>
    </Show>
    <Show when={props.entry.progress?.completed}>
      <span class="absolute top-2 left-2 rounded-pill bg-accent p-0.5 text-on-accent" title={doneText(props.entry)}>
        <Check size={14} aria-label={doneText(props.entry)} />
      </span>
    </Show>
    <Show when={progressFraction(props.entry)}>
      {(fraction) => (
        <span class="absolute inset-x-0 bottom-0 h-1 bg-scrim" role="img" aria-label={partText(fraction())} title={partText(fraction())}>
          <span class="block h-full bg-accent" style={{ width: `${fraction() * 100}%` }} />
        </span>
      )}
    </Show>
  </>
)

export const MediaCard = (props: MediaCardProps) => {
  const title = () => props.entry.title.slice(props.entry.seriesPart?.length)
  const name = () => (props.shape === 'tile' ? title() : splitTitle(title()).name)
  const isPosterInWide = () => props.shape === 'wide' && props.entry.itemType !== 'tv_episode'
  return (
    <EntryLink
      entry={props.entry}
      href={props.href}
      onOpen={props.onOpen}
      tabIndex={props.tabIndex}
      selection={props.selection}
      class="group relative flex flex-col rounded-card"
      style={{ width: `${props.width}px` }}
    >
      <div
        class={`relative shrink-0 overflow-hidden rounded-card bg-raised ${props.selection === 'on' ? 'ring-3 ring-accent' : 'ring-1 ring-line'}`}
        style={{ height: `${props.pictureHeight}px` }}
      >
        {/* A poster in a wide card stands whole before its own blurred picture. */}
        <Show when={isPosterInWide()}>
          <Picture
            url={pictureOf(props.entry)}
            alt=""
            thumbhash={props.entry.thumbhash}
            sizes="160px"
            fallback={null}
            class="absolute inset-0 scale-125 opacity-60 blur-xl"
          />
        </Show>
        <Picture
          url={pictureOf(props.entry)}
          alternateUrl={props.entry.coverUrl}
          fit={isPosterInWide() ? 'contain' : 'cover'}
          alt=""
          thumbhash={props.entry.thumbhash}
          sizes={sizesOf(props.width)}
          isEager={props.isEager}
          fallback={<Fallback entry={props.entry} shape={props.shape} />}
          class="size-full transition-transform duration-180 group-hover:scale-103"
        />
        <Show when={props.selection} fallback={<Badges entry={props.entry} />}>
          <SelectionMark state={props.selection} class="absolute top-2 left-2" />
        </Show>
      </div>
      <span
        class={`relative truncate transition-colors group-hover:text-accent ${props.shape === 'tile' ? 'mt-1.5 text-caption text-muted' : 'mt-2 text-small font-semibold'}`}
      >
        <span class="sr-only">{props.entry.seriesPart}</span>
        {name()}
        <span class="sr-only">{title().slice(name().length)}</span>
      </span>
      <Show when={props.shape !== 'tile'}>
        <span class="h-5 truncate text-caption text-muted tabular-nums">{entryFacts(props.entry).join(' · ')}</span>
      </Show>
    </EntryLink>
  )
}
