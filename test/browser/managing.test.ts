/** What changes things, on a server of its own: the longest journeys, which need not wait for the others. */

import { afterAll, beforeAll, describe, setDefaultTimeout } from 'bun:test'
import { changing } from './journeys/changing.ts'
import { managing } from './journeys/managing.ts'
import { settingUpAi } from './journeys/setting-up-ai.ts'
import { TEST_LIMIT_MS } from './on-page.ts'
import { openScene, type Scene } from './scene.ts'

setDefaultTimeout(TEST_LIMIT_MS)

let opened: Scene | undefined
const scene = (): Scene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}

beforeAll(async () => {
  opened = await openScene({ size: 'small' })
}, 120_000)
afterAll(() => opened?.[Symbol.asyncDispose]())

describe('changing', () => changing(scene))
describe('managing', () => managing(scene))
describe('setting up AI', () => settingUpAi(scene))
