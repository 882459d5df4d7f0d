import { createSignal } from 'solid-js'
import { saveProgress } from '../api/progress.ts'
import type { BrowseEntry } from '../api/types.ts'
import { createRefresh } from './create-refresh.ts'
import { notifyError } from './notify.ts'

/** Whether one has seen something, to be said by hand. What was just pressed shows before the server has answered. */
export const createWatched = (entry: () => Pick<BrowseEntry, 'itemKey' | 'libraryId' | 'progress'>) => {
  const refresh = createRefresh()
  const [pending, setPending] = createSignal<boolean>()
  const isWatched = () => pending() ?? entry().progress?.completed ?? false
  const toggle = async () => {
    if (pending() !== undefined) return
    setPending(!isWatched())
    try {
      await saveProgress(entry().itemKey, { completed: pending() ?? false })
      await refresh(entry().libraryId)
    } catch (error) {
      notifyError(error)
    } finally {
      setPending(undefined)
    }
  }
  return { isWatched, toggle: () => void toggle() }
}
