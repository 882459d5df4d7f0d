import { A } from '@solidjs/router'
import { Info, LayoutGrid, Volume2, VolumeX } from 'lucide-solid'
import { Show } from 'solid-js'
import type { BrowseEntry } from '../../api/types.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { TagsButton } from '../../components/tags-button.tsx'
import { t } from '../../i18n/feed.ts'

interface FeedRailProps {
  entry: BrowseEntry
  isMuted: boolean
  isInfoOpen: boolean
  libraryHref: string
  onMute: () => void
  /** Whoever changes something means what is looked at now. */
  onTagging: () => void
  onInfo: () => void
  ref: (element: HTMLElement) => void
}

/** What can be done with the item that is looked at, within reach of a thumb. */
export const FeedRail = (props: FeedRailProps) => (
  <nav
    ref={props.ref}
    aria-label={props.entry.title}
    class="feed-rail absolute safe-right-2 safe-bottom-12 z-1 flex flex-col items-center gap-2"
  >
    <Show when={props.entry.mediaKind === 'video'}>
      <IconButton size="large" label={props.isMuted ? t('feed.soundOn') : t('feed.soundOff')} onClick={() => props.onMute()}>
        <Show when={props.isMuted} fallback={<Volume2 size={22} />}>
          <VolumeX size={22} />
        </Show>
      </IconButton>
    </Show>
    <div class="contents" on:click={() => props.onTagging()}>
      <Show when={props.entry.itemKey} keyed>
        <TagsButton item={props.entry} isOverStage />
      </Show>
    </div>
    <IconButton size="large" label={t('feed.info')} aria-pressed={props.isInfoOpen} onClick={() => props.onInfo()}>
      <Info size={22} />
    </IconButton>
    <A
      href={props.libraryHref}
      aria-label={t('feed.openInLibrary')}
      title={t('feed.openInLibrary')}
      class="inline-flex size-11 items-center justify-center rounded-card"
    >
      <LayoutGrid size={22} />
    </A>
  </nav>
)
