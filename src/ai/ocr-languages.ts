/** Which languages recognition can read: their data came with a package, or lies in `OCR_DATA_DIR`. Nothing is ever fetched. */

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const PACKAGES = Bun.fileURLToPath(new URL('../../node_modules/@tesseract.js-data', import.meta.url))
/** Smaller than the other data in the packages, and all that the engine's newer recogniser wants. */
const PACKAGED_KIND = '4.0.0_best_int'
/** Tell how a page lies, and what is an equation. */
const NO_LANGUAGES: ReadonlySet<string> = new Set(['osd', 'equ'])

const DATA_FILE = /^([a-z][a-z_]{2,19})\.traineddata(?:\.gz)?$/i

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isFile() && info.size > 0,
    () => false,
  )

const entriesOf = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Files by language. What an administrator placed wins over a package. */
export const findOcrData = async (ocrDataDir: string | null): Promise<Map<string, string>> => {
  const packaged = (await entriesOf(PACKAGES)).map((name) => join(PACKAGES, name, PACKAGED_KIND, `${name}.traineddata.gz`))
  const placed = ocrDataDir === null ? [] : (await entriesOf(ocrDataDir)).sort().map((name) => join(ocrDataDir, name))
  const found = new Map<string, string>()
  for (const file of [...packaged, ...placed]) {
    const language = DATA_FILE.exec(file.slice(file.lastIndexOf('/') + 1))?.[1]
    if (language !== undefined && !NO_LANGUAGES.has(language) && (await isFile(file))) found.set(language, file)
  }
  return found
}

/** SECURITY, part 4, 21. */
const MAX_LANGUAGES = 10

type ParsedLanguages = { ok: true; languages: string[] } | { ok: false; unknown: string }

/** `eng+jpn`, each once, in order: the first counts most. Names what is not installed, or is no name; empty text is not installed either. */
export const parseOcrLanguages = (text: string, installed: { has(language: string): boolean }): ParsedLanguages => {
  const languages = [...new Set(text.split('+').map((name) => name.trim()))]
  const unknown = languages.find((language) => !installed.has(language)) ?? languages[MAX_LANGUAGES]
  return unknown === undefined ? { ok: true, languages } : { ok: false, unknown }
}

/**
 * The data of vertical writing besides, where it is installed: without it a page of vertical Japanese is read as noise, and
 * pages of horizontal writing are read as well with it as without (test/ai/ocr-pages.test.ts).
 */
export const withVertical = (languages: readonly string[], installed: { has(language: string): boolean }): string[] => [
  ...new Set(languages.flatMap((language) => (installed.has(`${language}_vert`) ? [language, `${language}_vert`] : [language]))),
]
