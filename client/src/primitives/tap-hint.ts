/** The tap zones are shown for a moment: on the first visit with this device, and when they have changed. */

import { debounce } from '@solid-primitives/scheduled'
import { type Accessor, createSignal, onMount } from 'solid-js'
import { onChange } from './on-change.ts'

const STORAGE_KEY = 'vitrine.reader-hint'
export const HINT_MS = 2000

const isFirstVisit = (): boolean => {
  try {
    const isFirst = localStorage.getItem(STORAGE_KEY) === null
    localStorage.setItem(STORAGE_KEY, 'seen')
    return isFirst
  } catch {
    // Without storage every visit would be the first.
    return false
  }
}

/** True while they are shown. */
export const createTapHint = (zones: Accessor<string>): Accessor<boolean> => {
  const [isShown, setShown] = createSignal(false)
  const hideLater = debounce(() => setShown(false), HINT_MS)
  const show = () => {
    setShown(true)
    hideLater()
  }
  onMount(() => isFirstVisit() && show())
  onChange(zones, show)
  return isShown
}
