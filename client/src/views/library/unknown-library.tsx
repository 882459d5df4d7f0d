import { LibraryBig } from 'lucide-solid'
import { EmptyState } from '../../components/empty-state.tsx'
import { t } from '../../i18n/empty-library.ts'

/** In place of a library that is none, or none for this person. */
export const UnknownLibrary = () => (
  <EmptyState isScreen icon={<LibraryBig size={28} />} heading={t('emptyLibrary.unknownHeading')} text={t('emptyLibrary.unknown')} />
)
