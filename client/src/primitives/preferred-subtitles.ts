import type { Playback } from '../api/playback.ts'

type Track = Playback['subtitleTracks'][number]

const baseOf = (language: string): string => language.split('-')[0] ?? language

/** The id of the track to begin with: in the language that was chosen last, its own script or country first, whole before forced. */
export const preferredSubtitles = (tracks: readonly Track[], language: string | null): string | undefined => {
  const fitting = tracks
    .filter((track) => language !== null && track.language !== null && baseOf(track.language) === baseOf(language))
    .sort((one, other) => Number(other.language === language) - Number(one.language === language))
  return (fitting.find(({ isForced, isForHearingImpaired }) => !isForced && !isForHearingImpaired) ?? fitting[0])?.id
}
