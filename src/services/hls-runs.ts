/** A stream of pieces that one person watches, and the ffmpeg that makes them. */

import { and, eq, isNull } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { mediaItems } from '../db/schema/media-items.ts'
import type { Deps } from '../deps.ts'
import type { Boundaries } from '../domain/hls-playlist.ts'
import { errorCode } from '../domain/thrown-error.ts'
import { AppError } from '../errors.ts'
import type { HlsSource } from '../media/hls-command.ts'
import { HlsError, type HlsRun, type HlsRunSpec, startHlsRun } from '../media/hls-run.ts'
import { rootPathOf } from './library-root.ts'
import { fileVersion } from './media-probes.ts'
import { openPlaced } from './placed-file.ts'

export interface HlsStream {
  userId: number
  libraryId: number
  itemId: number
  /** Relative to the library's root. */
  path: string
  /** `fileVersion` of the file that the pieces are made from. */
  version: string
  source: HlsSource
  boundaries: Boundaries
  /** Where the viewer means to begin. */
  firstPiece: number
}

export const NO_FFMPEG = 'ffmpeg is not installed on the server, so videos can only be played as they are.'

/** Where a stream begins to be made, and what it is told and asks meanwhile. */
export type RunHooks = Pick<HlsRunSpec, 'from' | 'folder' | 'onInit' | 'onPiece' | 'waitForRoom'>

/** Starts making pieces. Throws `not_found` where the file is gone or another one, or its item is missing, `unavailable` without ffmpeg. */
export const beginHlsRun = async (deps: Pick<Deps, 'config' | 'db'>, stream: HlsStream, hooks: RunHooks): Promise<HlsRun> => {
  const { ffmpegPath } = deps.config
  if (ffmpegPath === null) throw new AppError('unavailable', NO_FFMPEG)
  const [library] = await deps.db
    .select({ path: libraries.path, realPath: libraries.realPath })
    .from(mediaItems)
    .innerJoin(libraries, eq(libraries.id, mediaItems.libraryId))
    .where(and(eq(mediaItems.id, stream.itemId), isNull(mediaItems.missingSince)))
  if (!library) throw new AppError('not_found')
  const { opened } = await openPlaced({ root: rootPathOf(library), path: stream.path })
  try {
    if (fileVersion(opened) !== stream.version) throw new AppError('not_found', 'The file has changed; ask again how to play it.')
    return startHlsRun({ ffmpegPath, fd: opened.handle.fd, source: stream.source, boundaries: stream.boundaries, ...hooks })
  } finally {
    await opened.handle.close()
  }
}

/** Why a run ended before its time, for the one who waits for a piece. */
export const hlsFailure = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  if (['ENOSPC', 'EDQUOT'].includes(errorCode(error))) return new AppError('insufficient_storage', undefined, { cause: error })
  const detail = error instanceof HlsError ? 'The file cannot be converted here; it may be damaged.' : undefined
  return new AppError('unavailable', detail, { cause: error })
}
