/** What AI enrichment can do for an item (the user's specification, "AI configuration"). */
export const AI_ACTIVITIES = ['tagging', 'description', 'extraction', 'translation'] as const
export type AiActivity = (typeof AI_ACTIVITIES)[number]

export const byActivity = <T>(make: (activity: AiActivity) => T): Record<AiActivity, T> => ({
  tagging: make('tagging'),
  description: make('description'),
  extraction: make('extraction'),
  translation: make('translation'),
})
