import { Compass } from 'lucide-solid'
import { LinkButton } from '../components/button.tsx'
import { PageHeading } from '../components/page-header.tsx'
import { t } from '../i18n/translate.ts'
import { createPageTitle } from '../primitives/page-title.ts'

export const NotFound = () => {
  createPageTitle(() => [t('problem.pageHeading')])
  return (
    <div class="flex flex-col items-center gap-4 py-16 text-center">
      <div class="flex size-16 items-center justify-center rounded-pill bg-raised text-muted">
        <Compass size={28} aria-hidden="true" />
      </div>
      <div>
        <PageHeading>{t('problem.pageHeading')}</PageHeading>
        <p class="text-small text-muted">{t('problem.page')}</p>
      </div>
      <LinkButton href="/" variant="primary">
        {t('problem.home')}
      </LinkButton>
    </div>
  )
}
