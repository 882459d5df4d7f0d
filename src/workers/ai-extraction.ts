/** The text in an item's pictures, page by page: what is done is told at once, so that a restart need not do it again. */

import type { AiTask, DonePage } from '../ai/ai-task.ts'
import { imagePart } from '../ai/chat-client.ts'
import { ChatError } from '../ai/chat-failure.ts'
import { createRecognizer, OcrError } from '../ai/ocr.ts'
import type { Recognize } from '../ai/ocr-result.ts'
import { buildRequest } from '../ai/prompts.ts'
import { type AskModel, type ExtractedPage, extractPage, UselessTranscript } from '../ai/text-extraction.ts'
import type { AiJobResult } from '../domain/ai-job.ts'
import { type AiPicture, jpegForModel, openAiPictures } from '../media/ai-pictures.ts'
import { DecodeError } from '../media/decode-error.ts'
import { ocrImage } from '../media/ocr-picture.ts'
import { askModel, Impossible, keptText, UselessAnswer, type Work } from './ai-work.ts'

/** Small letters of a whole page can still be read. */
const READ_SIDE = 2048
/** Failures of the model in a row, after which the rest of a volume is left as recognised: each may have taken minutes. */
const MAX_FAILURES = 2
/** Pictures that nothing was made of, after which an item of which nothing else was read is given up: each may have taken minutes. */
const MAX_UNREAD = 10

/** A page that nothing was read of: the others are no worse for it. */
const unreadPage = (page: number, error: Error): DonePage => ({
  page,
  text: '',
  source: 'fallback',
  confidence: null,
  rejected: error.message,
})

const isUnread = ({ source, text }: DonePage): boolean => source === 'fallback' && text === ''

/** What one page may fail with while the others are read; where a model alone reads, there is nothing without its answer. */
const isOfPage = (error: unknown, { task }: Work): error is Error => {
  if (error instanceof OcrError) return error.code === 'timeout'
  if (error instanceof ChatError) return task.settings.ocrMode === 'hybrid'
  return error instanceof DecodeError || error instanceof UselessTranscript
}

/** In the words of the thread. */
const ownError = (error: unknown): unknown => {
  if (error instanceof OcrError && error.code === 'unknown_language') return new Impossible(error.message)
  return error instanceof OcrError || error instanceof UselessTranscript ? new UselessAnswer(error.message) : error
}

interface Asking {
  recognize: Recognize
  ask: AskModel | null
  /** Of the model, in a row. */
  failures: number
}

const asking = (work: Work, recognize: Recognize): Asking => {
  const { settings, item } = work.task
  const state: Asking = { recognize, ask: null, failures: 0 }
  if (!settings.enabled || settings.endpoint === '') return state
  state.ask = async ({ image, hint }) => {
    const images = [imagePart(image.bytes, image.mediaType)]
    state.failures += 1
    const answer = await askModel(work, buildRequest('extraction', settings, { item, images, ocrText: hint }))
    state.failures = 0
    return answer
  }
  return state
}

let made: ReturnType<typeof createRecognizer> | undefined
/** One warm engine a thread. */
const recognizer = ({ ocrDataDir, temporaryFolder }: AiTask): Recognize => {
  made ??= createRecognizer({ ocrDataDir, temporaryFolder })
  return made
}

const readPicture = async (work: Work, { use }: AiPicture, { ask, failures, recognize }: Asking): Promise<ExtractedPage> => {
  const { settings, payload } = work.task
  return use(async (picture) => {
    const forOcr = () => ocrImage(picture)
    const forModel = async () => ({ bytes: await jpegForModel(picture, READ_SIDE), mediaType: 'image/jpeg' })
    const mode = settings.ocrMode
    if (mode === 'llm-only' && !ask) throw new Impossible('Reading by a model alone needs a model.')
    return extractPage(
      { forOcr, forModel },
      {
        mode,
        languages: payload.ocrLanguages ?? settings.ocrLanguages,
        recognize,
        ask: mode === 'hybrid' && failures >= MAX_FAILURES ? null : ask,
      },
      work.signal,
    )
  })
}

/** Frames of a video show the same words for a while. */
const joined = (pages: readonly DonePage[]): string => {
  const texts = pages.map(({ text }) => text.trim()).filter((text) => text !== '')
  return texts.filter((text, index) => text !== texts[index - 1]).join('\n\n')
}

/** Throws what opening the pictures throws, `ChatError`, `UselessAnswer` and `Impossible`. */
export const extract = async (
  work: Work,
  onPage: (page: DonePage) => void,
  recognize: Recognize = recognizer(work.task),
): Promise<AiJobResult> => {
  const { root, ffmpegPath, pictures, donePages } = work.task
  if (pictures.length === 0) throw new Impossible('This item has no picture.')
  const done = new Map(donePages.filter((page) => !isUnread(page)).map((page) => [page.page, page]))
  const model = asking(work, recognize)
  let failure: Error | undefined
  let unread = 0
  for await (const picture of openAiPictures({ root, ffmpegPath }, pictures)) {
    if (done.has(picture.page)) continue
    const read = await readPicture(work, picture, model).then(
      (page): DonePage => ({ ...page, page: picture.page }),
      (error: unknown) => {
        if (!isOfPage(error, work)) throw ownError(error)
        failure = error
        if (!(error instanceof DecodeError)) unread += 1
        return unreadPage(picture.page, error)
      },
    )
    done.set(read.page, read)
    onPage(read)
    if (unread >= MAX_UNREAD && done.values().every(({ text }) => text === '')) break
  }
  const pages = [...done.values()].sort((a, b) => a.page - b.page)
  if (failure && pages.every(({ text }) => text === '')) throw ownError(failure)
  return { activity: 'extraction', text: keptText(joined(pages), work.task) }
}
