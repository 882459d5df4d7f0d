/** The theme of this device, applied at once and remembered for the blocking `first.js` of the next visit. */

import { createSignal } from 'solid-js'
import { THEMES } from '../../../src/domain/user-settings.ts'
import type { Theme } from '../api/types.ts'

const STORAGE_KEY = 'vitrine.theme'
const CHROME_COLORS = { dark: '#0f1115', light: '#f7f8fa' }

const readStored = (): Theme => {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return THEMES.find((theme) => theme === stored) ?? 'dark'
  } catch {
    // Storage is refused in some private windows: the default does.
    return 'dark'
  }
}

const store = (theme: Theme) => {
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Refused storage only means that the next visit starts with the account's theme a moment later.
  }
}

const [theme, setThemeSignal] = createSignal<Theme>(readStored())

export { theme }

const prefersLight = matchMedia('(prefers-color-scheme: light)')

const paint = () => {
  const shown = theme() === 'system' ? (prefersLight.matches ? 'light' : 'dark') : (theme() as 'light' | 'dark')
  document.documentElement.dataset.theme = shown
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', CHROME_COLORS[shown])
}

prefersLight.addEventListener('change', paint)

export const applyTheme = (next: Theme) => {
  setThemeSignal(next)
  store(next)
  paint()
}
