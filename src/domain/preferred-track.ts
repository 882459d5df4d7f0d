/** Which of several tracks, of sound or of subtitles, a person hears or sees first. */

export interface TrackFacts {
  /** A BCP 47 tag; null where nobody knows. */
  language: string | null
  /** Says everything, and to everybody: no commentary, nothing forced, nothing for those who hear or see badly. */
  isWhole: boolean
  isDefault?: boolean
}

const baseOf = (tag: string): string => tag.split('-')[0] ?? tag

/** The higher, the better: whole before all, then the very script and country, then what the file says. Undefined in another language. */
const fitOf = ({ language, isWhole, isDefault = false }: TrackFacts, wanted: string): number | undefined => {
  const tag = language?.toLowerCase()
  if (tag === undefined || baseOf(tag) !== baseOf(wanted)) return undefined
  return Number(isWhole) * 4 + Number(tag === wanted) * 2 + Number(isDefault)
}

/** The one that fits a preferred language (BCP 47) best, of equals the first; undefined where none does, or nothing is preferred. */
export const preferredTrack = <Track>(
  tracks: readonly Track[],
  language: string | null,
  factsOf: (track: Track) => TrackFacts,
): Track | undefined => {
  let best: { track: Track; fit: number } | undefined
  for (const track of tracks) {
    const fit = language === null ? undefined : fitOf(factsOf(track), language.toLowerCase())
    if (fit !== undefined && fit > (best?.fit ?? -1)) best = { track, fit }
  }
  return best?.track
}
