/** From what a model answered to the text in a picture: models loop, summarise, decline and describe instead of reading. */

import { NO_TEXT } from '../domain/ai-prompts.ts'
import { isRefusalOf } from './answer-guard.ts'
import { cleanAnswer, withoutFence } from './answer-text.ts'
import type { ChatAnswer } from './chat-client.ts'
import type { ReadAnswer } from './description.ts'
import { withoutCjkSpaces } from './ocr-text.ts'

/** "Here is the text:", "The text in the image reads:", "Sure! Transcription:". */
const LEAD_IN =
  /^(?:(?:sure|certainly|of course|okay)[^\n:]{0,80}[:!.]\s*)?(?:here(?: is|['’]s)[^\n:]{0,100}:\s*|the (?:visible )?text (?:in|on|of|from) (?:the|this) (?:image|picture|page|photo)[^\n:]{0,60}:\s*|[#*_\s]*(?:transcription|transcript|transcribed text)[*_]*\s*:[*_]*\s*)/i

/** Speaks of the picture instead of reading it. A book may begin "The picture …": only what says that it is one in front of somebody counts. */
const ABOUT_THE_PICTURE =
  /^(?:the|this|in (?:the|this)) (?:image|picture|photo(?:graph)?|page|screenshot|scene|panel|manga page|comic(?: page)?|cover|poster)s?(?:,? (?:you|we) (?:can )?see|,? there (?:is|are)|'s text)? ?(?:shows?|depicts?|contains?|features?|displays?|appears?|consists?|is (?:a|an|of|from|taken|divided)|there (?:is|are)|describes?|includes?|presents?|illustrates?|portrays?|has)\b/i

const TEXT = '(?:visible |readable |legible )?(?:text|words|writing)'
const SAYS_NOTHING = new RegExp(
  String.raw`^[[("*]*(?:there (?:is|are) no ${TEXT}|no (?:visible |readable |legible )?text|(?:(?:I['’]m )?sorry,? (?:but )?)?I (?:can(?:['’]t|not)|do(?:n['’]t| not)) (?:see|find|detect|identify) any ${TEXT}|(?:the|this) (?:image|picture|photo(?:graph)?|page|cover|poster) does(?:n['’]t| not) (?:contain|have|show|include) any ${TEXT})\b[^\n]{0,60}[\])"*.]*$`,
  'i',
)

/** A transcript is about as long as what recognition found; a page that it could hardly read may hold much more. */
const MAX_GROWTH = 6
const GROWTH_FROM_CHARACTERS = 1500

const REPEATED_TIMES = 6
const LOOP_SHARE = 0.5

/** One unit over and over at the end ("ha ha ha …" is allowed to laugh): how many characters at the end are that. */
const loopAtEnd = (text: string): number => {
  const end = text.slice(-2000)
  for (let length = 1; length <= Math.min(200, Math.floor(end.length / REPEATED_TIMES)); length += 1) {
    const unit = end.slice(-length)
    if (unit.trim() === '') continue
    let times = 1
    while (end.endsWith(unit.repeat(times + 1)) && (times + 1) * length <= end.length) times += 1
    if (times >= REPEATED_TIMES && times * length >= 40) return times * length
  }
  return 0
}

/** The share of lines that were said before. */
const repeatedLines = (text: string): number => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 3)
  return lines.length < 2 * REPEATED_TIMES ? 0 : 1 - new Set(lines).size / lines.length
}

const isLoop = (text: string): boolean => loopAtEnd(text) > 0 || repeatedLines(text) > LOOP_SHARE

/** Whoever only describes a picture has found nothing to read in it. */
export const DESCRIBED = 'The model described the picture instead of reading it.'

/** `hint` is what recognition read in the same picture, null where that is not known. An empty text is an answer: there is none in the picture. */
export const readTranscript = ({ text, finishReason }: ChatAnswer, hint: string | null): ReadAnswer => {
  const whole = withoutFence(cleanAnswer(text))
  // Text that itself begins so was recognised to begin so.
  const bare = hint !== null && LEAD_IN.test(hint) ? whole : withoutFence(whole.replace(LEAD_IN, '').trim())
  if (bare === '') return { ok: false, reason: 'The model answered nothing.' }
  if (bare.toLowerCase() === NO_TEXT || SAYS_NOTHING.test(bare)) return { ok: true, text: '' }
  if (isRefusalOf(bare, hint)) return { ok: false, reason: 'The model declined to read the picture.' }
  if (ABOUT_THE_PICTURE.test(bare) && !ABOUT_THE_PICTURE.test(hint ?? '')) return { ok: false, reason: DESCRIBED }
  if (isLoop(bare)) return { ok: false, reason: 'The model repeated itself without end.' }
  if (finishReason === 'length') return { ok: false, reason: 'The transcription was cut off. Allow more tokens.' }
  if (hint !== null && bare.length > Math.max(GROWTH_FROM_CHARACTERS, hint.length * MAX_GROWTH))
    return { ok: false, reason: 'The transcription is far longer than what can be read in the picture.' }
  return { ok: true, text: withoutCjkSpaces(bare.replaceAll(NO_TEXT, '')).trim() }
}
