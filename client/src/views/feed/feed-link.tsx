import { useLocation } from '@solidjs/router'
import { GalleryVertical } from 'lucide-solid'
import { IconLink } from '../../components/icon-button.tsx'
import { t } from '../../i18n/filters.ts'
import { libraryPath } from '../../primitives/paths.ts'

/** From a library to scroll-through, with everything that narrows the library down. */
export const FeedLink = (props: { libraryId: number }) => {
  const location = useLocation()
  return (
    <IconLink href={`${libraryPath(props.libraryId)}/feed${location.search}`} state={{ isFromLibrary: true }} label={t('filters.oneByOne')}>
      <GalleryVertical size={18} />
    </IconLink>
  )
}
