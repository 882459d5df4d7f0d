import { A } from '@solidjs/router'
import { Show } from 'solid-js'
import type { Library } from '../../api/types.ts'
import { t } from '../../i18n/manage.ts'
import { createQuery } from '../../primitives/create-query.ts'
import { libraryRefreshQuery } from '../../primitives/follow-library-refresh.ts'
import { isScanActive } from '../../primitives/libraries.ts'

/** A scan finds NFO files and reads none of them: it says how many there are, and leads to where they are read. */
export const NfoUnread = (props: { library: Library }) => {
  const query = createQuery(() => ({
    ...libraryRefreshQuery(props.library.id),
    enabled: (props.library.type === 'movies' || props.library.type === 'tv') && !isScanActive(props.library.lastScan),
  }))
  return (
    <Show when={query.data?.unread}>
      {(count) => (
        <A
          href={`/manage/libraries/${props.library.id}`}
          class="mt-1 inline-flex min-h-finger items-center rounded-chip text-caption text-accent underline"
        >
          {t('nfoLibrary.unread', count())}
        </A>
      )}
    </Show>
  )
}
