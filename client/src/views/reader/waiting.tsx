import { LoaderCircle } from 'lucide-solid'
import { t } from '../../i18n/reader.ts'

/** In the middle of what is positioned around it: something is on its way. */
export const Waiting = () => (
  <span
    role="status"
    aria-label={t('app.loading')}
    class="pointer-events-none absolute inset-0 m-auto size-fit rounded-pill bg-scrim p-2 text-fg"
  >
    <LoaderCircle size={28} class="animate-spin" aria-hidden="true" />
  </span>
)
