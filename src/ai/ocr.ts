/** Offline recognition: one page at a time, with warm engines that are replaced when they hang, die or grow old. */

import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { checkOcrData } from './ocr-data.ts'
import { linkOcrData, type OcrEngine, startOcrEngine } from './ocr-engine.ts'
import { findOcrData, parseOcrLanguages, withVertical } from './ocr-languages.ts'
import type { OcrImage, OcrResult, Recognize } from './ocr-result.ts'

/** SECURITY, part 3: a page has a minute, the start of an engine included. */
const PAGE_TIMEOUT_MS = 60_000
/** An engine takes 130 to 230 MB. Two, for a household whose libraries differ in language. */
const MAX_ENGINES = 2
const IDLE_MS = 60_000
/** tesseract.js grows slowly over many pages (its issue 678). */
const MAX_PAGES_AN_ENGINE = 250
/** A page below this is read again in the other way, and the better reading kept. */
const SURE_CONFIDENCE = 90

type OcrErrorCode = 'unknown_language' | 'timeout' | 'failed'

export class OcrError extends Error {
  override readonly name = 'OcrError'
  readonly code: OcrErrorCode

  constructor(code: OcrErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

interface Recognizer extends Recognize {
  /** Ends the engines. Another page starts them again. */
  close: () => void
  /** Engines that are warm now. */
  warm: () => number
}

interface RecognizerOptions {
  /** Null: what came with packages alone. */
  ocrDataDir: string | null
  /** Made where it is missing. The system's own is read-only in many a container. */
  temporaryFolder?: string
  pageTimeoutMs?: number
  idleMs?: number
}

interface WarmEngine {
  engine: OcrEngine
  hasVertical: boolean
  pages: number
}

/** How much of a page is in a reading, and how sure: a few sure letters are less than a page that is nearly sure. */
const worth = ({ text, confidence }: OcrResult): number => confidence ** 2 * Math.sqrt(text.length)

/** A page of a vertical book has more; a page of manga, where most of the text may have been lost among the drawing, seldom. */
const FULL_PAGE_CHARACTERS = 80

const readPage = async ({ engine, hasVertical }: WarmEngine, { bytes }: OcrImage, patienceMs: number): Promise<OcrResult> => {
  const startedAt = performance.now()
  let best: OcrResult = { text: '', confidence: 0 }
  for (const look of ['local', 'global', 'bubbles'] as const) {
    if (look === 'bubbles' && !hasVertical) break
    const result = await engine.recognize(bytes, look)
    if (worth(result) > worth(best)) best = result
    const isSure = best.confidence >= SURE_CONFIDENCE
    if (isSure && (!hasVertical || best.text.length >= FULL_PAGE_CHARACTERS)) break
    // Where one look took so long, the next one would cost the page what has been read of it.
    if (performance.now() - startedAt > patienceMs) break
  }
  return best
}

/** Rejects with the signal's reason, or after the limit. */
const withLimit = async <T>(work: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T> => {
  const ended = Promise.withResolvers<never>()
  const timer = setTimeout(() => ended.reject(new OcrError('timeout', 'Recognising the page took too long.')), limitMs)
  const onAbort = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, ended.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Its calls reject with `OcrError`, or with the signal's reason. */
export const createRecognizer = ({
  ocrDataDir,
  temporaryFolder = tmpdir(),
  pageTimeoutMs = PAGE_TIMEOUT_MS,
  idleMs = IDLE_MS,
}: RecognizerOptions): Recognizer => {
  /** By languages; the one used last is the last. */
  const engines = new Map<string, WarmEngine>()
  let idleTimer: ReturnType<typeof setTimeout> | undefined

  const end = (key: string): void => {
    engines.get(key)?.engine.kill()
    engines.delete(key)
  }
  const close = (): void => {
    clearTimeout(idleTimer)
    for (const key of [...engines.keys()]) end(key)
  }

  /** By languages, why no engine could be started with their data: the library leaves a thread behind for each attempt. */
  const broken = new Map<string, OcrError>()
  const start = async (key: string, files: ReadonlyMap<string, string>): Promise<OcrEngine> => {
    const known = broken.get(key)
    if (known) throw known
    for (const file of files.values()) await checkOcrData(file)
    const folder = await linkOcrData(files, temporaryFolder)
    try {
      return await startOcrEngine([...files.keys()], folder)
    } catch (error) {
      const failure = new OcrError('failed', `The recognition data for ${key} cannot be used.`, error)
      broken.set(key, failure)
      throw failure
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  const take = async (text: string): Promise<{ key: string; warm: WarmEngine }> => {
    const data = await findOcrData(ocrDataDir)
    const parsed = parseOcrLanguages(text, data)
    if (!parsed.ok)
      throw new OcrError('unknown_language', `There is no recognition data for ${JSON.stringify(parsed.unknown.slice(0, 40))}.`)
    const languages = withVertical(parsed.languages, data)
    const key = languages.join('+')
    const kept = engines.get(key)
    if (kept) {
      engines.delete(key)
      engines.set(key, kept)
      return { key, warm: kept }
    }
    for (const oldest of [...engines.keys()].slice(0, Math.max(0, engines.size - MAX_ENGINES + 1))) end(oldest)
    const files = new Map(languages.map((language) => [language, data.get(language) ?? '']))
    const warm = { engine: await start(key, files), hasVertical: languages.some((language) => language.endsWith('_vert')), pages: 0 }
    engines.set(key, warm)
    return { key, warm }
  }

  let taking: Promise<unknown> = Promise.resolve()
  /** An engine that is being started when nobody waits for it any more is warm for the next page: that one starts none besides. */
  const takeInTurn = (text: string): ReturnType<typeof take> => {
    const taken = taking.then(() => take(text))
    // One that hangs holds up this page alone.
    taking = withLimit(taken, pageTimeoutMs, new AbortController().signal).catch(() => undefined)
    return taken
  }

  const recognizeOne: Recognize = async (image, languages, signal) => {
    clearTimeout(idleTimer)
    signal.throwIfAborted()
    let key: string | undefined
    let isGivenUp = false
    const work = async (): Promise<OcrResult> => {
      const taken = await takeInTurn(languages)
      if (isGivenUp) throw new OcrError('failed', 'Nobody waits for the page any more.')
      key = taken.key
      const result = await readPage(taken.warm, image, pageTimeoutMs / 3)
      taken.warm.pages += 1
      if (taken.warm.pages >= MAX_PAGES_AN_ENGINE) end(taken.key)
      return result
    }
    try {
      return await withLimit(work(), pageTimeoutMs, signal)
    } catch (error) {
      isGivenUp = true
      if (key !== undefined) end(key)
      signal.throwIfAborted()
      throw error instanceof OcrError ? error : new OcrError('failed', 'The page could not be recognised.', error)
    } finally {
      idleTimer = setTimeout(close, idleMs)
      idleTimer.unref()
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  /** Two at a time take longer than two one after the other, and twice the memory. */
  const recognize: Recognize = (image, languages, signal) => {
    const result = last.then(() => recognizeOne(image, languages, signal))
    last = result.catch(() => undefined)
    return result
  }
  return Object.assign(recognize, { close, warm: () => engines.size })
}
