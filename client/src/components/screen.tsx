import { type Component, lazy, onCleanup } from 'solid-js'
import { apiUrl, request } from '../api/http.ts'

const RETRY_MS = 5000

/**
 * Stands in for a screen whose chunk cannot be had: the server is away, or has another version by now. The page begins anew
 * as soon as the server answers; not at once where it has just begun, for then it would never stop.
 */
const Lost = () => {
  const ask = () =>
    request(apiUrl('health')).then(
      () => {
        // Once: whoever has unsaved work is asked, and may want to stay.
        clearInterval(timer)
        location.reload()
      },
      () => undefined,
    )
  const timer = setInterval(ask, RETRY_MS)
  if (performance.now() > RETRY_MS) void ask()
  onCleanup(() => clearInterval(timer))
  return null
}

/** A screen in a chunk of its own, by its exported name. */
export const screen = <Name extends string, Props extends object>(load: () => Promise<Record<Name, Component<Props>>>, name: Name) =>
  lazy(() =>
    load().then(
      (module) => ({ default: module[name] }),
      () => ({ default: Lost }),
    ),
  )
