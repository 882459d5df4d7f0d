/** The text in pictures: by recognition, by a model, or by both. Knows neither files nor HTTP. */

import type { OcrImage, Recognize } from './ocr-result.ts'

export const OCR_MODES = ['hybrid', 'tesseract', 'llm-only'] as const
export type OcrMode = (typeof OCR_MODES)[number]

/** A page, a frame or a cover. Each form is only made when it is asked for, so that a volume's pages are never all in memory. */
export interface ExtractionPicture {
  forOcr: () => Promise<OcrImage>
  forModel: () => Promise<ModelImage>
}

export interface ModelImage {
  bytes: Uint8Array
  mediaType: string
}

export interface ModelText {
  text: string
  /** As the endpoint says it: `stop`, `length`, … */
  finishReason: string | null
}

/** Asks the model for the text in one picture; `hint` is what recognition made of it, null where there is nothing. Rejects where there is no answer. */
export type AskModel = (question: { image: ModelImage; hint: string | null }, signal: AbortSignal) => Promise<ModelText>

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

/** Rejects with the model's error where that leaves no text at all, and with the signal's reason once it is aborted. */
export type ExtractText = (request: ExtractionRequest, signal: AbortSignal) => Promise<Extraction>
