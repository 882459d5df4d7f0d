import { expect, test } from 'bun:test'
import { hasPreviews, previewList } from '../../src/domain/video-preview.ts'

const startsOf = (list: string): string[] => [...list.matchAll(/^at=(\d+)#xywh=0,0,320,180$/gm)].map(([, at]) => at ?? '')

test('an episode has a picture every few seconds, and a film as many as there are places on a bar', () => {
  expect(startsOf(previewList(1440, (at) => `at=${at}`)).slice(0, 4)).toEqual(['0', '5', '10', '15'])
  expect(previewList(60, (at) => `at=${at}`)).toStartWith(
    'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nat=0#xywh=0,0,320,180\n\n00:00:02.000 -->',
  )
  expect(previewList(9000, (at) => `at=${at}`)).toContain('\n02:29:30.000 --> 02:30:00.000\nat=8970#xywh')
  // A file may claim to last for months.
  expect(startsOf(previewList(1e7, (at) => `at=${at}`))).toHaveLength(300)
})

test('what is over in a moment, or lasts nobody knows how long, has none', () => {
  expect([null, 0, 29.9, 30].map((seconds) => hasPreviews(seconds))).toEqual([false, false, false, true])
})
