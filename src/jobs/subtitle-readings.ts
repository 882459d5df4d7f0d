/** Subtitles that are read out of videos, which takes as long as reading the whole film does: what was read is kept for a while. */

import { createGateOfPeople } from '../domain/gate.ts'
import { createSharedReadings, type ReadShared } from './shared-readings.ts'

const AT_ONCE = 2
/** Texts of a hundred films. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024

export type ReadOnce = ReadShared<string>

export const createSubtitleReadings = (): ReadOnce => {
  /** The longest unused first. */
  const texts = new Map<string, string>()
  const readShared = createSharedReadings<string>(createGateOfPeople(AT_ONCE))

  const keep = (key: string, text: string): string => {
    texts.delete(key)
    texts.set(key, text)
    let total = texts.values().reduce((sum, { length }) => sum + length, 0)
    for (const [other, { length }] of texts) {
      if (total <= MAX_KEPT_CHARACTERS) break
      texts.delete(other)
      total -= length
    }
    return text
  }

  return async (key, asker, read) => keep(key, texts.get(key) ?? (await readShared(key, asker, read)))
}
