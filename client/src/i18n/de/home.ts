import type { homeTexts as english } from '../en/home.ts'
import type { Translation } from '../translation.ts'

export const homeTexts = {
  home: {
    seeAll: 'Alle ansehen',
    title: 'Start',
    continue: 'Weitermachen',
    emptyHeading: 'Noch keine Bibliotheken',
    emptyAdmin: 'Ein Ordner mit Spielen, Filmen, Serien, Manga oder Bildern wird hier zur Bibliothek.',
    emptyUser: 'Noch ist keine Bibliothek freigegeben. Zugang gibt die Administration dieses Servers.',
    addLibrary: 'Bibliothek hinzufügen',
    neverScanned: 'Diese Bibliothek füllt sich mit dem ersten Einlesen.',
    foundNothing: 'Beim letzten Einlesen wurde nichts gefunden.',
    scrollBack: 'Zurückblättern',
    scrollOn: 'Weiterblättern',
  },
  notFound: {
    heading: 'Diese Seite gibt es nicht',
    text: 'Vielleicht ist die Adresse vertippt, oder die Seite ist umgezogen.',
  },
} satisfies Translation<typeof english>
