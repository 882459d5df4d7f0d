/** Whether a number at the start of a name is the episode's, before all that its title may read like. */

import { isYear } from './name-year.ts'
import { SEASON_MARK } from './season-name.ts'

/** `10 - The Case`, `10. The Case`. */
export const LED_BY_NUMBER = /^(\d{1,4})[\s_]*[-–.][\s_]/
/** `01 - Ep 05`, `1 - Episode 05`: right behind a number that is then the season. `02 - Chapter 10` is the second in its season. */
const EPISODE_CODE = /^\d{1,4}[\s_]*[-–.][\s_]+ep?\.?[ ._-]*\d{2}|^\d[\s_]*[-–.][\s_]+(?:episode|folge)[ ._-]*\d/i
/** `1 - Ep2`, `02 - Chapter 10`: the number at the start, and the one right behind it. */
const CODE_BEHIND =
  /^(\d{1,2})[\s_]*[-–.][\s_]+(?:episode|épisode|episodio|episódio|folge|aflevering|avsnitt|afsnit|chapter|cap[ií]tulo|ep?\.?)[ ._\-#]*(\d{1,3})(?![\p{L}\d])/iu
/** `04 - 2x1`: with one digit it may be a word, too. */
const SHORT_CODE = /^(\d{1,3})[\s_]*[-–.][\s_]+(\d{1,2})[x×](\d)(?![\p{L}\d])/iu
/** `12 - 2x03`: the number before it counts through. `24x7` and `4x4` are words. */
const SEASON_CODE = /^\d+[x×]\d{2}/i

/**
 * Whether the episode's number stands first, so that what is `found` behind it is of the title: `10 - The Case Part 1`,
 * `05 - E3 2019`, `13 - The 4x4 Race`. The 2 of `Show 2 - Episode 05` is of the series' title.
 */
export const isLed = (text: string, separator: string | undefined, found: string): boolean => {
  const [led, digits = ''] = LED_BY_NUMBER.exec(text) ?? []
  if (!led || isYear(digits) || SEASON_CODE.test(found) || SEASON_MARK.exec(text)?.index === 0) return false
  const title = text.slice(led.length).trimStart()
  const isApart = separator === undefined || /[-–]/.test(separator) || (digits.length > 1 && !title.startsWith(found))
  return isApart && !EPISODE_CODE.test(text)
}

interface LedCode {
  lead: number
  /** Null where the number at the start may be the season's. */
  season: string | null
  digits: string
  tail: string
}

export const findLedCode = (text: string): LedCode | undefined => {
  const [short = '', counted, season = null, episode] = SHORT_CODE.exec(text) ?? []
  if (episode !== undefined) return { lead: Number(counted), season, digits: episode, tail: text.slice(short.length) }
  const [whole = '', lead, digits] = CODE_BEHIND.exec(text) ?? []
  return digits === undefined ? undefined : { lead: Number(lead), season: null, digits, tail: text.slice(whole.length) }
}
