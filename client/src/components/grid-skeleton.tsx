import { Index, Show } from 'solid-js'
import type { GridSize } from '../api/types.ts'
import { createWidth } from '../primitives/create-width.ts'
import { type GridShape, gridLayout } from '../primitives/grid-layout.ts'
import { textScale } from '../primitives/text-scale.ts'
import { Skeleton } from './skeleton.tsx'

/** The first rows of a grid before its entries are there, in the very places that the cards will take. */
export const GridSkeleton = (props: { shape: GridShape; size: GridSize; rows?: number }) => {
  let container!: HTMLDivElement
  const width = createWidth(() => container)
  const layout = () => gridLayout(props.shape, props.size, width(), textScale())
  const cards = () => (width() === 0 ? [] : Array.from({ length: layout().columns * (props.rows ?? (props.shape === 'row' ? 8 : 3)) }))
  return (
    <div ref={container} class="flex w-full flex-wrap" style={{ 'column-gap': `${layout().gap}px` }} aria-hidden="true">
      <Index each={cards()}>
        {() => (
          <div style={{ width: `${Math.floor(layout().cardWidth * 100) / 100}px`, height: `${layout().rowHeight}px` }}>
            <div style={{ height: `${layout().pictureHeight}px` }}>
              <Skeleton class="size-full" />
            </div>
            <Show when={props.shape !== 'row'}>
              <Skeleton class="mt-2 h-4 w-3/4" />
            </Show>
          </div>
        )}
      </Index>
    </div>
  )
}
