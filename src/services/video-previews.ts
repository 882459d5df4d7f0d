/** Small pictures along a video: the list of them, and each, made when somebody points at its place. */

import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { hasPreviews, previewList } from '../domain/video-preview.ts'
import { AppError } from '../errors.ts'
import { DecodeError } from '../media/decode-error.ts'
import type { OpenedFile } from '../media/inside.ts'
import { type PreviewPlace, previewFrame } from '../media/video-frame.ts'
import { NO_FFMPEG } from './hls-runs.ts'
import { fileVersion } from './media-probes.ts'
import { type Playable, type PlayableQuery, playableParameters, withPlayable } from './playable.ts'

/** The address of the list; null where there is nothing to make one of, or nobody who could. */
export const previewsUrl = ({ config }: Deps, { probe }: Playable, query: PlayableQuery): string | null =>
  config.ffmpegPath !== null && probe?.video && hasPreviews(probe.durationSeconds)
    ? `${config.basePath}/api/playback/previews?${new URLSearchParams(playableParameters(query))}`
    : null

/** The list as WebVTT, with addresses relative to its own. Throws `no_thumbnail` where there is none. */
export const listPreviews = (deps: Deps, viewer: Viewer, query: PlayableQuery): Promise<string> =>
  withPlayable(deps, viewer, query, async ({ opened, probe }) => {
    if (!probe?.video || !hasPreviews(probe.durationSeconds)) throw new AppError('no_thumbnail')
    const version = fileVersion(opened)
    const addressAt = (at: number): string => `preview?${new URLSearchParams({ ...playableParameters(query), v: version, at: String(at) })}`
    return previewList(probe.durationSeconds, addressAt)
  })

/** Throws `no_thumbnail` where the place cannot be decoded, `unavailable` without ffmpeg. */
export const makePreview = async (
  { config: { ffmpegPath } }: Pick<Deps, 'config'>,
  { handle }: OpenedFile,
  place: PreviewPlace,
): Promise<Uint8Array> => {
  if (ffmpegPath === null) throw new AppError('unavailable', NO_FFMPEG)
  try {
    return await previewFrame(ffmpegPath, handle, place)
  } catch (error) {
    throw error instanceof DecodeError ? new AppError('no_thumbnail', undefined, { cause: error }) : error
  }
}

interface PreviewQuery extends PlayableQuery {
  /** Seconds. */
  at: number
  signal: AbortSignal
}

/** A JPEG. Throws as `makePreview`, also behind the end, and `unavailable` while too many wait for theirs. */
export const readPreview = (
  deps: Deps,
  viewer: Viewer,
  { at, signal, ...query }: PreviewQuery,
): Promise<{ bytes: Uint8Array; version: string }> =>
  withPlayable(deps, viewer, query, async ({ opened, probe }) => {
    if (!probe?.video || !hasPreviews(probe.durationSeconds) || at > probe.durationSeconds) throw new AppError('no_thumbnail')
    const bytes = await deps.media.preview(opened, { atSeconds: at, transfer: probe.video.transfer, userId: viewer.userId, signal })
    return { bytes, version: fileVersion(opened) }
  })
