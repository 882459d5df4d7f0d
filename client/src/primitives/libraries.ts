/** The visible libraries, kept fresh while one of them is being scanned. */

import { isServerReachable } from '../api/http.ts'
import { librariesQuery } from '../api/libraries.ts'
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
