/** Which languages the offline recognition can read: their data is packaged, or lies in `OCR_DATA_DIR`. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'

const PACKAGES = new URL('../../node_modules/@tesseract.js-data/', import.meta.url)
/** Tells how a page lies, and is no language. */
const NO_LANGUAGE = 'osd'

const listPackaged = (): Promise<string[]> => readdir(PACKAGES).catch(() => [])

const listPlaced = async (folder: string | null): Promise<string[]> => {
  const names = folder === null ? [] : await readdir(join(folder)).catch(() => [])
  return names.flatMap((name) => /^(\w+)\.traineddata(?:\.gz)?$/.exec(name)?.[1] ?? [])
}

export const listOcrLanguages = async ({ config }: Pick<Deps, 'config'>): Promise<string[]> => {
  const languages = new Set([...(await listPackaged()), ...(await listPlaced(config.ocrDataDir))])
  languages.delete(NO_LANGUAGE)
  return [...languages].sort()
}

/** `languages` are joined with "+". Throws `unknown_ocr_language` and names the first that is not installed. */
export const assertOcrLanguages = async (deps: Pick<Deps, 'config'>, languages: string): Promise<void> => {
  const installed = new Set(await listOcrLanguages(deps))
  const unknown = languages.split('+').find((language) => !installed.has(language))
  if (unknown === undefined) return
  throw new AppError(
    'unknown_ocr_language',
    `There is no data for ${JSON.stringify(unknown.slice(0, 40))}. Installed: ${[...installed].join(', ')}.`,
  )
}
