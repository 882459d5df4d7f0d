import { counted } from '../counted.ts'
import type { taggingTexts as english } from '../en/tagging.ts'
import type { Translation } from '../translation.ts'

export const taggingTexts = {
  tags: {
    edit: 'Tags',
    of: (title: string) => `Tags von ${title}`,
    ofMany: counted('Eintrag', 'Einträge'),
    add: 'Tags hinzufügen',
    search: 'Tag suchen oder anlegen',
    find: 'Tag suchen',
    category: 'Kategorie',
    allCategories: 'Alle',
    assigned: 'Zugewiesen',
    none: 'Es gibt noch keine Tags.',
    noMatch: (text: string) => `Kein Tag heißt „${text}“.`,
    found: counted('Tag', 'Tags'),
    alias: (name: string) => `auch „${name}“`,
    create: (name: string, category: string) => `„${name}“ in ${category} anlegen`,
    createElsewhere: 'In einer anderen Kategorie …',
    createFirst: (name: string) => `„${name}“ in einer neuen Kategorie anlegen`,
    newCategory: 'Neue Kategorie',
    categoryName: 'Name der Kategorie',
    color: 'Farbe',
    colorNumber: (index: number) => `Farbe ${index}`,
    isOn: (tag: string) => `„${tag}“ ist schon zugewiesen`,
    added: (tag: string) => `„${tag}“ zugewiesen`,
    removed: (tag: string) => `„${tag}“ entfernt`,
    addedTo: (tag: string, items: string) => `„${tag}“ zugewiesen: ${items}`,
    removedFrom: (tag: string, items: string) => `„${tag}“ entfernt: ${items}`,
    items: counted('Eintrag', 'Einträge'),
    undo: 'Rückgängig',
    selectionEnded: 'Die Auswahl ist beendet.',
  },
} satisfies Translation<typeof english>
