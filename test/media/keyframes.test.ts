import { describe, expect, test } from 'bun:test'
import type { MediaProbe } from '../../src/domain/media-probe.ts'
import { findKeyframes } from '../../src/media/keyframes.ts'
import type { IndexedFile } from '../../src/media/read-at.ts'
import { processorMs } from '../support/processor-time.ts'

/** Indexes that are made to keep whoever reads them busy. What real files say is in probe.test.ts. */

const fileOf = (bytes: Uint8Array): IndexedFile => ({
  read: (target, offset, length, position) => {
    const part = bytes.subarray(position, position + length)
    target.set(part, offset)
    return Promise.resolve({ bytesRead: part.length })
  },
})

const box = (type: string, content: Uint8Array | number, claimed?: number): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(8), typeof content === 'number' ? Buffer.alloc(content) : content])
  bytes.writeUInt32BE(claimed ?? bytes.length, 0)
  bytes.write(type, 4, 'latin1')
  return bytes
}
const times = (bytes: Buffer, count: number): Buffer => Buffer.concat([bytes, ...Array.from({ length: count }, () => bytes)])

const element = (id: number[], content: Uint8Array, claimed = content.length): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 + claimed)
  return Buffer.concat([Buffer.from(id), size, content])
}
const number = (id: number[], value: number): Buffer => element(id, Buffer.of(value))
const CUE_POINT = [0xbb]
const CUE_POSITIONS = [0xb7]

const matroska = (cues: Buffer): Buffer => {
  const tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae], Buffer.concat([number([0xd7], 1), number([0x83], 1)])))
  const segment = element([0x18, 0x53, 0x80, 0x67], Buffer.concat([tracks, element([0x1c, 0x53, 0xbb, 0x6b], cues)]))
  return Buffer.concat([element([0x1a, 0x45, 0xdf, 0xa3], Buffer.alloc(0)), segment])
}

const table = (type: string, runs: number): Buffer => {
  const content = Buffer.alloc(8 + runs * 8)
  content.writeUInt32BE(runs, 4)
  return box(type, content)
}
const stsd = box('stsd', Buffer.concat([Buffer.alloc(8), box('avc1', 8)]))
const stss = box('stss', Buffer.of(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1))
const trackOf = (...tables: Buffer[]): Buffer =>
  box('trak', box('mdia', Buffer.concat([box('mdhd', 24), box('minf', box('stbl', Buffer.concat([stsd, stss, ...tables])))])))

const FILES: [string, string, () => Buffer][] = [
  ['a million empty boxes', 'mp4', () => box('moov', times(box('free', 0), 1_500_000))],
  ['tracks of which each reaches over all behind it', 'mp4', () => box('moov', times(box('trak', box('mdia', 0, 0x7fffffff)), 20_000))],
  ['tables of times without a time', 'mp4', () => box('moov', Buffer.concat([box('mvhd', 24), trackOf(table('stts', 6_000_000))]))],
  ['a million empty cues', 'matroska', () => matroska(times(Buffer.of(0xec, 0x80), 7_000_000))],
  [
    'cues of which each reaches over all behind it',
    'matroska',
    () => matroska(times(element(CUE_POINT, element(CUE_POSITIONS, Buffer.alloc(0), 0x0ffffff0)), 20_000)),
  ],
]

describe('an index holds nobody up that is made of', () => {
  test.each(FILES)('%s', async (_, format, write) => {
    const file = fileOf(write())
    const probe = { format, startSeconds: 0 } as MediaProbe
    const startedAt = processorMs()
    expect(await findKeyframes(file, probe)).toBeNull()
    expect(processorMs() - startedAt).toBeLessThan(250)
  })
})

test('an index that is none of those is read', async () => {
  const mvhd = Buffer.alloc(24)
  mvhd.writeUInt32BE(1000, 12)
  const mdhd = box('mdhd', mvhd)
  const stts = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 50, 0, 0, 0, 40])
  const tables = Buffer.concat([stsd, box('stss', Buffer.from([0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 26])), box('stts', stts)])
  const track = box('trak', box('mdia', Buffer.concat([mdhd, box('minf', box('stbl', tables))])))
  const mp4 = box('moov', Buffer.concat([box('mvhd', mvhd), track]))
  expect(await findKeyframes(fileOf(mp4), { format: 'mp4', startSeconds: 0 } as MediaProbe)).toEqual([0, 1])
  const point = (time: number) => element(CUE_POINT, Buffer.concat([number([0xb3], time), element(CUE_POSITIONS, number([0xf7], 1))]))
  const mkv = matroska(Buffer.concat([point(0), point(100)]))
  expect(await findKeyframes(fileOf(mkv), { format: 'matroska', startSeconds: 0 } as MediaProbe)).toEqual([0, 0.1])
})
