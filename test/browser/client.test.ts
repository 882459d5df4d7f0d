/** The built client in a real browser on a real server: one of each for all journeys, and a page for every journey. */

import { afterAll, beforeAll, describe, setDefaultTimeout } from 'bun:test'
import { browsing } from './journeys/browsing.ts'
import { goingByKeys } from './journeys/going-by-keys.ts'
import { hearing } from './journeys/hearing.ts'
import { addPlayables, playing } from './journeys/playing.ts'
import { signingIn } from './journeys/signing-in.ts'
import { viewing } from './journeys/viewing.ts'
import { TEST_LIMIT_MS } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}

beforeAll(async () => {
  opened = await openScene({ size: 'small', prepare: addPlayables })
}, 120_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

describe('browsing', () => browsing(scene))
describe('going by keys', () => goingByKeys(scene))
describe('viewing', () => viewing(scene))
describe('playing', () => playing(scene))
describe('signing in', () => signingIn(scene))
describe('hearing', () => hearing(scene))
