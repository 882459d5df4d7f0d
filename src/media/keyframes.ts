/**
 * Where the key frames of a video lie, from the container's own index: asking ffprobe for them reads the whole file, which
 * for a film on a disk takes a minute. Only Matroska (Cues) and MP4 (sample tables) are read, which is where nearly every
 * video that can be copied lies; anything else is encoded.
 */

import type { MediaProbe } from '../domain/media-probe.ts'
import { matroskaKeyframes } from './keyframes-matroska.ts'
import { mp4Keyframes } from './keyframes-mp4.ts'
import type { IndexedFile } from './read-at.ts'

/** A track whose beginning is cut off by an edit list: its first pictures are decoded and not shown, which fragments cannot say. */
const MAX_HIDDEN_SECONDS = 0.05

/**
 * Seconds from the beginning as players count them, ascending; null where the container has no index that we can read.
 * Never throws for what is in the file: a damaged index is none.
 */
export const findKeyframes = async (file: IndexedFile, { format, startSeconds }: MediaProbe): Promise<number[] | null> => {
  const names = format.split(',')
  const find = names.includes('matroska') ? matroskaKeyframes : names.includes('mp4') ? mp4Keyframes : undefined
  try {
    const found = ((await find?.(file)) ?? []).map((seconds) => seconds - startSeconds).sort((a, b) => a - b)
    return found[0] === undefined || found[0] < -MAX_HIDDEN_SECONDS ? null : found
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
