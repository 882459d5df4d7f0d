import { counted } from '../counted.ts'
import type { marksTexts as english } from '../en/marks.ts'
import type { Translation } from '../translation.ts'

export const marksTexts = {
  marks: {
    asWatched: 'Als gesehen markieren',
    asRead: 'Als gelesen markieren',
    asUnwatched: 'Als ungesehen markieren',
    asUnread: 'Als ungelesen markieren',
    watched: counted('Eintrag als gesehen markiert', 'Einträge als gesehen markiert'),
    read: counted('Eintrag als gelesen markiert', 'Einträge als gelesen markiert'),
    unwatched: counted('Eintrag als ungesehen markiert', 'Einträge als ungesehen markiert'),
    unread: counted('Eintrag als ungelesen markiert', 'Einträge als ungelesen markiert'),
    none: 'So war alles schon markiert.',
    leaveOut: (title: string) => `${title} aus dieser Reihe nehmen`,
    leftOut: (title: string) => `${title} ist nicht mehr in der Reihe, bis es wieder geöffnet wird.`,
    undo: 'Rückgängig',
  },
} satisfies Translation<typeof english>
