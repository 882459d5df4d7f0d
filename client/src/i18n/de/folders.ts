import { counted } from '../counted.ts'
import type { foldersTexts as english } from '../en/folders.ts'
import type { Translation } from '../translation.ts'

export const foldersTexts = {
  folders: {
    show: 'Zeigen',
    all: 'Alle Dateien',
    folders: 'Ordner',
    way: 'Ordner',
    list: 'Ordner darin',
    items: counted('Eintrag', 'Einträge'),
    below: (folder: string) => `In „${folder}“ und den Ordnern darunter`,
    goneHeading: 'Diesen Ordner gibt es nicht',
    gone: 'Er wurde vor dem letzten Einlesen verschoben oder gelöscht, oder nichts darin lässt sich zeigen.',
    up: (folder: string) => `Hinauf zu ${folder}`,
  },
} satisfies Translation<typeof english>
