/** Key frames of an MP4 or QuickTime file, from its sample tables (ISO/IEC 14496-12, sections 8.6.1, 8.6.2 and 8.6.6). */

import { type Box, boxesIn, findBox, findMoov, timescaleOf, typeAt, versionOf } from './mp4-boxes.ts'
import { type IndexedFile, readAt } from './read-at.ts'

/** Of a film of four hours at 60 frames a second it has about 20 MiB. */
const MAX_MOOV_BYTES = 64 * 1024 * 1024
/** Sample descriptions of what can be copied; a picture of chapters is a video track too. */
const VIDEO_CODES: ReadonlySet<string> = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'dvh1', 'dvhe', 'av01', 'vp09'])

/** Ten hours of 60 frames a second of which each lasts as long as it likes. */
const MAX_TIME_RUNS = 2_000_000

/** Runs of `[count, value]`, as both tables of times keep them. Throws `RangeError`. */
function* runsOf(view: DataView, { start }: Box, isSigned: boolean): Generator<{ count: number; value: number }> {
  const total = view.getUint32(start + 4)
  if (total > MAX_TIME_RUNS) throw new RangeError('The table of times is too long.')
  for (let place = 0; place < total; place += 1) {
    const at = start + 8 + place * 8
    yield { count: view.getUint32(at), value: isSigned ? view.getInt32(at + 4) : view.getUint32(at + 4) }
  }
}

/** For ascending sample numbers, counted from 0: the sum of the values before each of them, or the value of each. */
const walkRuns = (runs: Iterable<{ count: number; value: number }>, samples: readonly number[], isSum: boolean): number[] => {
  const found: number[] = []
  let [first, sum] = [0, 0]
  for (const { count, value } of runs) {
    for (let sample = samples[found.length]; sample !== undefined && sample < first + count; sample = samples[found.length]) {
      found.push(isSum ? sum + (sample - first) * value : value)
    }
    first += count
    sum += count * value
    if (found.length === samples.length) break
  }
  return found
}

/** Two a second for half a day; going through the millions that a table has room for would keep everybody waiting. */
const MAX_KEYFRAMES = 100_000

/** Sample numbers, counted from 0; null where every sample is a key frame, which is then nothing to look for. */
const syncSamplesOf = (view: DataView, stss: Box | undefined): number[] | null => {
  const total = stss ? view.getUint32(stss.start + 4) : 0
  if (!stss || total > MAX_KEYFRAMES) return null
  return Array.from({ length: total }, (_, place) => view.getUint32(stss.start + 8 + place * 4) - 1)
}

interface Edit {
  /** What the presentation begins with before the first sample, in seconds. */
  delaySeconds: number
  /** Which moment of the track is shown first, in its own units. */
  mediaTime: number
}

/** Null for a list that does more than to delay the track or to cut its beginning off. */
const editOf = (view: DataView, elst: Box | undefined, movieTimescale: number): Edit | null => {
  if (!elst) return { delaySeconds: 0, mediaTime: 0 }
  const isLong = versionOf(view, elst) === 1
  const total = view.getUint32(elst.start + 4)
  const entries = Array.from({ length: Math.min(total, 3) }, (_, place) => {
    const at = elst.start + 8 + place * (isLong ? 20 : 12)
    return isLong
      ? { length: Number(view.getBigUint64(at)), mediaTime: Number(view.getBigInt64(at + 8)) }
      : { length: view.getUint32(at), mediaTime: view.getInt32(at + 4) }
  })
  const delay = entries[0]?.mediaTime === -1 ? entries[0] : undefined
  const [shown, ...others] = delay ? entries.slice(1) : entries
  if (!shown || others.length > 0 || shown.mediaTime < 0) return null
  return { delaySeconds: (delay?.length ?? 0) / movieTimescale, mediaTime: shown.mediaTime }
}

const isVideo = (view: DataView, track: Box): boolean => {
  const stsd = findBox(view, track, 'mdia', 'minf', 'stbl', 'stsd')
  return stsd !== undefined && stsd.start + 16 <= view.byteLength && VIDEO_CODES.has(typeAt(view, stsd.start + 12))
}

const keyframesOf = (view: DataView, track: Box, movieTimescale: number): number[] | null => {
  const mdhd = findBox(view, track, 'mdia', 'mdhd')
  const table = findBox(view, track, 'mdia', 'minf', 'stbl')
  const stts = table && findBox(view, table, 'stts')
  const ctts = table && findBox(view, table, 'ctts')
  const samples = table ? syncSamplesOf(view, findBox(view, table, 'stss')) : null
  const edit = editOf(view, findBox(view, track, 'edts', 'elst'), movieTimescale)
  if (!mdhd || !stts || !samples || !edit) return null
  const decodeTimes = walkRuns(runsOf(view, stts, false), samples, true)
  const offsets = ctts ? walkRuns(runsOf(view, ctts, true), samples, false) : []
  const timescale = timescaleOf(view, mdhd)
  return decodeTimes.map((time, place) => (time + (offsets[place] ?? 0) - edit.mediaTime) / timescale + edit.delaySeconds)
}

/** A film in every language has some fifty. */
const MAX_TRACKS = 200

const findVideo = (view: DataView, all: Pick<Box, 'start' | 'end'>): Box | undefined => {
  let tracks = 0
  for (const box of boxesIn(view, all)) {
    if (box.type !== 'trak') continue
    if (isVideo(view, box)) return box
    tracks += 1
    if (tracks === MAX_TRACKS) return undefined
  }
  return undefined
}

const readMoov = async (file: IndexedFile): Promise<DataView | null> => {
  const moov = await findMoov(file)
  return moov === null || moov.end - moov.start > MAX_MOOV_BYTES ? null : readAt(file, moov.start, moov.end - moov.start)
}

/** Key frames of the first video track, in seconds as the file counts; null where there is no table of them. Throws `RangeError`. */
export const mp4Keyframes = async (file: IndexedFile): Promise<number[] | null> => {
  const view = await readMoov(file)
  if (!view) return null
  const all = { start: 0, end: view.byteLength }
  const mvhd = findBox(view, all, 'mvhd')
  const track = findVideo(view, all)
  return mvhd && track ? keyframesOf(view, track, timescaleOf(view, mvhd)) : null
}
