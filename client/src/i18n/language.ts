/** The language that the interface speaks, with its texts where they are not the English ones that every screen brings along. */

import { resolveTemplate, translator } from '@solid-primitives/i18n'
import { createSignal } from 'solid-js'
import type { german } from './de/german.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** Each in itself: whoever has chosen the wrong one finds back. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** All texts, each by its dotted key. */
type Texts = typeof german

const [speech, setSpeech] = createSignal<{ language: Language; texts: Texts | undefined }>({ language: 'en', texts: undefined })

export const language = (): Language => speech().language

/** For numbers and dates: of the countries that speak the language the browser's, so that 3/4 is the day that is meant. */
export const locale = (): string => (navigator.languages ?? []).find((tag) => tag.split('-')[0] === language()) ?? language()

/** A language and its texts change at once, so that no sentence has the number of one and the words of the other. */
export const speak = (next: Language, texts: Texts | undefined): void => {
  setSpeech({ language: next, texts })
}

/** Says these texts in the language that is spoken now. A missing key or argument does not compile. */
export const speaker = <Key extends keyof Texts>(english: Pick<Texts, Key>) =>
  translator<Pick<Texts, Key>>(() => speech().texts ?? english, resolveTemplate)
