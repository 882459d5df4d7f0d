/** What recognition takes and gives: the seam between the engine and what decides about its text. */

/** Upright and sized for recognition (media/ocr-picture.ts). */
export interface OcrImage {
  /** As a file of any kind that Leptonica reads. */
  bytes: Uint8Array
}

export interface OcrResult {
  /** Cleaned (ocr-text.ts); empty where nothing was recognised. */
  text: string
  /** 0 to 100, the mean of the kept words weighted by their length; 0 where there are none. */
  confidence: number
}

/** `languages` are checked names of installed ones (ocr-languages.ts), joined with "+". */
export type Recognize = (image: OcrImage, languages: string, signal: AbortSignal) => Promise<OcrResult>
