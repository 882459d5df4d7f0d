import type { filterPanelTexts as english } from '../en/filter-panel.ts'
import type { Translation } from '../translation.ts'

export const filterPanelTexts = {
  filterPanel: {
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
    unwatched: 'Ungesehen',
    untagged: 'Ohne Tags',
    files: { pictures: 'Bilder', videos: 'Videos', others: 'Andere Dateien' },
    unread: 'Ungelesen',
  },
} satisfies Translation<typeof english>
