/** Which languages the offline recognition can read, for whoever chooses among them. */

import { findOcrData, parseOcrLanguages } from '../ai/ocr-languages.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'

export const listOcrLanguages = async ({ config }: Pick<Deps, 'config'>): Promise<string[]> =>
  [...(await findOcrData(config.ocrDataDir)).keys()].sort()

/** `languages` are joined with "+". Throws `unknown_ocr_language` and names the first that is not installed. */
export const assertOcrLanguages = async ({ config }: Pick<Deps, 'config'>, languages: string): Promise<void> => {
  const installed = await findOcrData(config.ocrDataDir)
  const parsed = parseOcrLanguages(languages, installed)
  if (parsed.ok) return
  throw new AppError(
    'unknown_ocr_language',
    `There is no data for ${JSON.stringify(parsed.unknown.slice(0, 40))}. Installed: ${[...installed.keys()].sort().join(', ')}.`,
  )
}
