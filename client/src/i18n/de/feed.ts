import type { feedTexts as english } from '../en/feed.ts'
import type { Translation } from '../translation.ts'

export const feedTexts = {
  feed: {
    title: (library: string) => `${library}, eins nach dem anderen`,
    close: 'Zurück zur Bibliothek',
    soundOn: 'Ton an',
    soundOff: 'Ton aus',
    shuffle: 'Mischen',
    inOrder: 'Der Reihe nach',
    info: 'Details',
    openInLibrary: 'In der Bibliothek öffnen',
    seek: 'Position',
    positionOf: (position: string, duration: string) => `${position} von ${duration}`,
    empty: 'Hier gibt es keine Bilder oder Videos.',
    moreTags: (count: number) => `+${count}`,
    autoAdvance: 'Von selbst weiter',
    keys: 'Tasten',
    help: {
      turn: 'Nächstes oder voriges',
      ends: 'Erstes oder letztes',
      leave: 'Aus der Liste heraus',
      play: 'Abspielen oder Pause',
      mute: 'Ton aus oder an',
      close: 'Zurück zur Bibliothek',
      help: 'Diese Tasten',
    },
  },
} satisfies Translation<typeof english>
