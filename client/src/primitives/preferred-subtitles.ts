import { preferredTrack } from '../../../src/domain/preferred-track.ts'
import type { Playback } from '../api/playback.ts'

type Track = Playback['subtitleTracks'][number]

/** The id of the track to begin with: in the language that was chosen last, whole before forced, its own script or country first. */
export const preferredSubtitles = (tracks: readonly Track[], language: string | null): string | undefined =>
  preferredTrack(tracks, language, (track) => ({
    language: track.language,
    isWhole: !track.isForced && !track.isForHearingImpaired,
  }))?.id

/** The id of the track for whoever asks for subtitles and has never chosen a language: where none is in this one, something is said all through. */
export const anySubtitles = (tracks: readonly Track[], language: string): string | undefined =>
  preferredSubtitles(tracks, language) ?? (tracks.find(({ isForced }) => !isForced) ?? tracks[0])?.id
