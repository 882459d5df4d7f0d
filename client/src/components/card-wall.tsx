import { Key } from '@solid-primitives/keyed'
import { Show } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'
import { createWidth } from '../primitives/create-width.ts'
import { type CardShape, gridLayout } from '../primitives/grid-layout.ts'
import { textScale } from '../primitives/text-scale.ts'
import { MediaCard } from './media-card.tsx'

interface CardWallProps {
  entries: readonly BrowseEntry[]
  shape: CardShape
  hrefOf: (entry: BrowseEntry) => string
}

/** A few cards in rows, all of them drawn: for levels that are small by nature. */
export const CardWall = (props: CardWallProps) => {
  let list!: HTMLUListElement
  const width = createWidth(() => list)
  const layout = () => gridLayout(props.shape, 'medium', width(), textScale())
  return (
    <ul ref={list} class="flex flex-wrap" style={{ 'column-gap': `${layout().gap}px`, 'row-gap': `${layout().gap}px` }}>
      <Show when={width() > 0}>
        <Key each={props.entries} by="itemKey">
          {(entry) => (
            <li>
              <MediaCard
                entry={entry()}
                shape={props.shape}
                href={props.hrefOf(entry())}
                width={Math.floor(layout().cardWidth * 100) / 100}
                pictureHeight={layout().pictureHeight}
              />
            </li>
          )}
        </Key>
      </Show>
    </ul>
  )
}
