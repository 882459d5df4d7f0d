/** What AI enrichment can do for an item (the user's specification, "AI configuration"). */
export const AI_ACTIVITIES = ['tagging', 'description', 'extraction', 'translation'] as const
export type AiActivity = (typeof AI_ACTIVITIES)[number]
