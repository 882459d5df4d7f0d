import { expect, test } from 'bun:test'
import { capabilitiesOf } from '../../../client/src/primitives/browser-capabilities.ts'
import { CAPABILITIES } from '../../../src/domain/client-caps.ts'

test('a browser that plays nothing says nothing', () => {
  expect(capabilitiesOf(() => false)).toBe('')
})

test('every name that the server knows is asked about', () => {
  expect(
    capabilitiesOf(() => true)
      .split(',')
      .toSorted(),
  ).toEqual([...CAPABILITIES].toSorted())
})

test('a codec is asked about by its exact kind', () => {
  expect(capabilitiesOf((mimeType) => mimeType.includes('avc1.640028'))).toBe('h264')
  expect(capabilitiesOf((mimeType) => mimeType.includes('hvc1'))).toBe('hevc')
})
