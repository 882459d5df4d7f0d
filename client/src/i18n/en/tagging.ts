/** Of giving tags to items. */

import { counted } from '../counted.ts'

export const taggingTexts = {
  tags: {
    edit: 'Tags',
    of: (title: string) => `Tags of ${title}`,
    ofMany: counted('item to tag', 'items to tag'),
    add: 'Add tags',
    search: 'Search or create a tag',
    find: 'Search a tag',
    category: 'Category',
    allCategories: 'All',
    assigned: 'Assigned',
    none: 'There are no tags yet.',
    noMatch: (text: string) => `No tag is called “${text}”.`,
    found: counted('tag', 'tags'),
    alias: (name: string) => `also “${name}”`,
    create: (name: string, category: string) => `Create “${name}” in ${category}`,
    createElsewhere: 'In another category…',
    createFirst: (name: string) => `Create “${name}” in a new category`,
    newCategory: 'New category',
    categoryName: 'Name of the category',
    color: 'Colour',
    colorNumber: (index: number) => `Colour ${index}`,
    isOn: (tag: string) => `“${tag}” is assigned already`,
    added: (tag: string) => `“${tag}” added`,
    removed: (tag: string) => `“${tag}” removed`,
    addedTo: (tag: string, items: string) => `“${tag}” added to ${items}`,
    removedFrom: (tag: string, items: string) => `“${tag}” removed from ${items}`,
    items: counted('item', 'items'),
    undo: 'Undo',
    selectionEnded: 'The selection has ended.',
  },
}
