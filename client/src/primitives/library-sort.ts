/** What each type of library can be sorted by, and which way round each order starts. */

import type { LibraryType } from '../../../src/domain/item-type.ts'
import { DEFAULT_SORTS } from '../../../src/domain/user-settings.ts'
import type { SortField, SortOrder } from '../api/browse.ts'
import { createUrlState } from './create-url-state.ts'
import { createDeviceChoice } from './device-choice.ts'

const LIBRARY_SORTS: Record<LibraryType, readonly SortField[]> = {
  games: ['title', 'added', 'updated', 'size', 'random'],
  movies: ['title', 'added', 'year', 'rating', 'size', 'random'],
  tv: ['title', 'added', 'updated', 'year', 'rating', 'random'],
  manga: ['title', 'added', 'updated', 'random'],
  mixed: ['title', 'taken', 'added', 'updated', 'size', 'random'],
}

/** The latest, the best and the largest come first. */
const firstOrder = (sort: SortField): SortOrder => (sort === 'title' ? 'asc' : 'desc')

const [defaultSort, setDefaultSort] = createDeviceChoice('sort', DEFAULT_SORTS, 'title')

/** What the account prefers, where a library can be sorted by it; this device knows it before the account is asked. */
export { setDefaultSort }

const preferredIn = (choices: readonly SortField[]): SortField => choices.find((field) => field === defaultSort()) ?? 'title'

/** Of the order by chance: the same number is the same order. */
const SEEDS = 2 ** 31
export const newSeed = (): string => String(Math.floor(Math.random() * SEEDS))

/** Whatever somebody has typed there. */
export const seedIn = (get: (name: string) => string): number => Number(get('seed')) >>> 0

/** The order that an address asks for; of a library whose type is not known yet, the order that it most likely has. */
export const orderIn = (
  get: (name: string) => string,
  type: LibraryType | undefined,
): { sort: SortField; order: SortOrder; seed?: number } => {
  const choices: readonly SortField[] = type === undefined ? DEFAULT_SORTS : LIBRARY_SORTS[type]
  const sort = choices.find((field) => field === get('sort')) ?? preferredIn(choices)
  if (sort === 'random') return { sort, order: 'asc', seed: seedIn(get) }
  const dir = get('dir')
  return { sort, order: dir === 'asc' || dir === 'desc' ? dir : firstOrder(sort) }
}

/** The order of a grid, kept in `sort`, `dir` and `seed`; what is the default is left out of the address. */
export const createLibrarySort = (type: () => LibraryType) => {
  const { get, change } = createUrlState()
  const choices = (): readonly SortField[] => LIBRARY_SORTS[type()]
  const query = () => orderIn(get, type())
  return {
    choices,
    query,
    sortBy: (field: SortField) =>
      change({
        sort: field === preferredIn(choices()) ? null : field,
        dir: null,
        seed: field === 'random' ? newSeed() : null,
      }),
    /** The other way round; by chance, in another order. */
    flip: () => {
      const { sort, order } = query()
      const flipped = order === 'asc' ? 'desc' : 'asc'
      change(sort === 'random' ? { seed: newSeed() } : { dir: flipped === firstOrder(sort) ? null : flipped })
    },
  }
}
