import type { searchingTexts as english } from '../en/searching.ts'
import type { Translation } from '../translation.ts'

export const searchingTexts = {
  search: {
    title: 'Suche',
    titleOf: (text: string) => `Suche nach „${text}“`,
    start: 'Titel, Beschreibungen, Texte in Bildern, Übersetzungen und Tags.',
    noMatchHeading: 'Nichts gefunden',
    noMatch: (text: string) => `In keiner Bibliothek steht etwas zu „${text}“.`,
    results: (library: string) => `Treffer in ${library}`,
    all: 'Alle Bibliotheken',
    scope: 'Wo gesucht wird',
    seeAll: (library: string) => `Alle Treffer in ${library}`,
    matchedIn: {
      title: 'Titel',
      description: 'Beschreibung',
      extractedText: 'Text im Bild',
      translation: 'Übersetzung',
      tags: 'Tags',
    },
  },
} satisfies Translation<typeof english>
