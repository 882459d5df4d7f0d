/** What a model says, as text that is safe to keep and to show: answers are text and nothing else. */

/** How models that think aloud mark it; some templates leave the opening mark in the prompt, so that only the closing one is answered. */
const THOUGHT = /<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi
const UNOPENED_THOUGHT = /^[\s\S]*<\/(?:think|thinking|thought|reasoning)>/i

/** C0 and C1 controls but tab and line feed; the controls that turn the direction of whole runs of text; the byte order mark. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** A run of blanks is tried from its beginning alone: from each of them, a model that loops would hold up its lane for half a minute and more. */
const SPACE_AT_END = /(?<![ \t])[ \t]+$/gm

/** The answer without thoughts, control characters and halves of characters, trimmed, lines ended by a line feed. */
export const cleanAnswer = (text: string): string =>
  text
    .replace(THOUGHT, '')
    .replace(UNOPENED_THOUGHT, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(UNSEEN, '')
    .toWellFormed()
    .replace(SPACE_AT_END, '')
    .trim()

const FENCE = /^```[\w-]*\n([\s\S]*?)\n?```$/

/** What stands in a Markdown fence where the whole answer is one. */
export const withoutFence = (text: string): string => FENCE.exec(text.trim())?.[1]?.trim() ?? text.trim()
