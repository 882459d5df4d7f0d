/** From what a model answered to the description of an item. */

import { isEcho, isRefusal } from './answer-guard.ts'
import { cleanAnswer, withoutFence } from './answer-text.ts'
import type { ChatAnswer } from './chat-client.ts'

/** An answer as text to keep, or why it cannot be kept, for people. */
export type ReadAnswer = { ok: true; text: string } | { ok: false; reason: string }

/** A description is a few sentences; what is this long went wrong. */
const MAX_CHARACTERS = 5000

/** "Here is a description:", "**Description**", "Description: …". */
const LEAD_IN =
  /^(?:(?:sure|certainly|of course|okay)[^\n:]{0,80}[:!.]\s+)?(?:here(?: is|['’]s| are)[^\n:]{0,100}:\s*|[#*_\s]*(?:description|beschreibung)[*_]*\s*:[*_]*\s*)/i

const QUOTED = /^(["“„«‘'])([\s\S]*)(["”“»’'])$/

/** Without one pair of quotation marks around all of it. */
export const unquoted = (text: string): string => {
  const [, , inside] = QUOTED.exec(text) ?? []
  return inside === undefined || /["“”„«»]/.test(inside) ? text : inside.trim()
}

/** Up to the last whole sentence; nothing where there is none. */
const wholeSentences = (text: string): string => /^[\s\S]*(?:[。！？]|[.!?…](?=["”»’')]?(?:\s|$)))["”»’')]?/.exec(text)?.[0] ?? ''

/** `instructions` as for `isEcho`: an answer that says them again is none. */
export const readDescription = ({ text, finishReason }: ChatAnswer, instructions: string): ReadAnswer => {
  const bare = unquoted(withoutFence(cleanAnswer(text)).replace(LEAD_IN, '').trim())
  const whole = finishReason === 'length' ? wholeSentences(bare) : bare
  if (whole === '')
    return {
      ok: false,
      reason: finishReason === 'length' ? 'The description was cut off. Allow more tokens.' : 'The model answered nothing.',
    }
  if (isRefusal(whole)) return { ok: false, reason: 'The model declined to describe the item.' }
  if (isEcho(whole, instructions)) return { ok: false, reason: 'The model repeated the question instead of answering it.' }
  if (whole.length > MAX_CHARACTERS) return { ok: false, reason: 'The description is too long to be one.' }
  return { ok: true, text: whole }
}
