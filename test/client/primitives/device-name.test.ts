import { expect, test } from 'bun:test'
import { deviceName } from '../../../client/src/primitives/device-name.ts'
import { forPlatformFirst, platformOf } from '../../../client/src/primitives/platform.ts'

const FIREFOX_WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0'
const EDGE_MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Edg/131.0'
const SAFARI_IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1'
const CHROME_ANDROID = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36'

test.each([null, '', 'curl/8'])('%p tells no device', (userAgent) => {
  expect(deviceName(userAgent)).toBeUndefined()
})

test.each([
  [FIREFOX_WINDOWS, 'Firefox, Windows'],
  [EDGE_MAC, 'Edge, macOS'],
  [SAFARI_IPHONE, 'Safari, iPhone'],
  [CHROME_ANDROID, 'Chrome, Android'],
])('%s is %p', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('a phone gets no desktop download suggested', () => {
  expect(platformOf(CHROME_ANDROID)).toBeUndefined()
  expect(platformOf(SAFARI_IPHONE)).toBeUndefined()
})

test("files for the visitor's system come first, the others keep their order", () => {
  const files = (['linux', 'windows', 'macos'] as const).map((platform) => ({ platform }))
  expect(forPlatformFirst(files, platformOf(EDGE_MAC)).map(({ platform }) => platform)).toEqual(['macos', 'linux', 'windows'])
  expect(forPlatformFirst(files, undefined)).toEqual(files)
})
