/**
 * Reads the fragmented MP4 that ffmpeg writes into a pipe, and moves its clock: ffmpeg counts from where it began, a player
 * from the beginning of the film. Only what stands in front of the media data is ever held in memory.
 */

import { type Box, boxAt, boxesIn, findBox, timescaleOf, typeAt, versionOf } from './mp4-boxes.ts'

export interface FragmentClock {
  /** Seconds to add to every time that ffmpeg writes. */
  shiftSeconds: number
  /** Seconds to add to the times of sound alone: an encoder's first packet lies before the sound's own beginning. */
  audioDelaySeconds: number
}

type FragmentPart =
  /** What every player reads first: `ftyp` and `moov`. */
  | { type: 'init'; bytes: Uint8Array }
  /** A fragment begins: its `moof`, and when its picture (its sound, where there is no picture) begins and ends. */
  | { type: 'fragment'; bytes: Uint8Array; startSeconds: number; endSeconds: number }
  /** Media data of the fragment, header included, in as many parts as they come. */
  | { type: 'data'; bytes: Uint8Array }
  /** The fragment is complete. */
  | { type: 'end' }

interface Track {
  timescale: number
  isVideo: boolean
}

/** Of the boxes that are held in memory; the `moof` of an hour of frames has 4 MiB. */
const MAX_HELD_BYTES = 32 * 1024 * 1024
const HEADER_BYTES = 16

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Tracks of a `moov` by their numbers. */
const readTracks = (view: DataView): Map<number, Track> => {
  const tracks = new Map<number, Track>()
  const moov = boxAt(view, 0, view.byteLength)
  for (const box of boxesIn(view, moov)) {
    const [tkhd, mdhd, hdlr] = [findBox(view, box, 'tkhd'), findBox(view, box, 'mdia', 'mdhd'), findBox(view, box, 'mdia', 'hdlr')]
    if (box.type !== 'trak' || !tkhd || !mdhd || !hdlr) continue
    const id = view.getUint32(tkhd.start + (versionOf(view, tkhd) === 1 ? 20 : 12))
    tracks.set(id, { timescale: timescaleOf(view, mdhd), isVideo: typeAt(view, hdlr.start + 8) === 'vide' })
  }
  return tracks
}

/** Bits of `tfhd` and `trun` that say which fields are there (8.8.7, 8.8.8). */
const TFHD = { baseOffset: 0x1, descriptionIndex: 0x2, duration: 0x8 } as const
const TRUN = { dataOffset: 0x1, firstFlags: 0x4, duration: 0x100, size: 0x200, flags: 0x400, offset: 0x800 } as const

const flagsOf = (view: DataView, { start }: Box): number => view.getUint32(start) & 0xffffff

const defaultDurationOf = (view: DataView, tfhd: Box): number => {
  const flags = flagsOf(view, tfhd)
  const at = tfhd.start + 8 + (flags & TFHD.baseOffset ? 8 : 0) + (flags & TFHD.descriptionIndex ? 4 : 0)
  return flags & TFHD.duration ? view.getUint32(at) : 0
}

/** How long the samples of a run last together, and how much later than decoded the first one is shown. */
const readRun = (view: DataView, trun: Box, defaultDuration: number): { duration: number; firstOffset: number } => {
  const flags = flagsOf(view, trun)
  const total = view.getUint32(trun.start + 4)
  const fieldBytes = [TRUN.duration, TRUN.size, TRUN.flags, TRUN.offset].filter((field) => flags & field).length * 4
  const first = trun.start + 8 + (flags & TRUN.dataOffset ? 4 : 0) + (flags & TRUN.firstFlags ? 4 : 0)
  const firstOffset = flags & TRUN.offset && total > 0 ? view.getInt32(first + fieldBytes - 4) : 0
  if (!(flags & TRUN.duration)) return { duration: total * defaultDuration, firstOffset }
  let duration = 0
  for (let sample = 0; sample < total; sample += 1) duration += view.getUint32(first + sample * fieldBytes)
  return { duration, firstOffset }
}

const writeTime = (view: DataView, tfdt: Box, time: number): void => {
  if (versionOf(view, tfdt) === 1) view.setBigUint64(tfdt.start + 4, BigInt(time))
  else view.setUint32(tfdt.start + 4, time)
}

const readTime = (view: DataView, tfdt: Box): number =>
  versionOf(view, tfdt) === 1 ? Number(view.getBigUint64(tfdt.start + 4)) : view.getUint32(tfdt.start + 4)

interface Span {
  startSeconds: number
  endSeconds: number
}

/** Moves the clock of one track's part of a fragment, in place. */
const moveTrack = (view: DataView, traf: Box, track: Track, clock: FragmentClock): Span | undefined => {
  const [tfhd, tfdt] = [findBox(view, traf, 'tfhd'), findBox(view, traf, 'tfdt')]
  if (!tfhd || !tfdt) return undefined
  const shift = clock.shiftSeconds + (track.isVideo ? 0 : clock.audioDelaySeconds)
  const time = Math.max(0, readTime(view, tfdt) + Math.round(shift * track.timescale))
  writeTime(view, tfdt, time)
  const runs = [...boxesIn(view, traf)]
    .filter(({ type }) => type === 'trun')
    .map((trun) => readRun(view, trun, defaultDurationOf(view, tfhd)))
  const duration = runs.reduce((sum, run) => sum + run.duration, 0)
  const shown = time + (runs[0]?.firstOffset ?? 0)
  return { startSeconds: shown / track.timescale, endSeconds: (shown + duration) / track.timescale }
}

/** Moves the clock of a `moof`, in place, and tells when it is shown; undefined where it holds no part of the leading track. */
const moveFragment = (view: DataView, tracks: ReadonlyMap<number, Track>, clock: FragmentClock): Span | undefined => {
  const leadsByVideo = [...tracks.values()].some(({ isVideo }) => isVideo)
  let span: Span | undefined
  for (const traf of boxesIn(view, boxAt(view, 0, view.byteLength))) {
    const tfhd = traf.type === 'traf' ? findBox(view, traf, 'tfhd') : undefined
    const track = tfhd && tracks.get(view.getUint32(tfhd.start + 4))
    if (!track) continue
    const moved = moveTrack(view, traf, track, clock)
    if (track.isVideo === leadsByVideo) span ??= moved
  }
  return span
}

/** Gives out a stream's bytes in the portions asked for. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  /** At least `length` bytes are held afterwards; false where the stream ends before. */
  async #fill(length: number): Promise<boolean> {
    const parts = [this.#held]
    let size = this.#held.length
    while (size < length) {
      const { value, done } = await this.#chunks.next()
      if (done) break
      parts.push(value)
      size += value.length
    }
    this.#held = parts.length === 1 ? this.#held : Buffer.concat(parts)
    return size >= length
  }

  /** Looks at the next bytes without taking them; undefined at the end of the stream. */
  async peek(length: number): Promise<Uint8Array | undefined> {
    return (await this.#fill(length)) ? this.#held.subarray(0, length) : undefined
  }

  /** Undefined where the stream ends before. */
  async take(length: number): Promise<Uint8Array | undefined> {
    const bytes = await this.peek(length)
    if (bytes) this.#held = this.#held.subarray(length)
    return bytes
  }

  /** The next `length` bytes in the parts in which they come. Throws `RangeError` where the stream ends before. */
  async *stream(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (!(await this.#fill(1))) throw new RangeError('The stream ends in the middle of a fragment.')
      const part = this.#held.subarray(0, left)
      this.#held = this.#held.subarray(part.length)
      left -= part.length
      yield part
    }
  }
}

/** The next box's type and whole length, header included; undefined at the end of the stream. */
const nextBox = async (queue: ByteQueue): Promise<{ type: string; length: number } | undefined> => {
  const header = (await queue.peek(HEADER_BYTES)) ?? (await queue.peek(8))
  if (!header) return undefined
  const { type, end } = boxAt(viewOf(header), 0, Number.POSITIVE_INFINITY)
  return { type, length: end }
}

/** Throws `RangeError` for what is no fragmented MP4, or the beginning of one. */
export async function* readFragments(source: AsyncIterable<Uint8Array>, clock: FragmentClock): AsyncGenerator<FragmentPart> {
  const queue = new ByteQueue(source)
  let tracks = new Map<number, Track>()
  let head: Uint8Array = new Uint8Array(0)
  let lastEnd = 0
  for (let box = await nextBox(queue); box; box = await nextBox(queue)) {
    if (box.type === 'mdat') {
      for await (const bytes of queue.stream(box.length)) yield { type: 'data', bytes }
      yield { type: 'end' }
      continue
    }
    if (box.length > MAX_HELD_BYTES) throw new RangeError('A box is too large.')
    const bytes = await queue.take(box.length)
    if (!bytes) throw new RangeError('The stream ends in the middle of a box.')
    if (box.type === 'ftyp') head = bytes.slice()
    if (box.type === 'moov') {
      tracks = readTracks(viewOf(bytes))
      yield { type: 'init', bytes: Buffer.concat([head, bytes]) }
    }
    if (box.type === 'moof') {
      const moof = bytes.slice()
      const span = moveFragment(viewOf(moof), tracks, clock) ?? { startSeconds: lastEnd, endSeconds: lastEnd }
      lastEnd = span.endSeconds
      yield { type: 'fragment', bytes: moof, ...span }
    }
  }
}
