/** Of what a list is narrowed down by, and of the panel where that is chosen. */

export const filterPanelTexts = {
  filterPanel: {
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
    unwatched: 'Unwatched',
    untagged: 'Untagged',
    files: { pictures: 'Pictures', videos: 'Videos', others: 'Other files' },
    unread: 'Unread',
  },
}
