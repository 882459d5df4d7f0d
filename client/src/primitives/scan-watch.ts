import { useQueryClient } from '@tanstack/solid-query'
import { createEffect } from 'solid-js'
import { queryKeys } from '../api/query-keys.ts'
import type { Library } from '../api/types.ts'
import { createLibraries, isScanActive } from './libraries.ts'

/**
 * What is shown of a library is asked for again whenever a scan of it has ended or its number of items changes. Told of is a scan
 * that was seen at work, and one that has not gone well: that is over in no time mostly. For the shell, once.
 */
export const createScanWatch = (onFinished: (library: Library, all: readonly Library[]) => void) => {
  const client = useQueryClient()
  const { libraries } = createLibraries()
  /** `ended`: its last scan; undefined while one goes on. */
  const seen = new Map<number, { ended: number | undefined; itemCount: number }>()
  createEffect(() => {
    for (const library of libraries()) {
      const before = seen.get(library.id)
      const isActive = isScanActive(library.lastScan)
      const ended = isActive ? undefined : (library.lastScan?.id ?? 0)
      // Most scans begin and end between two looks, and a renamed file leaves as many items as there were.
      const hasEnded = before !== undefined && !isActive && before.ended !== ended
      if (hasEnded && (before.ended === undefined || library.lastScan?.status !== 'done')) onFinished(library, libraries())
      if (before && (hasEnded || before.itemCount !== library.itemCount)) {
        // Many pages take longer than the next look at a scan that goes on: what is being asked for comes to its end first.
        void client.invalidateQueries({ queryKey: queryKeys.libraryContent(library.id) }, { cancelRefetch: !isActive })
      }
      seen.set(library.id, { ended, itemCount: library.itemCount })
    }
  })
}
