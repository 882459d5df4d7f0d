/** Looks for a server that is gone, less and less often, and tells when it is back. */

import { type Accessor, createEffect, createMemo, on, onCleanup } from 'solid-js'
import { isServerThere } from '../api/health.ts'
import { isServerReachable } from '../api/http.ts'
import { listen } from './listen.ts'
import { onChange } from './on-change.ts'

export const FIRST_PAUSE_MS = 2000
export const LONGEST_PAUSE_MS = 30_000

/** `onReturn` is told again, after the next pause, for as long as `isLost` stays true. */
export const createReturnWatch = (isLost: Accessor<boolean>, onReturn: () => Promise<unknown>): void => {
  let pause = FIRST_PAUSE_MS
  let returnedAt = Number.NEGATIVE_INFINITY
  const watch = () => {
    // A line that breaks again at once is not asked for more every two seconds.
    if (Date.now() - returnedAt > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS
    let timer: ReturnType<typeof setTimeout> | undefined
    let isAsking = false
    let isOver = false
    const wait = () => {
      timer = setTimeout(() => void look(), pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
    const look = async () => {
      if (isAsking) return
      isAsking = true
      clearTimeout(timer)
      if ((await isServerThere()) && !isOver) {
        returnedAt = Date.now()
        await onReturn()
      }
      isAsking = false
      if (!isOver) wait()
    }
    /** The network has come up, and the way to the server may follow in a moment. */
    const lookAnew = () => {
      pause = FIRST_PAUSE_MS
      void look()
    }
    listen(window, { online: lookAnew })
    // Whatever else the client asks for may find it first.
    onChange(isServerReachable, (isReachable) => isReachable && void look())
    onCleanup(() => {
      isOver = true
      clearTimeout(timer)
    })
    wait()
  }
  createEffect(on(createMemo(isLost), (lost) => lost && watch()))
}
