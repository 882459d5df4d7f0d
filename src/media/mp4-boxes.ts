/** Boxes of ISO/IEC 14496-12, as far as both the index of a file and a stream of fragments need them. */

import { type IndexedFile, readAt } from './read-at.ts'

export interface Box {
  type: string
  /** Where its content begins and ends. */
  start: number
  end: number
}

export const typeAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

/** `limit`: where the surroundings end, for a box that reaches to their end. Throws `RangeError`. */
export const boxAt = (view: DataView, at: number, limit: number): Box => {
  const size = view.getUint32(at)
  const isLarge = size === 1
  const length = size === 0 ? limit - at : isLarge ? Number(view.getBigUint64(at + 8)) : size
  if (length < 8) throw new RangeError('A box is shorter than its header.')
  return { type: typeAt(view, at + 4), start: at + (isLarge ? 16 : 8), end: at + length }
}

/** Of a piece of some seconds whose samples stand one by one; a file with more side by side was made to keep us busy. */
const MAX_BOXES = 10_000

/** No box is told to end behind its surroundings: each of many that say so would be looked through to the end of all. Throws `RangeError`. */
export function* boxesIn(view: DataView, surroundings: Pick<Box, 'start' | 'end'>): Generator<Box> {
  const end = Math.min(surroundings.end, view.byteLength)
  let count = 0
  for (let at = surroundings.start; at + 8 <= end; count += 1) {
    if (count === MAX_BOXES) throw new RangeError('There are too many boxes.')
    const box = boxAt(view, at, end)
    yield { ...box, end: Math.min(box.end, end) }
    at = box.end
  }
}

/** The first box by this path of types. */
export const findBox = (view: DataView, parent: Pick<Box, 'start' | 'end'>, ...path: string[]): Box | undefined => {
  const [type, ...rest] = path
  for (const box of boxesIn(view, parent)) {
    if (box.type === type) return rest.length === 0 ? box : findBox(view, box, ...rest)
  }
  return undefined
}

export const versionOf = (view: DataView, { start }: Box): number => view.getUint8(start)

/** Of a `mvhd` or `mdhd`: units a second. */
export const timescaleOf = (view: DataView, header: Box): number => view.getUint32(header.start + (versionOf(view, header) === 1 ? 20 : 12))

const HEADER_BYTES = 16
const MAX_TOP_LEVEL_BOXES = 1000
/** Of a `mvhd`, which comes first in a `moov`, as far as its times. */
const MVHD_BYTES = 64

/** The `moov` box of a file, where it stands in the file. Throws `RangeError`. */
export const findMoov = async (file: IndexedFile): Promise<Box | null> => {
  for (let [count, position] = [0, 0]; count < MAX_TOP_LEVEL_BOXES; count += 1) {
    const header = await readAt(file, position, HEADER_BYTES)
    if (header.byteLength < 8) return null
    const { type, start, end } = boxAt(header, 0, Number.POSITIVE_INFINITY)
    if (type === 'moov') return { type, start: position + start, end: position + end }
    position += end
    if (!Number.isFinite(position)) return null
  }
  return null
}

/** Seconds between 1904, where these files begin to count, and 1970. */
const EPOCH_SECONDS = 2_082_844_800

/** When the film was recorded, in milliseconds since the epoch. Before 1970 nobody wrote such files: a clock was not set. Throws `RangeError`. */
export const mp4CreatedAt = async (file: IndexedFile): Promise<number | null> => {
  const moov = await findMoov(file)
  if (moov === null) return null
  const view = await readAt(file, moov.start, Math.min(MVHD_BYTES, moov.end - moov.start))
  const mvhd = boxAt(view, 0, view.byteLength)
  if (mvhd.type !== 'mvhd') return null
  const at = mvhd.start + 4
  const seconds = (versionOf(view, mvhd) === 1 ? Number(view.getBigUint64(at)) : view.getUint32(at)) - EPOCH_SECONDS
  return seconds > 0 ? seconds * 1000 : null
}
