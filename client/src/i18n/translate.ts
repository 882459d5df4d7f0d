import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { english } from './en.ts'

const dictionary = flatten(english)

/** The text of a dictionary key; a missing key or argument does not compile. */
export const t = translator(() => dictionary, resolveTemplate)
