/** The list of pieces that a player is given before a single one of them is made: RFC 8216, as fragments of MP4. */

/** Where the pieces begin, in seconds, and at the end where the last one ends: one number more than there are pieces. */
export type Boundaries = readonly number[]

/** What stands in front of every piece, and the pieces: in a playlist, in a request, and on the disk. */
export const INIT_NAME = 'init.mp4'
export const pieceName = (piece: number): string => `seg-${piece}.m4s`
export const PIECE_NAME = /^seg-(\d{1,6})\.m4s$/

/** A last piece shorter than this is not worth a request of its own. */
const SHORTEST_PIECE_SECONDS = 1

const withEnd = (starts: number[], durationSeconds: number): number[] => {
  const last = starts.at(-1) ?? 0
  return starts.length > 1 && durationSeconds - last < SHORTEST_PIECE_SECONDS
    ? [...starts.slice(0, -1), durationSeconds]
    : [...starts, Math.max(durationSeconds, last + 0.1)]
}

/** Pieces of equal length, for what is encoded: it can begin anywhere. */
export const evenBoundaries = (durationSeconds: number, pieceSeconds: number): Boundaries =>
  withEnd(
    Array.from({ length: Math.max(1, Math.ceil(durationSeconds / pieceSeconds)) }, (_, place) => place * pieceSeconds),
    durationSeconds,
  )

/** Pieces that begin at key frames, at least `pieceSeconds` apart, for what is copied. `keyframes` ascend. */
export const keyframeBoundaries = (keyframes: readonly number[], durationSeconds: number, pieceSeconds: number): Boundaries => {
  const starts = [0]
  for (const seconds of keyframes) if (seconds - (starts.at(-1) ?? 0) >= pieceSeconds && seconds < durationSeconds) starts.push(seconds)
  return withEnd(starts, durationSeconds)
}

/** Seconds. */
export const longestPiece = (boundaries: Boundaries): number =>
  boundaries.slice(1).reduce((longest, end, place) => Math.max(longest, end - (boundaries[place] ?? 0)), 0)

/** The piece in which this second lies. */
export const pieceAt = (boundaries: Boundaries, seconds: number): number => {
  const after = boundaries.findIndex((start) => start > seconds)
  return Math.max(0, Math.min((after < 0 ? boundaries.length : after) - 1, boundaries.length - 2))
}

/** The media playlist (RFC 8216, 4.3), with addresses relative to its own. */
export const renderPlaylist = (boundaries: Boundaries): string => {
  const pieces = boundaries.slice(0, -1).map((start, place) => {
    const length = (boundaries[place + 1] ?? start) - start
    return `#EXTINF:${length.toFixed(6)},\n${pieceName(place)}`
  })
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(longestPiece(boundaries))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${INIT_NAME}"`,
    ...pieces,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
}
