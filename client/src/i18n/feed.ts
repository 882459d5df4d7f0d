import { flatten } from '@solid-primitives/i18n'
import { feedTexts } from './en/feed.ts'
import { screensTexts } from './en/screens.ts'
import { viewersTexts } from './en/viewers.ts'
import { speaker } from './language.ts'

/** The text of a key of scroll-through, or of those that it shares with the viewer and other screens. */
export const t = speaker(flatten({ ...screensTexts, ...viewersTexts, ...feedTexts }))
