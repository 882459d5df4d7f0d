import { formatCount } from '../../primitives/format.ts'
import { counted } from '../counted.ts'
import type { screensTexts as english } from '../en/screens.ts'
import type { Translation } from '../translation.ts'
import { problemTold } from './problems.ts'

/** What the server says of single fields, where that is more than "not valid". */
const FIELDS: Record<string, string> = {
  'A name is needed': 'Ein Name fehlt.',
  'At least 8 characters': 'Mindestens 8 Zeichen.',
  'Control characters are not allowed': 'Steuerzeichen sind nicht erlaubt.',
  'Control and invisible characters are not allowed': 'Unsichtbare Zeichen und Steuerzeichen sind nicht erlaubt.',
  'must be printable characters without spaces': 'Nur druckbare Zeichen ohne Leerzeichen.',
  'must be an address such as http://localhost:11434/v1': 'Eine Adresse wie http://localhost:11434/v1.',
  'must begin with http:// or https://': 'Die Adresse muss mit http:// oder https:// beginnen.',
  'must not hold a name or a password: the key has a field of its own':
    'Die Adresse darf weder Namen noch Passwort enthalten: Der Schlüssel hat ein eigenes Feld.',
  'must not hold "?" or "#"': 'Die Adresse darf weder „?“ noch „#“ enthalten.',
  'is an address that requests never go to': 'An diese Adresse gehen nie Anfragen.',
}

const fieldText = (message: string): string => {
  const said = message
    .replace(/^At most (\d+) characters$/, 'Höchstens $1 Zeichen.')
    .replace(/^A whole number from (\d+) to (\d+)$/, 'Eine ganze Zahl von $1 bis $2.')
  return FIELDS[message] ?? (said === message ? 'Diese Angabe ist so nicht möglich.' : said)
}

export const screensTexts = {
  app: {
    name: 'Vitrine',
    skipToContent: 'Zum Inhalt springen',
    unreachable: 'Server nicht erreichbar. Neuer Versuch\u{a0}…',
    loading: 'Wird geladen',
  },
  action: {
    add: 'Hinzufügen',
    back: 'Zurück',
    cancel: 'Abbrechen',
    clear: 'Leeren',
    clearFilters: 'Filter aufheben',
    confirm: (what: string) => `${what}: erneut klicken`,
    close: 'Schließen',
    copied: 'Kopiert',
    copyDetails: 'Details kopieren',
    create: 'Anlegen',
    delete: 'Löschen',
    done: 'Fertig',
    download: 'Herunterladen',
    retry: 'Erneut versuchen',
    save: 'Speichern',
    saved: 'Gespeichert',
    loadMore: 'Mehr laden',
  },
  problem: {
    heading: 'Das hat nicht geklappt',
    notFoundHeading: 'Hier ist nichts',
    notFound: 'Der Eintrag wurde verschoben oder gelöscht, oder er ist nicht freigegeben.',
    forbiddenHeading: 'Keine Berechtigung',
    forbidden: 'Zugang gibt die Administration dieses Servers.',
    unreachableHeading: 'Der Server antwortet nicht',
    incomplete: 'Ein Teil dieser Seite fehlt.',
    reload: 'Neu laden',
    clipboard: 'Die Zwischenablage ist nicht zugänglich.',
    home: 'Zur Startseite',
    told: problemTold,
    field: fieldText,
  },
  nav: {
    label: 'Hauptnavigation',
    home: 'Start',
    libraries: 'Bibliotheken',
    manage: 'Verwaltung',
    settings: 'Einstellungen',
    trash: 'Papierkorb',
    more: 'Mehr',
    breadcrumbs: 'Pfad zu dieser Seite',
    search: 'Überall suchen',
    userMenu: (name: string) => `Konto von ${name}`,
    signOut: 'Abmelden',
  },
  library: {
    search: 'Nach Titel suchen',
    sort: 'Sortieren nach',
    ascending: 'Aufsteigend',
    descending: 'Absteigend',
    shuffle: 'Neu mischen',
    size: 'Kartengröße',
    sizes: { small: 'Klein', medium: 'Mittel', large: 'Groß' },
    sorts: {
      title: 'Titel',
      added: 'Hinzugefügt',
      updated: 'Geändert',
      taken: 'Aufnahmedatum',
      year: 'Jahr',
      rating: 'Bewertung',
      size: 'Dateigröße',
      random: 'Zufällig',
    },
    items: counted('Eintrag', 'Einträge'),
    results: counted('Treffer', 'Treffer'),
    manyResults: 'Mehr als 1.000 Treffer',
    skipGrid: 'Einträge überspringen',
    grid: (name: string) => `Einträge von ${name}`,
    scanStarted: 'Das Einlesen hat begonnen.',
  },
  entry: {
    games: counted('Spiel', 'Spiele'),
    seasons: counted('Staffel', 'Staffeln'),
    episodes: counted('Folge', 'Folgen'),
    volumes: counted('Band', 'Bände'),
    onPage: (page: number) => `Auf Seite ${formatCount(page)}`,
    episode: (season: number | null, episode: number) => (season === null ? `Folge ${episode}` : `S${season} F${episode}`),
    watched: 'Gesehen',
    read: 'Gelesen',
    hasText: 'Hat erkannten Text',
    byModel: 'Vom Modell gewählt',
    partlyDone: (percent: number) => `${percent} % geschafft`,
  },
  scan: {
    start: (name: string) => `${name} einlesen`,
    finishedToast: (name: string) => `${name} wurde eingelesen.`,
    failedToast: (name: string) => `Das Einlesen von ${name} ist gescheitert.`,
  },
} satisfies Translation<typeof english>
