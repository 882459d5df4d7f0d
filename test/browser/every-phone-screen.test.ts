/** Apart from the wide ones: each takes the longest of all. */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openScene, type Scene } from './scene.ts'
import { SCREENS_LIMIT_MS, screenProblems } from './screen-problems.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene({ size: 'small' })
}, 120_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

test(
  'no screen of a phone is too wide, too small for fingers, lacks its heading or title, keeps somebody out, or loses the focus',
  async () => expect(await screenProblems(scene, 'phone')).toEqual({}),
  SCREENS_LIMIT_MS,
)
