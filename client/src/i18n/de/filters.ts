import { counted } from '../counted.ts'
import type { filtersTexts as english } from '../en/filters.ts'
import type { Translation } from '../translation.ts'

export const filtersTexts = {
  filters: {
    open: 'Filter',
    active: counted('aktiver Filter', 'aktive Filter'),
    list: 'Aktive Filter',
    lead: 'Einträge müssen alle gewählten Tags tragen.',
    name: 'Nach Titel filtern',
    text: (text: string) => `„${text}“`,
    not: (tag: string) => `nicht ${tag}`,
    remove: (filter: string) => `Filter ${filter} entfernen`,
    clearAll: 'Alle aufheben',
    exclude: 'Ausschließen',
    searchIn: (category: string) => `In ${category} suchen`,
    noTagIn: (text: string) => `Kein Tag heißt „${text}“.`,
    more: (count: string) => `${count} weitere zeigen`,
    noTagsHeading: 'Noch keine Tags',
    noTags: 'Hier trägt noch nichts ein Tag. Was vergeben ist, steht hier.',
    unknownTag: 'Tag ohne Namen',
    dropped: counted('unbekanntes Tag wurde aus dem Filter genommen.', 'unbekannte Tags wurden aus dem Filter genommen.'),
    oneByOne: 'Eins nach dem anderen',
    select: 'Auswählen',
    selectAll: 'Alle auswählen',
    selectItem: (title: string) => `${title} auswählen`,
    selected: counted('ausgewählt', 'ausgewählt'),
    view: 'Ansicht',
    views: { grid: 'Raster', list: 'Liste' },
  },
} satisfies Translation<typeof english>
