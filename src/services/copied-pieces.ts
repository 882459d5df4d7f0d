/** Where the pieces of a video begin whose picture is copied: at its key frames. */

import { setNewest } from '../domain/bounded-map.ts'
import { createGateOfEach } from '../domain/gate.ts'
import { type Boundaries, keyframeBoundaries, longestPiece } from '../domain/hls-playlist.ts'
import type { MediaProbe } from '../domain/media-probe.ts'
import type { OpenedFile } from '../media/inside.ts'
import { findKeyframes } from '../media/keyframes.ts'

/** Copied pieces cost nothing, and fewer of them are fewer requests. */
export const COPIED_PIECE_SECONDS = 6
/** Beyond this somebody who seeks waits for a piece that mostly is not what he sought. */
const LONGEST_COPIED_PIECE_SECONDS = 30

/** Of the videos that are being watched: whoever jumps about or changes the sound asks again. */
const MAX_KNOWN = 16

/** Null where copying is not possible after all: the file's index tells no key frames, or too few. */
export type FindCopiedPieces = (opened: OpenedFile, probe: MediaProbe, endSeconds: number) => Promise<Boundaries | null>

const look: FindCopiedPieces = async ({ handle }, probe, endSeconds) => {
  const keyframes = await findKeyframes(handle, probe)
  const boundaries = keyframes && keyframeBoundaries(keyframes, endSeconds, COPIED_PIECE_SECONDS)
  return boundaries && longestPiece(boundaries) <= LONGEST_COPIED_PIECE_SECONDS ? boundaries : null
}

export const createCopiedPieces = (): FindCopiedPieces => {
  /** The index of a video may have dozens of MiB. Of each disk: one that hangs lets nobody on. */
  const reading = createGateOfEach<string>(2)
  /** By the versions of the files and their ends. */
  const known = new Map<string, Promise<Boundaries | null>>()

  return (opened, probe, endSeconds) => {
    const key = `${opened.version} ${endSeconds}`
    const found = known.get(key) ?? reading(opened.device)(() => look(opened, probe, endSeconds))
    setNewest(known, key, found, MAX_KNOWN)
    found.catch(() => known.delete(key))
    return found
  }
}
