import { useQueryClient } from '@tanstack/solid-query'
import { createSignal } from 'solid-js'
import { getLibraryRefresh, refreshLibraryFromNfo } from '../api/nfo-refresh.ts'
import { queryKeys } from '../api/query-keys.ts'
import { createQuery } from './create-query.ts'
import { createRefresh } from './create-refresh.ts'
import { createSubmit } from './form-problem.ts'
import { onChange } from './on-change.ts'

const POLL_MS = 1000

/** Reads all NFO files of a library anew, and says how far that is and what has come of it. */
export const createLibraryNfoRefresh = (libraryId: () => number) => {
  const client = useQueryClient()
  const refresh = createRefresh()
  const [askedFor, setAskedFor] = createSignal<number>()
  const query = createQuery(() => ({
    queryKey: queryKeys.nfoRefresh(libraryId()),
    queryFn: () => getLibraryRefresh(libraryId()),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.queued ?? 0) > 0 ? POLL_MS : false),
  }))
  const state = () => query.data
  const isRunning = () => (state()?.queued ?? 0) > 0
  const start = createSubmit(async () => {
    const id = libraryId()
    await refreshLibraryFromNfo(id)
    await client.invalidateQueries({ queryKey: queryKeys.nfoRefresh(id) })
    setAskedFor(id)
    // A small library is done before anybody has seen it run.
    if (!isRunning()) void refresh(id)
  })
  onChange(isRunning, (isNow) => {
    if (!isNow) void refresh(libraryId())
  })
  /** Where nobody has asked, nothing has come of it. */
  const hasOutcome = () =>
    askedFor() === libraryId() || Object.values(state() ?? {}).some((count) => typeof count === 'number' && count > 0)
  return { state, isRunning, hasOutcome, start }
}
