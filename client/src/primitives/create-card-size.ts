import type { Accessor } from 'solid-js'
import { GRID_SIZES } from '../../../src/domain/user-settings.ts'
import type { GridSize } from '../api/types.ts'
import { createUrlChoice } from './create-url-state.ts'
import { createDeviceChoice } from './device-choice.ts'
import { createShortcut } from './shortcuts.ts'

const [defaultGridSize, setDefaultGridSize] = createDeviceChoice('size', GRID_SIZES, 'medium')

/** What the account prefers, which this device knows before the account is asked; a size in the address wins. */
export { defaultGridSize, setDefaultGridSize }

export const createCardSize = (): [Accessor<GridSize>, (size: GridSize) => void] => createUrlChoice('size', GRID_SIZES, defaultGridSize)

/** One step larger or smaller; undefined at the ends. */
const nextCardSize = (size: GridSize, step: 1 | -1): GridSize | undefined => GRID_SIZES[GRID_SIZES.indexOf(size) + step]

/** The keys + and - while cards are shown. */
export const createCardZoom = (size: Accessor<GridSize>, setSize: (size: GridSize) => void, hasCards: Accessor<boolean>) => {
  const zoom = (step: 1 | -1) => {
    const next = nextCardSize(size(), step)
    if (next !== undefined && hasCards()) setSize(next)
  }
  createShortcut('larger', () => zoom(1))
  createShortcut('smaller', () => zoom(-1))
}
