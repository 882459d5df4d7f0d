/** Translation of a text of any length: piece by piece, each as long as its answer may be. */

import { isEcho, isRefusalOf } from './answer-guard.ts'
import { cleanAnswer, withoutFence } from './answer-text.ts'
import type { ChatAnswer } from './chat-client.ts'
import { type ReadAnswer, unquoted } from './description.ts'
import { cutIntoPieces } from './text-pieces.ts'

/** Asks the model for the translation of one piece (`buildRequest` and `chat`). */
export type AskTranslation = (piece: string, signal: AbortSignal) => Promise<ChatAnswer>

interface Asking {
  /** As for `isEcho`. */
  instructions: string
  ask: AskTranslation
}

const LEAD_IN =
  /^(?:(?:sure|certainly|of course)[^\n:]{0,80}[:!.]\s+)?(?:here(?: is|['’]s)[^\n:]{0,40}translat[^\n:]{0,60}:|[#*_]*(?:translation|übersetzung)[*_]*\s*:[*_]*)\s*/i

/** A translation may be longer than its text, but not by so much: that is a model that cannot find its end. */
const MAX_GROWTH = 8
const GROWTH_FROM_CHARACTERS = 400

/**
 * One answer. A translation that is the text itself is kept: names, and what is in the target language already, stay as
 * they are. `source` is the piece that was to be translated.
 */
export const readTranslation = ({ text }: ChatAnswer, { source, instructions }: { source: string; instructions: string }): ReadAnswer => {
  const clean = withoutFence(cleanAnswer(text))
  const bare = LEAD_IN.test(source) ? clean : clean.replace(LEAD_IN, '').trim()
  const whole = QUOTE.test(source.trim()) ? bare : unquoted(bare)
  if (whole === '') return { ok: false, reason: 'The model answered nothing.' }
  if (isRefusalOf(whole, source)) return { ok: false, reason: 'The model declined to translate the text.' }
  if (isEcho(whole, instructions)) return { ok: false, reason: 'The model repeated the question instead of translating.' }
  if (whole.length > Math.max(GROWTH_FROM_CHARACTERS, source.length * MAX_GROWTH))
    return { ok: false, reason: 'The translation runs on far beyond its text.' }
  return { ok: true, text: whole }
}

const QUOTE = /^["“„«‘']/

/**
 * Characters of a piece. A token is about four letters of English and less than one Chinese character, the translation may
 * be in either, and models that think need tokens for that: one character a token, of at least a few lines.
 */
const pieceCharacters = (maxTokens: number): number => Math.min(6000, Math.max(400, maxTokens))
/** Below this a piece that was cut off is not cut again: the model has lost its way. */
const MIN_PIECE_CHARACTERS = 100

const surroundingSpace = (piece: string): [string, string] => [/^\s*/.exec(piece)?.[0] ?? '', /\s*$/.exec(piece)?.[0] ?? '']

const translatePiece = async (piece: string, asking: Asking, signal: AbortSignal): Promise<ReadAnswer> => {
  const source = piece.trim()
  if (source === '') return { ok: true, text: piece }
  const answer = await asking.ask(source, signal)
  if (answer.finishReason === 'length') {
    if (source.length < 2 * MIN_PIECE_CHARACTERS) return { ok: false, reason: 'The translation was cut off. Allow more tokens.' }
    return translatePieces(cutIntoPieces(piece, Math.ceil(piece.length / 2)), asking, signal)
  }
  const read = readTranslation(answer, { source, instructions: asking.instructions })
  const [before, after] = surroundingSpace(piece)
  return read.ok ? { ok: true, text: `${before}${read.text}${after}` } : read
}

const translatePieces = async (pieces: string[], asking: Asking, signal: AbortSignal): Promise<ReadAnswer> => {
  const texts: string[] = []
  for (const piece of pieces) {
    signal.throwIfAborted()
    const read = await translatePiece(piece, asking, signal)
    if (!read.ok) return read
    texts.push(read.text)
  }
  return { ok: true, text: texts.join('') }
}

/** The whole text, or why it could not be translated: half a translation is none. Rejects with what `ask` rejects with. */
export const translateText = async (
  text: string,
  { maxTokens, ...asking }: Asking & { maxTokens: number },
  signal: AbortSignal,
): Promise<ReadAnswer> => {
  const read = await translatePieces(cutIntoPieces(text.trim(), pieceCharacters(maxTokens)), asking, signal)
  return read.ok ? { ok: true, text: read.text.trim() } : read
}
