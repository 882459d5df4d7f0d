/** Answers that are no answer: a model that declines, talks about itself, or says the question again. */

const CANNOT = String.raw`\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)|won['’]t|(?:am |['’]m )?(?:unable|not able) to|do not|don['’]t)\b`

/** Where somebody begins to speak of themselves: a film may be about what "presents itself as an AI assistant". */
const AS_AN = String.raw`(?:^|\W\s|\b(?:but|that) )as an? `

/** People in films and manga say "I'm sorry, I can't" too: only what speaks of the task itself is a refusal. */
const REFUSALS = [
  new RegExp(`${AS_AN}(?:(?:ai|artificial intelligence)(?: language)?|(?:large )?language) (?:model|assistant)\\b`, 'i'),
  new RegExp(`${AS_AN}(?:ai|artificial intelligence),? I ?(?:${CANNOT}|have no\\b)`, 'i'),
  new RegExp(`${CANNOT} (?:assist|help) (?:you )?with (?:that|this|your)\\b`, 'i'),
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

/** Whether an answer declines instead of answering. Only its first words are looked at: a text may well quote such a sentence. */
export const isRefusal = (text: string): boolean => {
  const start = text.trimStart().slice(0, 300)
  return REFUSALS.some((refusal) => refusal.test(start))
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
