/** One warm tesseract engine: a thread with the data of its languages. It is ended by force, since nothing else ends it. */

import { mkdir, mkdtemp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker as NodeWorker } from 'node:worker_threads'
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js'
import type { OcrResult } from './ocr-result.ts'
import { readTsv } from './ocr-text.ts'

/**
 * How a page is looked at. Black is told from white by its surroundings (2, Sauvola: paper in uneven light, noise, Korean) or
 * by one value for the page (0, Otsu: a box of light letters in a dark scene). Each was needed by some of the pages of
 * test/support/ocr-pages.ts.
 */
const OCR_LOOKS = {
  local: { threshold: '2', segmentation: PSM.AUTO, layout: 'page' },
  global: { threshold: '0', segmentation: PSM.AUTO, layout: 'page' },
  /** Lines anywhere in drawings. */
  bubbles: { threshold: '0', segmentation: PSM.SPARSE_TEXT_OSD, layout: 'bubbles' },
} as const
type OcrLook = keyof typeof OCR_LOOKS

/** The engine's window of "surroundings" is a third of an inch: 150 keeps it near two lines of text. */
const PAGE_DPI = '150'

export interface OcrEngine {
  recognize: (picture: Uint8Array, look: OcrLook) => Promise<OcrResult>
  /** What it does then rejects. */
  kill: () => void
}

/** The engine reads `<language>.traineddata.gz` from one folder, packed or not (it looks at the first bytes). */
export const linkOcrData = async (files: ReadonlyMap<string, string>, temporaryFolder: string): Promise<string> => {
  await mkdir(temporaryFolder, { recursive: true })
  const folder = await mkdtemp(join(temporaryFolder, 'vitrine-ocr-'))
  for (const [language, file] of files) await symlink(file, join(folder, `${language}.traineddata.gz`))
  return folder
}

/** A thread that dies by itself must not take the process with it: whoever waits for it has a time limit. */
const watch = (worker: Worker, onDeath: (error: Error) => void): void => {
  const thread: unknown = 'worker' in worker ? worker.worker : undefined
  if (!(thread instanceof NodeWorker)) return
  thread.on('error', onDeath)
  thread.on('exit', () => onDeath(new Error('The recognition thread ended.')))
}

/** `folder` is of `linkOcrData`, and may go once this resolves. Rejects where the data cannot be read or understood. */
export const startOcrEngine = async (languages: readonly string[], folder: string): Promise<OcrEngine> => {
  const dead = Promise.withResolvers<never>()
  dead.promise.catch(() => undefined)
  const onError = (error: unknown): void => dead.reject(error instanceof Error ? error : new Error(String(error)))
  const starting = createWorker([...languages], OEM.LSTM_ONLY, {
    langPath: folder,
    cacheMethod: 'none',
    gzip: true,
    // Without one, a picture that cannot be read ends the process (SECURITY, S9).
    errorHandler: onError,
  })
  // Data that is not there, or broken, is only told to the error handler.
  const worker = await Promise.race([starting, dead.promise])
  watch(worker, onError)
  /** The library sends to an ended thread as to any other, and waits for what a dead one says. */
  const unlessDead = <T>(call: () => Promise<T>): Promise<T> => (isKilled ? dead.promise : Promise.race([call(), dead.promise]))
  let isKilled = false
  await unlessDead(() => worker.setParameters({ user_defined_dpi: PAGE_DPI, debug_file: '/dev/null' }))
  return {
    recognize: async (picture, look) => {
      const { threshold, segmentation, layout } = OCR_LOOKS[look]
      await unlessDead(() => worker.setParameters({ thresholding_method: threshold, tessedit_pageseg_mode: segmentation }))
      const { data } = await unlessDead(() => worker.recognize(Buffer.from(picture), { rotateAuto: true }, { text: false, tsv: true }))
      return readTsv(data.tsv ?? '', layout)
    },
    kill: () => {
      isKilled = true
      dead.reject(new Error('The engine was ended.'))
      void worker.terminate()
    },
  }
}
