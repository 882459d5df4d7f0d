import { expect, test } from 'bun:test'
import { evenBoundaries, keyframeBoundaries, longestPiece, pieceAt, renderPlaylist } from '../../src/domain/hls-playlist.ts'

test('pieces of equal length end where the video does, and none of them is a crumb', () => {
  expect(evenBoundaries(10, 3)).toEqual([0, 3, 6, 9, 10])
  expect(evenBoundaries(9.2, 3)).toEqual([0, 3, 6, 9.2])
  expect(evenBoundaries(9, 3)).toEqual([0, 3, 6, 9])
  expect(evenBoundaries(0.5, 3)).toEqual([0, 0.5])
})

test('copied pieces begin at key frames, at least so far apart', () => {
  expect(keyframeBoundaries([0, 2, 4, 6, 8, 10, 12.5, 19], 25, 6)).toEqual([0, 6, 12.5, 19, 25])
  expect(keyframeBoundaries([0.006], 5, 6)).toEqual([0, 5])
  // Key frames that lie beyond the end are an index that lies.
  expect(keyframeBoundaries([0, 6, 12, 400], 13.5, 6)).toEqual([0, 6, 12, 13.5])
})

test('a second lies in one piece, and those beyond either end in the first and the last', () => {
  const boundaries = [0, 6, 12, 13.5]
  expect([-1, 0, 5.9, 6, 13, 99].map((seconds) => pieceAt(boundaries, seconds))).toEqual([0, 0, 0, 1, 2, 2])
})

test('a playlist names every piece with its length, and its end', () => {
  const lines = renderPlaylist([0, 6.25, 12]).split('\n')
  expect(lines).toContain('#EXT-X-TARGETDURATION:7')
  expect(lines.slice(-6)).toEqual(['#EXTINF:6.250000,', 'seg-0.m4s', '#EXTINF:5.750000,', 'seg-1.m4s', '#EXT-X-ENDLIST', ''])
  expect(longestPiece([0, 6.25, 12])).toBe(6.25)
})
