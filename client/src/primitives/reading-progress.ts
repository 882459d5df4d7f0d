import { debounce } from '@solid-primitives/scheduled'
import { onCleanup, onMount } from 'solid-js'
import { createRefresh } from './create-refresh.ts'
import { listen } from './listen.ts'
import { saveSurely } from './saved-surely.ts'

/** Whoever leafs on within this time has not stopped at the page. */
const SAVE_AFTER_MS = 1000

/** Remembers the page that somebody has come to. Whether the volume is read, the server concludes. */
export const createReadingProgress = ({ itemKey, libraryId }: { itemKey: string; libraryId: number }) => {
  const refresh = createRefresh()
  let unsaved: number | undefined
  let saved: Promise<unknown> | undefined
  const save = () => {
    saveLater.clear()
    if (unsaved === undefined) return
    saved = saveSurely(itemKey, { page: unsaved }, () => refresh(libraryId))
    unsaved = undefined
  }
  const saveLater = debounce(save, SAVE_AFTER_MS)
  onMount(() => listen(window, { pagehide: save }))
  onCleanup(() => {
    save()
    void saved?.then(() => refresh(libraryId))
  })
  return {
    reach: (page: number) => {
      unsaved = page
      saveLater()
    },
  }
}
