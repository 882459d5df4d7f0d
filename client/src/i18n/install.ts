import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { installTexts } from './en/install.ts'
import { foreignTexts } from './language.ts'

const english = flatten(installTexts)

/** The texts of the client as an installed app. */
export const t = translator<typeof english>(() => foreignTexts() ?? english, resolveTemplate)
