/** Answers that are no answer: a model that declines, talks about itself, or says the question again. */

const CANNOT = String.raw`\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|won['’]t|(?:am |['’]m )?(?:unable|not able) to|do not|don['’]t)\b`

/** Where somebody begins to speak of themselves: a film may be about what "presents itself as an AI assistant". */
const AS_AN = String.raw`(?:^|\W\s|\b(?:but|that) )as an? `

/** People in films and manga say "I'm sorry, I can't" too: only what speaks of the task itself is surely a refusal. */
const OF_THE_TASK = [
  new RegExp(`${AS_AN}(?:(?:ai|artificial intelligence)(?: language)?|(?:large )?language) (?:model|assistant)\\b`, 'i'),
  new RegExp(`${AS_AN}(?:ai|artificial intelligence),? I ?(?:${CANNOT}|have no\\b)`, 'i'),
  new RegExp(
    `${CANNOT} (?:comply|fulfil|fulfill|complete|process|continue)(?: with)? (?:that|this|your|the) (?:request|task|image|picture|text|prompt)\\b`,
    'i',
  ),
  new RegExp(
    `${CANNOT} (?:translate|describe|transcribe|identify|view|access|see|analy[sz]e|read) (?:that|this|the|any|your) (?:image|picture|text|content|photo|video|item|file|page)`,
    'i',
  ),
  new RegExp(`${CANNOT} (?:have|see) (?:access to )?(?:an?|any|the) (?:image|picture|text|photo|file)`, 'i'),
]

const DECLINES = String.raw`${CANNOT} (?:assist|help) (?:you )?with (?:that|this|your)\b`
const SOMEWHERE = new RegExp(DECLINES, 'i')
const BEGINS_SO = new RegExp(
  String.raw`^(?:(?:(?:I['’]m|I am)\b[^.\n]{0,20} )?sorry\b[^\n]{0,20}|unfortunately,? |as an? [^\n]{0,60}, )?I ?${DECLINES}`,
  'i',
)
/** Words that a person who declines has no use for. */
const OF_A_MODEL = /\b(?:request|task|prompt|assistant|AI|language model|guidelines|polic(?:y|ies))\b/i

/** Only the first words are looked at: a text may well quote such a sentence. */
const speaksOfTheTask = (text: string): boolean => {
  const start = text.trimStart().slice(0, 300)
  return OF_THE_TASK.some((refusal) => refusal.test(start))
}

/** Whether an answer in the model's own words, a description, declines instead of answering. */
export const isRefusal = (text: string): boolean => speaksOfTheTask(text) || SOMEWHERE.test(text.trimStart().slice(0, 300))

const MAX_REFUSAL_CHARACTERS = 200

/**
 * Whether an answer declines to give a text again, read or translated: `original` is that text, null where it is not known.
 * In it people may decline too, in any language. "I can't help you with that" counts where it is all that is said and
 * speaks like a model, or is far too short for its text, or is said to nobody where no text is known. In doubt it is text:
 * a refusal that is kept is seen and asked for again, a text that is refused can never be had.
 */
export const isRefusalOf = (text: string, original: string | null): boolean => {
  if (original !== null && isRefusal(original)) return false
  if (speaksOfTheTask(text)) return true
  if (text.length > MAX_REFUSAL_CHARACTERS || text.includes('\n') || !BEGINS_SO.test(text)) return false
  if (OF_A_MODEL.test(text)) return true
  return original === null ? !/\byou\b/i.test(text) : original.length > 2 * text.length
}

/** What a sentence of the question has to have to be told from a phrase that anybody might use. */
const MIN_ECHO_CHARACTERS = 40

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/**
 * Whether an answer repeats a sentence of what the model was told to do. `instructions` are those of the settings, with
 * their placeholders: an answer may well say what stands in place of these, such as a title.
 */
export const isEcho = (text: string, instructions: string): boolean => {
  const said = plain(text)
  return instructions
    .split(/\n+|(?<=[.!?:])\s+|\{\w+\}/)
    .map(plain)
    .some((sentence) => sentence.length >= MIN_ECHO_CHARACTERS && said.includes(sentence))
}
