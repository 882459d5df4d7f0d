/** The pieces of a stream, for the person who asked for it and nobody else. */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { NO_FFMPEG } from './hls-runs.ts'
import { getVisibleLibrary } from './visible.ts'

/** Grants are looked at for every piece: what is taken from a person stops within seconds. */
const checkStream = async (deps: Deps, viewer: Viewer, id: string): Promise<void> => {
  if (deps.config.ffmpegPath === null) throw new AppError('unavailable', NO_FFMPEG)
  const stream = deps.hls.find(id)
  if (stream?.userId !== viewer.userId) throw new AppError('not_found')
  await getVisibleLibrary(deps, viewer, stream.libraryId)
}

/** Throws `not_found` for a stream that is none, or another person's. */
export const getPlaylist = async (deps: Deps, viewer: Viewer, id: string): Promise<string> => {
  await checkStream(deps, viewer, id)
  return deps.hls.playlist(id)
}

/** Absolute file of the stream's head. Throws `unavailable` where ffmpeg fails or too many run already. */
export const getHead = async (deps: Deps, viewer: Viewer, { id, signal }: { id: string; signal: AbortSignal }): Promise<string> => {
  await checkStream(deps, viewer, id)
  return deps.hls.init(id, signal)
}

/** Absolute file of a piece, made first if need be. Throws as `getHead` does, and `not_found` beyond the last piece. */
export const getPiece = async (
  deps: Deps,
  viewer: Viewer,
  { id, piece, signal }: { id: string; piece: number; signal: AbortSignal },
): Promise<string> => {
  await checkStream(deps, viewer, id)
  return deps.hls.piece(id, { piece, signal })
}

/** Frees what the stream takes up before anybody notices that its viewer has gone. */
export const closeStream = async (deps: Deps, viewer: Viewer, id: string): Promise<void> => {
  await checkStream(deps, viewer, id)
  deps.hls.close(id)
}
