/** Who put a tag on an item: a person, the AI tagger, or a file that somebody imported. */
export const TAG_SOURCES = ['user', 'ai', 'import'] as const
export type TagSource = (typeof TAG_SOURCES)[number]
