import type { emptyLibraryTexts as english } from '../en/empty-library.ts'
import type { Translation } from '../translation.ts'

export const emptyLibraryTexts = {
  emptyLibrary: {
    unknownHeading: 'Diese Bibliothek gibt es nicht',
    unknown: 'Sie existiert nicht, oder sie ist nicht freigegeben.',
    scanNow: 'Jetzt einlesen',
    scanning: (name: string) => `${name} wird eingelesen`,
    neverScanned: 'Noch nicht eingelesen',
    heading: 'Nichts in dieser Bibliothek gefunden',
    foundNothing: (path: string) => `Beim letzten Einlesen wurde in ${path} nichts gefunden.`,
    expected: {
      games: 'Erwartet: je Spiel ein Ordner mit einer .zip-, .tar.gz-, .dmg- oder .app-Datei.',
      movies: 'Erwartet: je Film ein Ordner mit seinen Videodateien.',
      tv: 'Erwartet: je Serie ein Ordner mit Staffeln oder Folgen.',
      manga: 'Erwartet: je Reihe ein Ordner mit Archiven oder Seitenordnern.',
      mixed: 'Erwartet: beliebige Dateien in beliebigen Ordnern.',
    },
    noMatchHeading: 'Keine Treffer',
    noTitle: (query: string) => `Kein Titel enthält „${query}“.`,
    noMatch: 'Hier passt nichts zu all diesen Filtern.',
    searchAll: (query: string) => `In allen Bibliotheken nach „${query}“ suchen`,
    unavailable: 'Der Ordner dieser Bibliothek ist gerade nicht lesbar. Ihr Verzeichnis bleibt erhalten.',
  },
} satisfies Translation<typeof english>
