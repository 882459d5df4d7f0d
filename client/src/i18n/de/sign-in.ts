import type { signInTexts as english } from '../en/sign-in.ts'
import type { Translation } from '../translation.ts'

export const signInTexts = {
  signIn: {
    title: 'Anmelden',
    lead: 'Willkommen zurück.',
    submit: 'Anmelden',
    rejected: 'Name oder Passwort ist falsch.',
  },
  setup: {
    title: 'Vitrine einrichten',
    accountStep: 'Konto',
    libraryStep: 'Bibliothek',
    scanStep: 'Einlesen',
    step: (step: number, count: number) => `Schritt ${step} von ${count}`,
    accountHeading: 'Administratorkonto anlegen',
    accountLead: 'Dieses Konto verwaltet Bibliotheken und Konten. Der Rest des Haushalts kann später dazukommen.',
    createAccount: 'Konto anlegen',
    libraryHeading: 'Die erste Bibliothek',
    later: 'Später',
    continue: 'Weiter',
    scanHeading: 'Prüfen und einlesen',
    scanLead: 'Vitrine liest den Ordner und legt sein Verzeichnis an. Das geht auch weiter, wenn diese Seite geschlossen wird.',
    createAndScan: 'Anlegen und einlesen',
    open: 'Bibliothek öffnen',
  },
} satisfies Translation<typeof english>
