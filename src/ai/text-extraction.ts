/** The text in pictures: by recognition, by a model, or by both. Knows neither files nor HTTP. */

import type { OcrMode } from '../domain/ai-settings.ts'
import { errorMessage } from '../domain/thrown-error.ts'
import type { ChatAnswer } from './chat-client.ts'
import type { OcrImage, OcrResult, Recognize } from './ocr-result.ts'
import { DESCRIBED, readTranscript } from './transcript.ts'

/** A page, a frame or a cover. Each form is only made when it is asked for, so that a volume's pages are never all in memory. */
export interface ExtractionPicture {
  forOcr: () => Promise<OcrImage>
  forModel: () => Promise<ModelImage>
}

export interface ModelImage {
  bytes: Uint8Array
  mediaType: string
}

/** Asks the model for the text in one picture; `hint` is what recognition made of it, null where there is nothing. Rejects where there is no answer. */
export type AskModel = (question: { image: ModelImage; hint: string | null }, signal: AbortSignal) => Promise<ChatAnswer>

export interface ExtractionRequest {
  /** In reading order. */
  pictures: Iterable<ExtractionPicture> | AsyncIterable<ExtractionPicture>
  mode: OcrMode
  /** Checked names joined with "+"; not looked at in `llm-only`. */
  languages: string
  recognize: Recognize
  /** Null where AI is switched off: `hybrid` is then what recognition finds, `llm-only` is an error. */
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

export interface Extraction {
  /** The pages' texts in order, an empty line between them; empty pages leave no trace. */
  text: string
  pages: ExtractedPage[]
}

/** In `hybrid` a page above this is taken as recognised. Measured: text is read at 88 to 96, noise and lost lines at 20 to 75. */
const CONFIDENT = 85
/** Letters and digits; of fewer, confidence says little: a shape in a drawing is "surely" an l. */
const MIN_CONFIDENT_CHARACTERS = 12
/** Of fewer, unless there is a word among them: no shape is taken for one. Measured: short words are read at 91 to 97. */
const CONFIDENT_OF_FEW = 90
const WORD = /\p{L}{4}/u
/** Failures of the model in a row, after which the rest of a volume is left as recognised: each may have taken minutes. */
export const MAX_FAILURES = 2

const isConfident = ({ text, confidence }: OcrResult): boolean => {
  const isLong = (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_CONFIDENT_CHARACTERS
  return isLong ? confidence >= CONFIDENT : confidence >= CONFIDENT_OF_FEW && WORD.test(text)
}

/** What a model made of one picture; `failed` where there was no answer at all. */
type Read = { ok: true; text: string } | { ok: false; reason: string; failed?: unknown }

const askAbout = async (
  picture: ExtractionPicture,
  ask: AskModel,
  { hint, signal }: { hint: string | null; signal: AbortSignal },
): Promise<Read> => {
  const image = await picture.forModel()
  try {
    return readTranscript(await ask({ image, hint }, signal), hint)
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, reason: errorMessage(error), failed: error }
  }
}

const recognised = ({ text, confidence }: OcrResult): ExtractedPage => ({ text, source: 'ocr', confidence, rejected: null })

interface Asked {
  page: ExtractedPage
  /** What the model failed with; undefined where it answered or was not asked. */
  failure?: unknown
}

const byModel = async (picture: ExtractionPicture, { ask }: ExtractionRequest, signal: AbortSignal): Promise<Asked> => {
  if (!ask) throw new TypeError('Reading by a model alone needs a model.')
  const read = await askAbout(picture, ask, { hint: null, signal })
  if (read.ok) return { page: { text: read.text, source: 'model', confidence: null, rejected: null } }
  // There is nothing to fall back to: another attempt may bring a better answer.
  throw read.failed ?? new UselessTranscript(read.reason)
}

const byBoth = async (
  picture: ExtractionPicture,
  { ask, recognize, languages }: ExtractionRequest,
  { failures, signal }: { failures: number; signal: AbortSignal },
): Promise<Asked> => {
  const ocr = await recognize(await picture.forOcr(), languages, signal)
  if (!ask || failures >= MAX_FAILURES || isConfident(ocr)) return { page: recognised(ocr) }
  const read = await askAbout(picture, ask, { hint: ocr.text === '' ? null : ocr.text, signal })
  if (read.ok) return { page: { text: read.text, source: 'model', confidence: ocr.confidence, rejected: null } }
  return { page: { ...recognised(ocr), source: 'fallback', rejected: read.reason }, failure: read.failed }
}

/** An answer that is no transcript, and nothing to fall back to. */
export class UselessTranscript extends Error {
  override readonly name = 'UselessTranscript'
}

/**
 * Rejects with the model's error, or with `UselessTranscript`, where that leaves no text at all; with what `recognize`
 * rejects with; and with the signal's reason once that is aborted.
 */
export const extractText = async (request: ExtractionRequest, signal: AbortSignal): Promise<Extraction> => {
  const pages: ExtractedPage[] = []
  let failures = 0
  let failure: unknown
  for await (const picture of request.pictures) {
    signal.throwIfAborted()
    const asked: Asked =
      request.mode === 'llm-only'
        ? await byModel(picture, request, signal)
        : await byBoth(picture, request.mode === 'tesseract' ? { ...request, ask: null } : request, { failures, signal })
    if (asked.failure !== undefined) failures += 1
    else if (asked.page.source === 'model') failures = 0
    failure = asked.failure ?? failure
    pages.push(asked.page)
  }
  const texts = pages.map(({ text }) => text).filter((text) => text !== '')
  if (texts.length > 0) return { text: texts.join('\n\n'), pages }
  if (failure !== undefined) throw failure
  const useless = pages.find(({ rejected }) => rejected !== null && rejected !== DESCRIBED)
  if (useless?.rejected) throw new UselessTranscript(useless.rejected)
  return { text: '', pages }
}
