/** Key frames of a Matroska or WebM file, from its Cues (RFC 9559, sections 5.1.5 and 22). */

import { type IndexedFile, readAt } from './read-at.ts'

/** Element ids, with their length markers, as they stand in the file. */
const ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cluster: 0x1f43b675,
} as const

const VIDEO_TRACK = 1
const DEFAULT_TIMESTAMP_SCALE_NS = 1_000_000
const HEADER_BYTES = 12
/** A cue takes some 20 bytes: this is a day of two a second. */
const MAX_ELEMENT_BYTES = 4 * 1024 * 1024
/** Elements before the first cluster; a file with more is made to keep us busy. */
const MAX_ELEMENTS = 64

interface Element {
  id: number
  /** Where its content begins, and how long it is; `Infinity` for one of unknown size. */
  start: number
  size: number
}

/** A number of variable length: the leading zeros of its first byte tell how many follow (RFC 8794, section 4). */
const readNumber = (view: DataView, at: number, keepsMarker: boolean): { value: number; length: number } => {
  const first = view.getUint8(at)
  const length = Math.clz32(first) - 23
  if (length > 8) throw new RangeError('No number begins here.')
  let value = keepsMarker ? first : first & (0xff >> length)
  let isAllOnes = (first | (0xff00 >> length)) % 256 === 0xff
  for (let place = 1; place < length; place += 1) {
    const byte = view.getUint8(at + place)
    isAllOnes &&= byte === 0xff
    value = value * 256 + byte
  }
  return { value: isAllOnes && !keepsMarker ? Number.POSITIVE_INFINITY : value, length }
}

/** The element whose header stands at `at` of the view, which itself begins at `base`. */
const readHeader = (view: DataView, at: number, base: number): Element => {
  const id = readNumber(view, at, true)
  const size = readNumber(view, at + id.length, false)
  return { id: id.value, start: base + at + id.length + size.length, size: size.value }
}

const readUnsigned = (view: DataView, { start, size }: Element): number => {
  let value = 0
  for (let place = 0; place < size; place += 1) value = value * 256 + view.getUint8(start + place)
  return value
}

/**
 * The elements directly inside a stretch of a view. None is told to end behind it: each of many that say so would be looked
 * through to the end of all.
 */
function* childrenOf(view: DataView, { start, size }: Pick<Element, 'start' | 'size'>): Generator<Element> {
  const end = Math.min(view.byteLength, start + size)
  for (let at = start; at < end; ) {
    const element = readHeader(view, at, 0)
    yield { ...element, size: Math.min(element.size, end - element.start) }
    at = element.start + element.size
  }
}

const findChild = (view: DataView, parent: Element, id: number): Element | undefined => {
  for (const child of childrenOf(view, parent)) if (child.id === id) return child
  return undefined
}

const whole = (view: DataView): Element => ({ id: 0, start: 0, size: view.byteLength })

const numberIn = (view: DataView, parent: Element, id: number): number | undefined => {
  const child = findChild(view, parent, id)
  return child && readUnsigned(view, child)
}

/** Where the seek head says that the element begins, relative to the segment's content. */
const placeInSeekHead = (view: DataView, id: number): number | undefined => {
  for (const seek of childrenOf(view, whole(view))) {
    if (seek.id === ID.seek && numberIn(view, seek, ID.seekId) === id) return numberIn(view, seek, ID.seekPosition)
  }
  return undefined
}

const videoTrackOf = (view: DataView): number | undefined => {
  for (const entry of childrenOf(view, whole(view))) {
    if (entry.id === ID.trackEntry && numberIn(view, entry, ID.trackType) === VIDEO_TRACK) return numberIn(view, entry, ID.trackNumber)
  }
  return undefined
}

const timesOf = (view: DataView, track: number): number[] => {
  const times: number[] = []
  for (const point of childrenOf(view, whole(view))) {
    if (point.id !== ID.cuePoint) continue
    const time = numberIn(view, point, ID.cueTime)
    for (const position of childrenOf(view, point)) {
      if (position.id !== ID.cueTrackPositions || numberIn(view, position, ID.cueTrack) !== track) continue
      if (time !== undefined) times.push(time)
    }
  }
  return times
}

interface Found {
  info?: DataView
  tracks?: DataView
  cues?: DataView
  seekHead?: DataView
}

const NAMES: Readonly<Record<number, keyof Found>> = {
  [ID.info]: 'info',
  [ID.tracks]: 'tracks',
  [ID.cues]: 'cues',
  [ID.seekHead]: 'seekHead',
}

const contentOf = (file: IndexedFile, { start, size }: Element): Promise<DataView> => {
  if (size > MAX_ELEMENT_BYTES) throw new RangeError('The element is too large.')
  return readAt(file, start, size)
}

const headerAt = async (file: IndexedFile, position: number): Promise<Element> =>
  readHeader(await readAt(file, position, HEADER_BYTES), 0, position)

/** Key frames of the first video track, in seconds as the file counts; null where the file has no Cues. Throws `RangeError`. */
export const matroskaKeyframes = async (file: IndexedFile): Promise<number[] | null> => {
  const ebml = await headerAt(file, 0)
  if (ebml.id !== ID.ebml) return null
  const segment = await headerAt(file, ebml.start + ebml.size)
  if (segment.id !== ID.segment) return null
  const found: Found = {}
  let position = segment.start
  for (let count = 0; count < MAX_ELEMENTS && position < segment.start + segment.size; count += 1) {
    const element = await headerAt(file, position)
    if (element.id === ID.cluster) break
    const name = NAMES[element.id]
    if (name) found[name] = await contentOf(file, element)
    position = element.start + element.size
  }
  const place = found.cues || !found.seekHead ? undefined : placeInSeekHead(found.seekHead, ID.cues)
  if (place !== undefined) {
    const element = await headerAt(file, segment.start + place)
    if (element.id === ID.cues) found.cues = await contentOf(file, element)
  }
  const track = found.tracks && videoTrackOf(found.tracks)
  if (!found.cues || track === undefined) return null
  const scale = (found.info && numberIn(found.info, whole(found.info), ID.timestampScale)) ?? DEFAULT_TIMESTAMP_SCALE_NS
  return timesOf(found.cues, track).map((time) => (time * scale) / 1e9)
}
