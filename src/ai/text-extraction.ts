/** The text in a picture: by recognition, by a model, or by both. Knows neither files nor HTTP. */

import type { OcrMode } from '../domain/ai-settings.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import type { ChatAnswer } from './chat-client.ts'
import type { OcrImage, OcrResult, Recognize } from './ocr-result.ts'
import { DESCRIBED, readTranscript } from './transcript.ts'

/** A page, a frame or a cover. Each form is only made when it is asked for. */
export interface ExtractionPicture {
  forOcr: () => Promise<OcrImage>
  forModel: () => Promise<ModelImage>
}

interface ModelImage {
  bytes: Uint8Array
  mediaType: string
}

/** Asks the model for the text in one picture; `hint` is what recognition made of it, null where there is nothing. Rejects where there is no answer. */
export type AskModel = (question: { image: ModelImage; hint: string | null }, signal: AbortSignal) => Promise<ChatAnswer>

interface ExtractionRequest {
  mode: OcrMode
  /** Checked names joined with "+"; not looked at in `llm-only`. */
  languages: string
  recognize: Recognize
  /** Null where no model is to be asked: `hybrid` is then what recognition finds, `llm-only` is an error. */
  ask: AskModel | null
}

export interface ExtractedPage {
  text: string
  /** `fallback`: the model was asked and its answer was of no use, so this is the recognised text. */
  source: 'ocr' | 'model' | 'fallback'
  /** Of the recognition, 0 to 100; null in `llm-only`. */
  confidence: number | null
  /** Why the model's answer was not taken, for people; null where it was, or was not asked for. */
  rejected: string | null
}

/** In `hybrid` a page above this is taken as recognised. Measured: text is read at 88 to 96, noise and lost lines at 20 to 75. */
const CONFIDENT = 85
/** Letters and digits; of fewer, confidence says little: a shape in a drawing is "surely" an l. */
const MIN_CONFIDENT_CHARACTERS = 12
/** Of fewer, unless there is a word among them: no shape is taken for one. Measured: short words are read at 91 to 97. */
const CONFIDENT_OF_FEW = 90
const WORD = /\p{L}{4}/u

const isConfident = ({ text, confidence }: OcrResult): boolean => {
  const isLong = (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_CONFIDENT_CHARACTERS
  return isLong ? confidence >= CONFIDENT : confidence >= CONFIDENT_OF_FEW && WORD.test(text)
}

/** An answer that is no transcript, and nothing to fall back to. */
export class UselessTranscript extends Error {
  override readonly name = 'UselessTranscript'
}

/** What a model made of one picture; `error` is what it failed with, or `UselessTranscript`. */
type Read = { ok: true; text: string } | { ok: false; reason: string; error: unknown }

const askAbout = async (
  picture: ExtractionPicture,
  ask: AskModel,
  { hint, signal }: { hint: string | null; signal: AbortSignal },
): Promise<Read> => {
  const image = await picture.forModel()
  try {
    const read = readTranscript(await ask({ image, hint }, signal), hint)
    return read.ok ? read : { ...read, error: new UselessTranscript(read.reason) }
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, reason: errorMessage(error), error }
  }
}

const byModel = async (picture: ExtractionPicture, { ask }: ExtractionRequest, signal: AbortSignal): Promise<ExtractedPage> => {
  if (!ask) throw new TypeError('Reading by a model alone needs a model.')
  const read = await askAbout(picture, ask, { hint: null, signal })
  // There is nothing to fall back to: another attempt may bring a better answer.
  if (!read.ok) throw read.error
  return { text: read.text, source: 'model', confidence: null, rejected: null }
}

const byRecognition = async (
  picture: ExtractionPicture,
  { mode, ask, recognize, languages }: ExtractionRequest,
  signal: AbortSignal,
): Promise<ExtractedPage> => {
  const ocr = await recognize(await picture.forOcr(), languages, signal)
  const { text, confidence } = ocr
  if (mode === 'tesseract' || !ask || isConfident(ocr)) return { text, source: 'ocr', confidence, rejected: null }
  const read = await askAbout(picture, ask, { hint: text === '' ? null : text, signal })
  if (read.ok) return { text: read.text, source: 'model', confidence, rejected: null }
  if (text === '' && read.reason !== DESCRIBED) throw read.error
  return { text, source: 'fallback', confidence, rejected: read.reason }
}

/**
 * Rejects with the model's error, or with `UselessTranscript`, where that leaves no text at all; with what `recognize`
 * rejects with; and with the signal's reason once that is aborted.
 */
export const extractPage = async (picture: ExtractionPicture, request: ExtractionRequest, signal: AbortSignal): Promise<ExtractedPage> => {
  signal.throwIfAborted()
  return request.mode === 'llm-only' ? byModel(picture, request, signal) : byRecognition(picture, request, signal)
}
