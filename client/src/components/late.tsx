import { type Component, createSignal } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { apiUrl, isServerReachable, request } from '../api/http.ts'
import { t } from '../i18n/translate.ts'
import { notifyError } from '../primitives/notify.ts'
import { onChange } from '../primitives/on-change.ts'

/** Some browsers never ask again for what they could not get once: then only a new page has it. */
const tellIncomplete = () => notifyError(new Error(t('problem.incomplete')), { label: t('problem.reload'), run: () => location.reload() })

type Late<Props extends object> = Component<Props> & { preload: () => void; isThere: () => boolean }

/**
 * A component in a chunk of its own, which is not there until the chunk is. Unlike `lazy` it suspends nothing: every change
 * of the address is a transition of the router's, and a screen that suspends in the middle of one can lose track of its own
 * nodes (seen when a filter was chosen while the grid's chunk was on its way: the grid stayed empty).
 */
export const late = <Props extends object>(load: () => Promise<Component<Props>>): Late<Props> => {
  const [component, setComponent] = createSignal<Component<Props>>()
  /** Another one each time. */
  const [failure, setFailure] = createSignal<object>()
  let isAsked = false
  const preload = () => {
    if (isAsked) return
    isAsked = true
    load().then(
      (loaded) => setComponent(() => loaded),
      () => {
        isAsked = false
        // The server is away, or has another version by now.
        request(apiUrl('health')).then(
          () => {
            setFailure({})
            tellIncomplete()
          },
          // Elsewhere the bar at the top says it.
          (error) => document.querySelector('[data-stage]') && notifyError(error),
        )
      },
    )
  }
  const Late = (props: Props) => {
    preload()
    // What was opened in vain is closed, so that it can be opened again.
    onChange(failure, () => 'onClose' in props && typeof props.onClose === 'function' && props.onClose())
    // For whoever still waits for it once the server is back.
    onChange(isServerReachable, (isReachable) => isReachable && preload())
    return <Dynamic component={component()} {...props} />
  }
  return Object.assign(Late, { preload, isThere: () => component() !== undefined })
}
