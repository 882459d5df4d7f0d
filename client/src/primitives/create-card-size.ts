import { type Accessor, createSignal } from 'solid-js'
import { GRID_SIZES } from '../../../src/domain/user-settings.ts'
import type { GridSize } from '../api/types.ts'
import { createUrlChoice } from './create-url-state.ts'

const [defaultGridSize, setDefaultGridSize] = createSignal<GridSize>('medium')

/** What the account prefers; a size in the address wins. */
export { defaultGridSize, setDefaultGridSize }

export const createCardSize = (): [Accessor<GridSize>, (size: GridSize) => void] => createUrlChoice('size', GRID_SIZES, defaultGridSize)
