import { type Component, createSignal } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { notifyError } from '../primitives/notify.ts'

/**
 * A component in a chunk of its own, which is not there until the chunk is. Unlike `lazy` it suspends nothing: every change
 * of the address is a transition of the router's, and a screen that suspends in the middle of one can lose track of its own
 * nodes (seen when a filter was chosen while the grid's chunk was on its way: the grid stayed empty).
 */
export const late = <Props extends object>(load: () => Promise<Component<Props>>): Component<Props> & { preload: () => void } => {
  const [component, setComponent] = createSignal<Component<Props>>()
  let isAsked = false
  const preload = () => {
    if (isAsked) return
    isAsked = true
    load().then(
      (loaded) => setComponent(() => loaded),
      (error: unknown) => {
        // The next one who needs it asks again.
        isAsked = false
        notifyError(error)
      },
    )
  }
  const Late = (props: Props) => {
    preload()
    return <Dynamic component={component()} {...props} />
  }
  return Object.assign(Late, { preload })
}
