import { type Accessor, createEffect, onCleanup } from 'solid-js'

/** Keeps the screen on while something plays. Browsers that cannot, and pages that may not, go without. */
export const createWakeLock = (isWanted: Accessor<boolean>) => {
  createEffect(() => {
    if (!isWanted() || !('wakeLock' in navigator)) return
    let isOver = false
    let held: WakeLockSentinel | undefined
    const request = async () => {
      if (isOver || document.visibilityState !== 'visible') return
      const lock = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) await lock?.release()
      else held = lock
    }
    const onVisible = () => void request()
    // The lock goes with the page's visibility and has to be asked for again.
    document.addEventListener('visibilitychange', onVisible)
    void request()
    onCleanup(() => {
      isOver = true
      document.removeEventListener('visibilitychange', onVisible)
      void held?.release()
    })
  })
}
