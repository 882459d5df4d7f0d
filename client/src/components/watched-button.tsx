import { Check } from 'lucide-solid'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/details.ts'
import { createWatched } from '../primitives/create-watched.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

type WatchedEntry = Pick<BrowseEntry, 'itemKey' | 'libraryId' | 'progress' | 'title'>

export const WatchedButton = (props: { entry: WatchedEntry }) => {
  const watched = createWatched(() => props.entry)
  return (
    <Button size="large" title={t('item.markWatched')} aria-pressed={watched.isWatched()} class="max-xl:px-4" onClick={watched.toggle}>
      <Check size={18} class={watched.isWatched() ? 'text-success' : 'text-muted'} aria-hidden="true" />
      <span class="max-xl:sr-only">{watched.isWatched() ? t('entry.watched') : t('item.markWatched')}</span>
    </Button>
  )
}

/** The same in a row of a list. */
export const WatchedMark = (props: { entry: WatchedEntry }) => {
  const watched = createWatched(() => props.entry)
  return (
    <IconButton label={t('item.watchedOf', props.entry.title)} aria-pressed={watched.isWatched()} onClick={watched.toggle}>
      <span
        class={`flex size-6 items-center justify-center rounded-pill border ${watched.isWatched() ? 'border-success bg-success-soft text-success' : 'border-control'}`}
      >
        <Check size={14} aria-hidden="true" class={watched.isWatched() ? '' : 'opacity-40'} />
      </span>
    </IconButton>
  )
}
