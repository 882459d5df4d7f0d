import { createSignal } from 'solid-js'
import { saveProgress } from '../api/progress.ts'
import type { BrowseEntry } from '../api/types.ts'
import { createRefresh } from './create-refresh.ts'
import { notifyError } from './notify.ts'

/** Whether one has seen something, to be said by hand. What was pressed last shows before the server has answered, and is what it keeps. */
export const createWatched = (entry: () => Pick<BrowseEntry, 'itemKey' | 'libraryId' | 'progress'>) => {
  const refresh = createRefresh()
  const [wanted, setWanted] = createSignal<boolean>()
  const isWatched = () => wanted() ?? entry().progress?.completed ?? false
  const save = async () => {
    const { itemKey, libraryId } = entry()
    try {
      for (let saved: boolean | undefined; saved !== wanted(); ) {
        saved = wanted()
        await saveProgress(itemKey, { completed: saved })
        // Whoever presses again meanwhile is heard after it.
        if (saved === wanted()) await refresh(libraryId)
      }
    } catch (error) {
      notifyError(error)
    } finally {
      setWanted(undefined)
    }
  }
  const toggle = () => {
    const isSaving = wanted() !== undefined
    setWanted(!isWatched())
    if (!isSaving) void save()
  }
  return { isWatched, toggle }
}
