/** Holds whoever goes to another screen while something is not saved, until they say that they mean it. */

import { useBeforeLeave } from '@solidjs/router'
import { type Accessor, createSignal, onCleanup } from 'solid-js'

export const createLeaveGuard = (isDirty: Accessor<boolean>) => {
  const [goOn, setGoOn] = createSignal<() => void>()
  useBeforeLeave((event) => {
    // A step through history may be one between tabs of the same screen, and does not say.
    if (!isDirty() || event.defaultPrevented || typeof event.to !== 'string') return
    if (new URL(event.to, document.baseURI).pathname === new URL(event.from.pathname, document.baseURI).pathname) return
    event.preventDefault()
    setGoOn(() => () => event.retry(true))
  })
  // Another site, a reload, a closed tab: the browser asks in its own words.
  const warn = (event: BeforeUnloadEvent): void => {
    if (isDirty()) event.preventDefault()
  }
  window.addEventListener('beforeunload', warn)
  onCleanup(() => window.removeEventListener('beforeunload', warn))
  return {
    isAsking: () => goOn() !== undefined,
    stay: () => setGoOn(undefined),
    leave: () => {
      const go = goOn()
      setGoOn(undefined)
      go?.()
    },
  }
}
