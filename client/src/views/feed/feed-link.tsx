import { A, useLocation } from '@solidjs/router'
import { GalleryVertical } from 'lucide-solid'
import { t } from '../../i18n/filters.ts'
import { libraryPath } from '../../primitives/paths.ts'

/** From a library to scroll-through, with everything that narrows the library down. */
export const FeedLink = (props: { libraryId: number }) => {
  const location = useLocation()
  return (
    <A
      href={`${libraryPath(props.libraryId)}/feed${location.search}`}
      state={{ isFromLibrary: true }}
      aria-label={t('filters.oneByOne')}
      title={t('filters.oneByOne')}
      class="inline-flex size-target-large shrink-0 items-center justify-center rounded-card text-muted transition-colors hover:bg-raised hover:text-fg"
    >
      <GalleryVertical size={18} />
    </A>
  )
}
