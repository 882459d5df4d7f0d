import { flatten } from '@solid-primitives/i18n'
import { screensTexts } from './en/screens.ts'
import { speaker } from './language.ts'

/** The text of a key that every screen may need; a missing key or argument does not compile. */
export const t = speaker(flatten(screensTexts))
