/** Holds whoever goes to another screen while something is not saved, until they say that they mean it. */

import { useBeforeLeave } from '@solidjs/router'
import { type Accessor, createSignal } from 'solid-js'
import { listen } from './listen.ts'

export const createLeaveGuard = (isDirty: Accessor<boolean>) => {
  const [goOn, setGoOn] = createSignal<() => void>()
  useBeforeLeave((event) => {
    if (!isDirty() || event.defaultPrevented) return
    // A step through history does not say where to, but the address is there already.
    const to = typeof event.to === 'string' ? event.to : window.location.pathname
    // One between tabs of the same screen loses nothing.
    if (new URL(to, document.baseURI).pathname === new URL(event.from.pathname, document.baseURI).pathname) return
    event.preventDefault()
    setGoOn(() => () => event.retry(true))
  })
  // Another site, a reload, a closed tab: the browser asks in its own words.
  listen(window, { beforeunload: (event) => isDirty() && event.preventDefault() })
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
