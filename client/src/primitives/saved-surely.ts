/** How far something was read or watched, told to the server also where that cannot be reached just then. */

import { createRoot } from 'solid-js'
import { isServerReachable } from '../api/http.ts'
import { onChange } from './on-change.ts'

/** By what they are about. They outlive their screens: who leaves one in a tunnel has come as far all the same. */
const untold = new Map<string, () => Promise<unknown>>()

/** What is told later of the same thing stands in its place. Answers when it is told, or is not to be told for now. */
export const saveSurely = async (key: string, save: () => Promise<unknown>, onLate: () => unknown): Promise<void> => {
  const send = () => saveSurely(key, save, onLate).then(onLate)
  untold.set(key, send)
  // Losing one place that the server does not want is harmless, the next one is saved as well.
  await save().catch(() => undefined)
  if (isServerReachable() && untold.get(key) === send) untold.delete(key)
}

/** For who asks how far they have come. */
export const saveUntold = async (key: string): Promise<void> => void (await untold.get(key)?.())

createRoot(() =>
  onChange(isServerReachable, (isReachable) => {
    if (isReachable) for (const key of [...untold.keys()]) void saveUntold(key)
  }),
)
