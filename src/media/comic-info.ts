/**
 * What a ComicInfo.xml says of a volume (anansi-project.github.io/docs/comicinfo, version 2.1). Read under the same
 * rules as NFO files: no DOCTYPE, bounded, sound or nothing.
 */

import { checkText, readBlocks } from './nfo-blocks.ts'
import { NfoError } from './nfo-error.ts'
import { decodeText, repairText } from './nfo-text.ts'

interface ComicInfo {
  title: string | null
  /** `Number`: the chapter or issue. */
  number: number | null
  volume: number | null
  /** Null where it does not say. */
  readingDirection: 'ltr' | 'rtl' | null
}

const WANTED: ReadonlySet<string> = new Set(['Title', 'Number', 'Volume', 'Manga'])
const MAX_TITLE_CHARACTERS = 500

/** `YesNo` values of the schema; "Yes" says that it is manga, and nothing of the direction. */
const DIRECTIONS: Readonly<Record<string, ComicInfo['readingDirection']>> = { yesandrighttoleft: 'rtl', no: 'ltr' }

const numberOf = (text: string | undefined): number | null => {
  // -1 stands for "unknown" in the schema.
  const value = text === undefined || text === '' ? Number.NaN : Number(text.replace(',', '.'))
  return Number.isFinite(value) && value >= 0 ? value : null
}

/** Undefined for a file that is not sound. */
export const parseComicInfo = (bytes: Uint8Array): ComicInfo | undefined => {
  try {
    const text = decodeText(bytes)
    checkText(text)
    const [block = []] = readBlocks(repairText(text), 'ComicInfo', WANTED)
    const first = (path: string): string | undefined => block.find((value) => value.path === path)?.text.trim()
    return {
      title: first('Title')?.slice(0, MAX_TITLE_CHARACTERS) || null,
      number: numberOf(first('Number')),
      volume: numberOf(first('Volume')),
      readingDirection: DIRECTIONS[first('Manga')?.toLowerCase() ?? ''] ?? null,
    }
  } catch (error) {
    if (error instanceof NfoError) return undefined
    throw error
  }
}
