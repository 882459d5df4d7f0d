/**
 * The last episode of a file that holds several: `E01-E02`, `E01E02`, `E01-02`, `x03x04x15`, `E01+02`, `01~02`, and
 * `s01e01.title.s01e02.title` (Kodi wiki, "Naming video files/Episodes", multi-part episodes).
 */

const MARKED_END = /^(?:\s*[-–—&+,~]\s*|\s+(?:to|and)\s+|[ ._]?)(?:s?(\d{1,4})[ ._]*(?=[ex]))?(?:x?ep?\.?|x(?!26[3456]))(\d{1,5})(?!\d)/i
/** Not the first half of `-2.5`, but before `.720p`. */
const PLAIN_END = /^(?:[-–—+,]|\s?[~&]\s?)(\d{1,4})(?:v\d)?(?![\p{L}\d]|\.\d(?!\d{2}))/u
const NO_TITLE = /^(?:$|[._\])]|\s*[-–[(])/
/** Underscores are spaces to most, so `8x01_02` must go on by one. */
const NEXT_END = /^_(\d{2})(?=$|[\s-])/
/** `S01E09-791` is an episode called 791 (Jellyfin #13714). */
const MOST_EPISODES_IN_FILE = 99

const CODE = /(?<![\p{L}\d])s(\d{1,4})e(\d{1,4})(?!\d)/giu

/** Titles may stand between the codes; each names the next episode of the same season. */
const readCodes = (tail: string, season: number, last: number): number | null => {
  let end: number | null = null
  for (const [, codeSeason, episode] of tail.matchAll(CODE)) {
    if (Number(codeSeason) !== season || Number(episode) !== (end ?? last) + 1) return end
    end = Number(episode)
  }
  return end
}

/** Each must be greater than the one before. `first` is spelled as in the name. */
export const readEnd = (tail: string, season: number | null, first: string): number | null => {
  let [rest, last] = [tail, Number(first)]
  let end: number | null = null
  for (;;) {
    const marked = MARKED_END.exec(rest)
    const next = marked ? null : NEXT_END.exec(rest)
    const match = marked ?? PLAIN_END.exec(rest) ?? (Number(next?.[1]) === last + 1 ? next : null)
    const digits = marked ? marked[2] : match?.[1]
    if (!match || digits === undefined) break
    const isOtherSeason = marked?.[1] !== undefined && season !== null && Number(marked[1]) !== season
    // `S01E01-5 Ways`: a range is written as wide as its start, but for the very next where no title follows (`S01E05-6.PL`).
    const isNext = Number(digits) === last + 1 && NO_TITLE.test(rest.slice(match[0].length))
    const isTooShort = !marked && !isNext && digits.length < Math.min(2, first.length)
    if (isOtherSeason || isTooShort || Number(digits) <= last || Number(digits) - Number(first) > MOST_EPISODES_IN_FILE) break
    last = Number(digits)
    end = last
    rest = rest.slice(match[0].length)
  }
  return (season === null ? null : readCodes(rest, season, last)) ?? end
}
