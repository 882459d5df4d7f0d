import { Compass, Search } from 'lucide-solid'
import { LinkButton } from '../components/button.tsx'
import { PageHeading } from '../components/page-header.tsx'
import { t } from '../i18n/home.ts'
import { createPageTitle } from '../primitives/page-title.ts'
import { SEARCH_PATH } from '../primitives/paths.ts'

export const NotFound = () => {
  createPageTitle(() => [t('notFound.heading')])
  return (
    <div class="flex flex-col items-center gap-4 py-16 text-center">
      <div class="flex size-16 items-center justify-center rounded-pill bg-raised text-muted">
        <Compass size={28} aria-hidden="true" />
      </div>
      <div>
        <PageHeading>{t('notFound.heading')}</PageHeading>
        <p class="text-small text-muted">{t('notFound.text')}</p>
      </div>
      <div class="flex flex-wrap justify-center gap-3">
        <LinkButton href="/" variant="primary">
          {t('problem.home')}
        </LinkButton>
        <LinkButton href={SEARCH_PATH}>
          <Search size={18} aria-hidden="true" />
          {t('nav.search')}
        </LinkButton>
      </div>
    </div>
  )
}
