import './styles/app.css'
import { render } from 'solid-js/web'
import { App } from './app.tsx'
import { startLanguage } from './i18n/choose-language.ts'
// The offer to install comes early, or never again.
import './primitives/install-prompt.ts'

const OFFLINE_AFTER_MS = 5000

const root = document.querySelector('#app')
if (!root) throw new Error('index.html has no #app')
void startLanguage().then(() => render(() => <App />, root))

// Browsers have it on https and localhost alone; nothing may need it.
if (import.meta.env.PROD && window.isSecureContext && 'serviceWorker' in navigator) {
  // It fetches the whole client: after the first screen, whose pictures need the line.
  const start = () =>
    import('./primitives/service-worker.ts').then(
      ({ startServiceWorker }) => startServiceWorker(),
      // The next visit has it.
      () => undefined,
    )
  setTimeout(() => void start(), OFFLINE_AFTER_MS)
}
