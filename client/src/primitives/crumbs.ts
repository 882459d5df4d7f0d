import { type Accessor, createEffect, createSignal, onCleanup } from 'solid-js'

export interface Crumb {
  label: string
  href: string
}

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
