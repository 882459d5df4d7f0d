import { type Accessor, createSignal, onCleanup, onMount } from 'solid-js'

/** Pixels that an element has room for across, now and whenever that changes; 0 before it is there. */
export const createWidth = (element: () => HTMLElement): Accessor<number> => {
  const [width, setWidth] = createSignal(0)
  onMount(() => {
    const measure = () => setWidth(element().clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element())
    onCleanup(() => observer.disconnect())
  })
  return width
}
