import { type Accessor, createEffect, createSignal, onCleanup } from 'solid-js'
import type { Crumb } from '../components/breadcrumbs.tsx'

const [crumbs, setCrumbs] = createSignal<readonly Crumb[]>([])

/** The way down to the present screen, shown in the top bar. */
export { crumbs }

export const createCrumbs = (path: Accessor<readonly Crumb[]>) => {
  createEffect(() => {
    const own = path()
    setCrumbs(own)
    // The next screen may have set its own already.
    onCleanup(() => setCrumbs((shown) => (shown === own ? [] : shown)))
  })
}
