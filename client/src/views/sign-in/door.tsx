import type { JSX } from 'solid-js'
import { Logo } from '../../components/logo.tsx'
import { t } from '../../i18n/translate.ts'

/** The frame of the screens before signing in: the mark over one card. */
export const Door = (props: { children: JSX.Element; isWide?: boolean }) => (
  <main
    id="main"
    class="flex min-h-dvh flex-col items-center bg-[radial-gradient(50%_50%_at_50%_0%,var(--accent-soft),transparent)] px-4 py-8 sm:justify-center"
  >
    <div class={`w-full animate-rise ${props.isWide ? 'max-w-140' : 'max-w-96'}`}>
      <div class="mb-6 flex items-center justify-center gap-3">
        <Logo size={40} />
        <span class="text-h1 font-semibold">{t('app.name')}</span>
      </div>
      <div class="rounded-dialog border border-line bg-surface p-6 shadow-raised sm:p-8">{props.children}</div>
    </div>
  </main>
)
