import { counted } from '../counted.ts'
import type { filtersTexts as english } from '../en/filters.ts'
import type { Translation } from '../translation.ts'

export const filtersTexts = {
  filters: {
    open: 'Filter',
    active: counted('aktiver Filter', 'aktive Filter'),
    dropped: counted('unbekanntes Tag wurde aus dem Filter genommen.', 'unbekannte Tags wurden aus dem Filter genommen.'),
    oneByOne: 'Eins nach dem anderen',
    select: 'Auswählen',
    selectAll: 'Alle auswählen',
    selectItem: (title: string) => `${title} auswählen`,
    selected: counted('ausgewählt', 'ausgewählt'),
    arrange: 'Sortierung und Ansicht',
    view: 'Ansicht',
    views: { grid: 'Raster', list: 'Liste' },
  },
} satisfies Translation<typeof english>
