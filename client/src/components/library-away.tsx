import { CircleAlert } from 'lucide-solid'
import { Show } from 'solid-js'
import { t } from '../i18n/empty-library.ts'
import { createIsAway } from '../primitives/library-away.ts'

/** One line where the disk of the library is away: everything on the screen looks as if it could be played and read. */
export const LibraryAway = (props: { libraryId: number; class?: string }) => {
  const isAway = createIsAway(() => props.libraryId)
  return (
    <Show when={isAway()}>
      <p class={`flex items-start gap-2 text-small text-muted ${props.class ?? ''}`} role="note">
        <CircleAlert size={18} class="mt-0.5 shrink-0 text-warning" aria-hidden="true" />
        {t('emptyLibrary.unavailable')}
      </p>
    </Show>
  )
}
