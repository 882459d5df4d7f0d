import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rgbaToThumbHash } from 'thumbhash'
import { replaceGlobals } from '../../support/replaced-globals.ts'

const { thumbhashBackground } = await import('../../../client/src/primitives/thumbhash.ts')

let restore: () => void
beforeAll(() => {
  restore = replaceGlobals({ window: { requestIdleCallback: (work: () => void) => setTimeout(work) } })
})
afterAll(() => restore())

/** Of a picture of one colour, as the server writes it. */
const hashOf = (red: number): string => {
  const pixels = Uint8Array.from({ length: 16 }, (_, index) => [red, 10, 20, 255][index % 4] ?? 0)
  return Buffer.from(rgbaToThumbHash(2, 2, pixels)).toString('base64')
}

test('what is no thumbhash is no placeholder, and no error', async () => {
  expect(await thumbhashBackground('not base64!', () => true)).toBeUndefined()
})

test('for a picture that has arrived meanwhile nothing is made', async () => {
  let asked = 0
  const isWanted = () => {
    asked += 1
    return asked < 2
  }
  expect([await thumbhashBackground(hashOf(200), () => false), await thumbhashBackground(hashOf(200), isWanted)]).toEqual([
    undefined,
    undefined,
  ])
})

test('a placeholder is a small picture, made once', async () => {
  const made = await thumbhashBackground(hashOf(90), () => true)
  expect(made).toStartWith('url(data:image/png;base64,')
  expect(await thumbhashBackground(hashOf(90), () => false)).toBe(made)
})
