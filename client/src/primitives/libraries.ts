/** The visible libraries, kept fresh while one of them is being scanned. */

import { useQueryClient } from '@tanstack/solid-query'
import { createEffect } from 'solid-js'
import { isServerReachable } from '../api/http.ts'
import { librariesQuery } from '../api/libraries.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { Library, Scan } from '../api/types.ts'
import { createQuery } from './create-query.ts'

export const SCAN_POLL_MS = 1500
const IDLE_POLL_MS = 20_000
const UNREACHABLE_POLL_MS = 4000

export const isScanActive = (scan: Scan | null): boolean => scan?.status === 'queued' || scan?.status === 'running'

export const createLibraries = () => {
  const query = createQuery(() => {
    // Read here: the package asks for the next interval only after an answer, and follows no signal.
    const isReachable = isServerReachable()
    return {
      ...librariesQuery,
      refetchInterval: ({ state }) => {
        if (!isReachable) return UNREACHABLE_POLL_MS
        return state.data?.libraries.some(({ lastScan }) => isScanActive(lastScan)) ? SCAN_POLL_MS : IDLE_POLL_MS
      },
    }
  })
  return { query, libraries: (): Library[] => query.data?.libraries ?? [] }
}

export const createLibrary = (id: () => number) => {
  const { query, libraries } = createLibraries()
  return { query, library: () => libraries().find((library) => library.id === id()) }
}

/** What is shown of a library is asked for again whenever a scan of it has ended or its number of items changes. For the shell, once. */
export const createScanWatch = (onFinished: (library: Library) => void) => {
  const client = useQueryClient()
  const { libraries } = createLibraries()
  /** `ended`: its last scan; undefined while one goes on. */
  const seen = new Map<number, { ended: number | undefined; itemCount: number }>()
  createEffect(() => {
    for (const library of libraries()) {
      const before = seen.get(library.id)
      const isActive = isScanActive(library.lastScan)
      const ended = isActive ? undefined : (library.lastScan?.id ?? 0)
      if (before && !isActive && before.ended === undefined) onFinished(library)
      // Most scans begin and end between two looks, and a renamed file leaves as many items as there were.
      if (before && ((!isActive && before.ended !== ended) || before.itemCount !== library.itemCount)) {
        // Many pages take longer than the next look at a scan that goes on: what is being asked for comes to its end first.
        void client.invalidateQueries({ queryKey: queryKeys.libraryContent(library.id) }, { cancelRefetch: !isActive })
      }
      seen.set(library.id, { ended, itemCount: library.itemCount })
    }
  })
}
