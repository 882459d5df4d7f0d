import { type Component, createSignal, lazy, onCleanup, Show } from 'solid-js'
import { apiUrl, request } from '../api/http.ts'

const RETRY_MS = 5000

type Chunk<Name extends string, Props extends object> = () => Promise<Record<Name, Component<Props>>>

const chunk = <Name extends string, Props extends object>(load: Chunk<Name, Props>, name: Name, missing: Component) =>
  lazy(() =>
    load().then(
      (module) => ({ default: module[name] }),
      () => ({ default: missing }),
    ),
  )

/** Nearly always there already, with the frame. Where it is not, nothing can be said. */
export const ErrorCard = chunk(
  () => import('./error-card.tsx'),
  'ErrorCard',
  () => null,
)

/**
 * Stands in for a screen whose chunk cannot be had: the server is away, or has another version by now. The page begins anew
 * as soon as the server answers; not at once where it has just begun, for then it would never stop.
 */
const Lost = () => {
  const [problem, setProblem] = createSignal<Error>()
  const ask = () =>
    request(apiUrl('health')).then(() => {
      if (performance.now() < RETRY_MS) return
      // Once: whoever has unsaved work is asked, and may want to stay.
      clearInterval(timer)
      location.reload()
    }, setProblem)
  const timer = setInterval(ask, RETRY_MS)
  void ask()
  onCleanup(() => clearInterval(timer))
  return <Show when={problem()}>{(known) => <ErrorCard isScreen error={known()} onRetry={ask} />}</Show>
}

/** A screen in a chunk of its own, by its exported name. */
export const screen = <Name extends string, Props extends object>(load: Chunk<Name, Props>, name: Name) => chunk(load, name, Lost)
