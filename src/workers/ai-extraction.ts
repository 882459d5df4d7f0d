/** The text in an item's pictures, page by page: what is done is told at once, so that a restart need not do it again. */

import type { DonePage } from '../ai/ai-task.ts'
import { imagePart } from '../ai/chat-client.ts'
import { createRecognizer } from '../ai/ocr.ts'
import { buildRequest } from '../ai/prompts.ts'
import { type AskModel, type ExtractedPage, extractText } from '../ai/text-extraction.ts'
import type { AiJobResult } from '../domain/ai-job.ts'
import { type AiPicture, jpegForModel, openAiPictures } from '../media/ai-pictures.ts'
import { DecodeError } from '../media/decode-error.ts'
import { ocrImage } from '../media/ocr-picture.ts'
import { askModel, Impossible, keptText, type Work } from './ai-work.ts'

/** Small letters of a whole page can still be read. */
const READ_SIDE = 2048

const toDonePage = (page: number, { text, source, confidence, rejected }: ExtractedPage): DonePage => ({
  page,
  text,
  source,
  confidence,
  rejected,
})

/** A page that no decoder takes: the others are no worse for it. */
const unreadable = (page: number, error: DecodeError): DonePage => ({
  page,
  text: '',
  source: 'ocr',
  confidence: null,
  rejected: error.message,
})

const asking = (work: Work): AskModel | null => {
  const { settings, item } = work.task
  if (!settings.enabled || settings.endpoint === '') return null
  return async ({ image, hint }) => {
    const images = [imagePart(image.bytes, image.mediaType)]
    return askModel(work, buildRequest('extraction', settings, { item, images, ocrText: hint }))
  }
}

const readPicture = async (work: Work, { use }: AiPicture): Promise<ExtractedPage> => {
  const { settings, payload, ocrDataDir } = work.task
  return use(async (picture) => {
    const forOcr = () => ocrImage(picture)
    const forModel = async () => ({ bytes: await jpegForModel(picture, READ_SIDE), mediaType: 'image/jpeg' })
    const { pages } = await extractText(
      {
        pictures: [{ forOcr, forModel }],
        mode: settings.ocrMode,
        languages: payload.ocrLanguages ?? settings.ocrLanguages,
        recognize: recognizer(ocrDataDir),
        ask: asking(work),
      },
      work.signal,
    )
    const [page] = pages
    if (!page) throw new Impossible('There is no picture to read.')
    return page
  })
}

let made: ReturnType<typeof createRecognizer> | undefined
/** One warm engine a thread. */
const recognizer = (ocrDataDir: string | null) => {
  made ??= createRecognizer({ ocrDataDir })
  return made
}

/** Frames of a video show the same words for a while. */
const joined = (pages: readonly DonePage[]): string => {
  const texts = pages.map(({ text }) => text.trim()).filter((text) => text !== '')
  return texts.filter((text, index) => text !== texts[index - 1]).join('\n\n')
}

/** Throws what opening the pictures throws, and `ChatError`. */
export const extract = async (work: Work, onPage: (page: DonePage) => void): Promise<AiJobResult> => {
  const { root, ffmpegPath, pictures, donePages } = work.task
  if (pictures.length === 0) throw new Impossible('This item has no picture.')
  const done = new Map(donePages.map((page) => [page.page, page]))
  let failure: DecodeError | undefined
  for await (const picture of openAiPictures({ root, ffmpegPath }, pictures)) {
    if (done.has(picture.page)) continue
    const read = await readPicture(work, picture).then(
      (page) => toDonePage(picture.page, page),
      (error: unknown) => {
        if (!(error instanceof DecodeError)) throw error
        failure = error
        return unreadable(picture.page, error)
      },
    )
    done.set(read.page, read)
    onPage(read)
  }
  const pages = [...done.values()].sort((a, b) => a.page - b.page)
  if (failure && pages.every(({ text }) => text === '')) throw failure
  return { activity: 'extraction', text: keptText(joined(pages), work.task) }
}
