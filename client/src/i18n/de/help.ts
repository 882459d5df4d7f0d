import type { helpTexts as english } from '../en/help.ts'
import type { Translation } from '../translation.ts'

export const helpTexts = {
  spokenKeys: { space: 'Leertaste', left: 'Pfeil links', right: 'Pfeil rechts', up: 'Pfeil hoch', down: 'Pfeil runter' },
  shortcuts: {
    title: 'Tasten',
    search: 'Suchen',
    filters: 'Filter öffnen oder schließen',
    larger: 'Größere Karten',
    smaller: 'Kleinere Karten',
    goHome: 'Zur Startseite',
    goLibrary: 'Zur Bibliothek',
    goManage: 'Zur Verwaltung',
    help: 'Diese Tasten zeigen',
    move: 'Bewegen',
    page: 'Eine Seite nach oben oder unten',
    ends: 'Erster oder letzter Eintrag',
    open: 'Öffnen',
  },
} satisfies Translation<typeof english>
