/** The browser's offer to install the client, kept until somebody asks for it. Only safe connections get one. */

import { createSignal } from 'solid-js'

interface InstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const isInstallPrompt = (event: Event): event is InstallPromptEvent => 'prompt' in event

const [offer, setOffer] = createSignal<InstallPromptEvent>()

window.addEventListener('beforeinstallprompt', (event) => {
  if (!isInstallPrompt(event)) return
  event.preventDefault()
  setOffer(event)
})
window.addEventListener('appinstalled', () => setOffer(undefined))

export const canInstall = (): boolean => window.isSecureContext && offer() !== undefined

/** An offer can be taken once; the browser makes another one when it thinks fit. */
export const install = async (): Promise<void> => {
  const made = offer()
  setOffer(undefined)
  await made?.prompt()
}
