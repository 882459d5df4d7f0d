/** Who put a tag on an item: the AI tagger, a file that somebody imported, or a person. An assignment keeps the last of these. */
export const TAG_SOURCES = ['ai', 'import', 'user'] as const
export type TagSource = (typeof TAG_SOURCES)[number]

/** For SQL: of two sources the one that `instr` finds further back in this text is worth more. */
export const SOURCES_BY_WORTH = TAG_SOURCES.join(' ')
