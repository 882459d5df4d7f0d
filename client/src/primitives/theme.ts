/** The theme of this device, applied at once and remembered for the blocking `first.js` of the next visit. */

import { THEMES } from '../../../src/domain/user-settings.ts'
import type { Theme } from '../api/types.ts'
import { createDeviceChoice } from './device-choice.ts'

const CHROME_COLORS = { dark: '#0f1115', light: '#f7f8fa' }

const [theme, choose] = createDeviceChoice('theme', THEMES, 'dark')

export { theme }

const prefersLight = matchMedia('(prefers-color-scheme: light)')

const paint = () => {
  const shown = theme() === 'system' ? (prefersLight.matches ? 'light' : 'dark') : (theme() as 'light' | 'dark')
  document.documentElement.dataset.theme = shown
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', CHROME_COLORS[shown])
}

prefersLight.addEventListener('change', paint)

export const applyTheme = (next: Theme) => {
  choose(next)
  paint()
}
