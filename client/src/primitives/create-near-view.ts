import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'

/** So far from the window something is worth being there already. */
const MARGIN = '50%'

/** True once the element has come near the window, from then on. */
export const createNearView = (element: () => Element): Accessor<boolean> => {
  const [isNear, setNear] = createSignal(false)
  onMount(() => {
    const observer = new IntersectionObserver(
      (changes) => {
        if (!changes.some(({ isIntersecting }) => isIntersecting)) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element())
    onCleanup(() => observer.disconnect())
  })
  return isNear
}
