/** Of filters and selections. */

import { counted } from '../counted.ts'

export const filtersTexts = {
  filters: {
    open: 'Filters',
    active: counted('active filter', 'active filters'),
    dropped: counted('unknown tag was taken out of the filter.', 'unknown tags were taken out of the filter.'),
    oneByOne: 'One by one',
    select: 'Select',
    selectAll: 'Select all',
    selectItem: (title: string) => `Select ${title}`,
    selected: counted('selected', 'selected'),
    arrange: 'Sort and view',
    view: 'View',
    views: { grid: 'Grid', list: 'List' },
  },
}
