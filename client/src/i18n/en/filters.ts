/** Of filters and selections. */

import { counted } from '../counted.ts'

export const filtersTexts = {
  filters: {
    open: 'Filters',
    active: counted('active filter', 'active filters'),
    list: 'Active filters',
    lead: 'Items must have all selected tags.',
    name: 'Filter by title',
    text: (text: string) => `“${text}”`,
    not: (tag: string) => `not ${tag}`,
    remove: (filter: string) => `Remove filter ${filter}`,
    clearAll: 'Clear all',
    exclude: 'Exclude',
    searchIn: (category: string) => `Search ${category}`,
    noTagIn: (text: string) => `No tag is called “${text}”.`,
    more: (count: string) => `Show ${count} more`,
    noTagsHeading: 'No tags yet',
    noTags: 'Nothing here carries a tag. Once something does, its tags are listed here.',
    unknownTag: 'Unnamed tag',
    dropped: counted('unknown tag was taken out of the filter.', 'unknown tags were taken out of the filter.'),
    oneByOne: 'One by one',
    select: 'Select',
    selectAll: 'Select all',
    selectItem: (title: string) => `Select ${title}`,
    selected: counted('selected', 'selected'),
    view: 'View',
    views: { grid: 'Grid', list: 'List' },
  },
}
