/** Boxes of ISO/IEC 14496-12, as far as both the index of a file and a stream of fragments need them. */

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

export function* boxesIn(view: DataView, { start, end }: Pick<Box, 'start' | 'end'>): Generator<Box> {
  for (let at = start; at + 8 <= Math.min(end, view.byteLength); ) {
    const box = boxAt(view, at, end)
    yield box
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
