/** Keeps the client itself at hand where the connection is safe; without it everything works the same (UI.md 1.5). */

import { registerSW } from 'virtual:pwa-register'
import { t } from '../i18n/install.ts'
import { notifyLasting } from './notify.ts'

/** A page that stays open asks this often whether the server has a newer client. */
const LOOK_MS = 3_600_000

/** Pages come from the server, and only where that is away from the worker that is at work: this may be the new version already. */
const isNewest = async (): Promise<boolean> => {
  const script = document.querySelector('script[type=module]')?.getAttribute('src')
  const page = await fetch(document.baseURI, { cache: 'no-store' })
  return script != null && (await page.text()).includes(script)
}

export const startServiceWorker = () => {
  const update = registerSW({
    onNeedRefresh: async () => {
      // A first one that takes its time to begin looks like a newer one that waits, and there was none before it.
      if (!navigator.serviceWorker.controller) return
      // The worker takes over when the last page is closed. What could do so at once would reload older pages beside this one.
      if (await isNewest().catch(() => false)) return
      notifyLasting(t('install.updated'), { label: t('install.reload'), run: () => void update(true) })
    },
    onRegisteredSW: (_, registration) => {
      // Not being able to ask is the everyday case of a server that is switched off.
      setInterval(() => void registration?.update().catch(() => undefined), LOOK_MS)
    },
  })
}
