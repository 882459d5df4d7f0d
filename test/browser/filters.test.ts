/** Filters, tags and search by clicking: the numbered behaviours of the user's specification, and what must survive them. */

import { afterAll, beforeAll, describe, setDefaultTimeout } from 'bun:test'
import { type FilterScene, openFilterScene } from './filter-scene.ts'
import { accessibility } from './filtering/accessibility.ts'
import { addresses } from './filtering/addresses.ts'
import { keys } from './filtering/keys.ts'
import { levelFilters } from './filtering/level-filters.ts'
import { many } from './filtering/many.ts'
import { mishaps } from './filtering/mishaps.ts'
import { searching } from './filtering/searching.ts'
import { tagSelector } from './filtering/tag-selector.ts'
import { tagging } from './filtering/tagging.ts'
import { TEST_LIMIT_MS } from './on-page.ts'

setDefaultTimeout(TEST_LIMIT_MS)
const SCENE_LIMIT_MS = 180_000

let opened: FilterScene | undefined
const scene = (): FilterScene => {
  if (!opened) throw new Error('The scene is not open')
  return opened
}

beforeAll(async () => {
  opened = await openFilterScene()
}, SCENE_LIMIT_MS)
afterAll(() => opened?.[Symbol.asyncDispose](), SCENE_LIMIT_MS)

describe('the behaviours of the library views', () => levelFilters(scene))
describe('filters in the address', () => addresses(scene))
describe('the selector of tags', () => tagSelector(scene))
describe('tagging', () => tagging(scene))
searching(scene)
describe('the keyboard alone', () => keys(scene))
accessibility(scene)
describe('when something goes wrong meanwhile', () => mishaps(scene))
describe('many', () => many(scene))
