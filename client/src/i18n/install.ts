import { flatten } from '@solid-primitives/i18n'
import { installTexts } from './en/install.ts'
import { speaker } from './language.ts'

/** The texts of the client as an installed app. */
export const t = speaker(flatten(installTexts))
