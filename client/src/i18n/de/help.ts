import type { helpTexts as english } from '../en/help.ts'
import type { Translation } from '../translation.ts'

export const helpTexts = {
  spokenKeys: { space: 'Leertaste', left: 'Pfeil links', right: 'Pfeil rechts', up: 'Pfeil hoch', down: 'Pfeil runter' },
  printedKeys: { Home: 'Pos1', End: 'Ende', PageUp: 'Bild auf', PageDown: 'Bild ab', Ctrl: 'Strg', Shift: 'Umschalt' },
  shortcuts: {
    title: 'Tasten',
    search: 'Suchen',
    select: 'Mehrere auswählen',
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
    tick: 'Auswählen oder wieder herausnehmen',
    tickOn: 'Auswählen, was auf dem Weg liegt',
    tickAll: 'Alle auswählen',
    tags: 'Tags des Ausgewählten',
    tickNone: 'Auswahl beenden',
  },
} satisfies Translation<typeof english>
