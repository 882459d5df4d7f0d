import { useQueryClient } from '@tanstack/solid-query'
import { createEffect } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import type { Library } from '../api/types.ts'
import { createLibraries, isScanActive } from './libraries.ts'

/**
 * What is shown of a library is asked for again whenever a scan of it has ended or its number of items changes. Told of is a scan
 * that was seen at work, and one that has not gone well: that is over in no time mostly. Where another one follows at once nobody
 * sees how the one before has ended: `onFollowed` hears which those were. For the shell, once.
 */
export const createScanWatch = (
  onFinished: (library: Library, all: readonly Library[]) => void,
  onFollowed: (scanIds: ReadonlyMap<Library, number>, all: readonly Library[]) => void,
) => {
  const client = useQueryClient()
  const { libraries } = createLibraries()
  /** The last scan of each, by the id of the library. */
  const seen = new Map<number, { id: number; isActive: boolean; itemCount: number }>()
  createEffect(() => {
    const followed = new Map<Library, number>()
    for (const library of libraries()) {
      const before = seen.get(library.id)
      const isActive = isScanActive(library.lastScan)
      const id = library.lastScan?.id ?? 0
      // Most scans begin and end between two looks, and a renamed file leaves as many items as there were.
      const hasEnded = before !== undefined && !isActive && (before.isActive || before.id !== id)
      if (hasEnded && (before.isActive || library.lastScan?.status !== 'done')) onFinished(library, libraries())
      if (before?.isActive && before.id !== id) followed.set(library, before.id)
      if (before && (hasEnded || before.itemCount !== library.itemCount)) {
        // Many pages take longer than the next look at a scan that goes on: what is being asked for comes to its end first.
        void client.invalidateQueries({ queryKey: queryKeys.libraryContent(library.id) }, { cancelRefetch: !isActive })
      }
      seen.set(library.id, { id, isActive, itemCount: library.itemCount })
    }
    if (followed.size > 0) onFollowed(followed, libraries())
  })
}
