/** What each type of library can be sorted by, and which way round each order starts. */

import { createSignal } from 'solid-js'
import type { LibraryType } from '../../../src/domain/item-type.ts'
import type { SortField, SortOrder } from '../api/browse.ts'
import { createUrlState } from './create-url-state.ts'

export const LIBRARY_SORTS = {
  games: ['title', 'added', 'size'],
  movies: ['title', 'added', 'year', 'rating', 'size'],
  tv: ['title', 'added', 'year', 'rating'],
  manga: ['title', 'added'],
  mixed: ['title', 'added', 'updated', 'size'],
} as const satisfies Record<LibraryType, readonly SortField[]>

const FIRST_ORDERS: Record<SortField, SortOrder> = {
  number: 'asc',
  title: 'asc',
  added: 'desc',
  updated: 'desc',
  year: 'desc',
  rating: 'desc',
  size: 'desc',
}

const [defaultSort, setDefaultSort] = createSignal<string>('title')

/** What the account prefers, where a library can be sorted by it. */
export { setDefaultSort }

/** The order of a grid, kept in `sort` and `dir`; what is the default is left out of the address. */
export const createLibrarySort = (type: () => LibraryType) => {
  const { get, change } = createUrlState()
  const choices = (): readonly SortField[] => LIBRARY_SORTS[type()]
  const preferred = (): SortField => choices().find((field) => field === defaultSort()) ?? 'title'
  const sort = (): SortField => choices().find((field) => field === get('sort')) ?? preferred()
  const order = (): SortOrder => {
    const dir = get('dir')
    return dir === 'asc' || dir === 'desc' ? dir : FIRST_ORDERS[sort()]
  }
  return {
    choices,
    sort,
    order,
    sortBy: (field: SortField) => change({ sort: field === preferred() ? null : field, dir: null }),
    flip: () => {
      const flipped = order() === 'asc' ? 'desc' : 'asc'
      change({ dir: flipped === FIRST_ORDERS[sort()] ? null : flipped })
    },
  }
}
