/** How far something was read or watched, told to the server also where that cannot be reached just then. */

import { createRoot } from 'solid-js'
import { isServerReachable } from '../api/http.ts'
import { getProgress, type SavedProgress, saveProgress } from '../api/progress.ts'
import { onChange } from './on-change.ts'

/** Ways to wait until it is told, by what it is about. They outlive their screens: who leaves one in a tunnel has come as far all the same. */
const untold = new Map<string, () => Promise<unknown>>()
/** When the progress of an item was last changed, as far as it was seen here. */
const seen = new Map<string, string | null>()

/** Of that file, where one is named. */
export const readProgress = async (itemKey: string, file?: string): Promise<SavedProgress> => {
  const progress = await getProgress(itemKey, file)
  seen.set(itemKey, progress.updatedAt)
  return progress
}

type Place = Parameters<typeof saveProgress>[1]

const tell = async (itemKey: string, place: Place, isLate: boolean) => {
  const before = seen.get(itemKey)
  // Whoever has gone on with another device meanwhile is further there.
  if (isLate && before !== undefined && (await readProgress(itemKey)).updatedAt !== before) return
  seen.set(itemKey, (await saveProgress(itemKey, place)).updatedAt)
}

/** What is told later of the same thing stands in its place. Answers when it is told, or is not to be told for now. */
export const saveSurely = async (itemKey: string, place: Place, onLate: () => unknown, isLate = false): Promise<void> => {
  const key = itemKey + (place.file ?? '')
  // Losing one place that the server does not want is harmless, the next one is saved as well.
  const told = tell(itemKey, place, isLate).catch(() => undefined)
  const wait = () => told
  untold.set(key, wait)
  await told
  if (untold.get(key) !== wait) return
  if (isServerReachable()) untold.delete(key)
  else untold.set(key, () => saveSurely(itemKey, place, onLate, true).then(onLate))
}

/** For who asks how far they have come. */
export const saveUntold = async (key: string): Promise<void> => void (await untold.get(key)?.())

createRoot(() =>
  onChange(isServerReachable, (isReachable) => {
    if (isReachable) for (const key of [...untold.keys()]) void saveUntold(key)
  }),
)
