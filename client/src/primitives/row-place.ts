/**
 * How far rows were scrolled sideways, each at its place in the history: Back leads to the cards that one left, as the
 * router leads to the height of the page.
 */

import { historyDepth } from './history-depth.ts'

const places = new Map<string, number>()

/** `before` is where the row of this name stood, in pixels, when this place was left; 0 where it was not there before. */
export const createRowPlace = (name: string) => {
  const here = historyDepth()
  // Whoever has come back and goes on from here comes to other places than before, and begins them at their beginning.
  for (const key of places.keys()) if (Number.parseInt(key, 10) > here) places.delete(key)
  const key = `${here} ${name}`
  return { before: places.get(key) ?? 0, keep: (left: number) => void places.set(key, left) }
}
