import { type Accessor, createEffect, onCleanup } from 'solid-js'
import { listen } from './listen.ts'

/** Keeps the screen on while something plays. Browsers that cannot, and pages that may not, go without. */
export const createWakeLock = (isWanted: Accessor<boolean>) => {
  createEffect(() => {
    if (!isWanted() || !('wakeLock' in navigator)) return
    // One after the other: of two at once the first would be forgotten, and keep the screen on for ever.
    let held = Promise.resolve<WakeLockSentinel | undefined>(undefined)
    const request = async (lock: WakeLockSentinel | undefined) => {
      if (document.visibilityState !== 'visible' || lock?.released === false) return lock
      return navigator.wakeLock.request('screen').catch(() => undefined)
    }
    // The lock goes with the page's visibility and has to be asked for again.
    const onVisible = () => {
      held = held.then(request)
    }
    listen(document, { visibilitychange: onVisible })
    onVisible()
    onCleanup(() => void held.then((lock) => lock?.release()))
  })
}
