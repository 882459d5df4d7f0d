import { useQueryClient } from '@tanstack/solid-query'
import { createEffect, createSignal } from 'solid-js'
import { type LibraryRefresh, refreshLibraryFromNfo } from '../api/nfo-refresh.ts'
import { queryKeys } from '../api/query-keys.ts'
import { createQuery } from './create-query.ts'
import { createLibraryRefreshFollowing, libraryRefreshQuery } from './follow-library-refresh.ts'
import { createSubmit } from './form-problem.ts'

/** Reads all NFO files of a library anew, and says how far that is and what has come of it. */
export const createLibraryNfoRefresh = (libraryId: () => number) => {
  const client = useQueryClient()
  const follow = createLibraryRefreshFollowing()
  const [askedFor, setAskedFor] = createSignal<number>()
  const query = createQuery<LibraryRefresh>(() => libraryRefreshQuery(libraryId()))
  const state = () => query.data
  const isRunning = () => (state()?.queued ?? 0) > 0
  const start = createSubmit(async () => {
    const id = libraryId()
    await refreshLibraryFromNfo(id)
    await client.invalidateQueries({ queryKey: queryKeys.nfoRefresh(id) })
    setAskedFor(id)
    // Also where it is done by now: a small library is, before anybody has seen it run.
    void follow(id)
  })
  createEffect(() => {
    if (isRunning()) void follow(libraryId())
  })
  /** Where nobody has asked, nothing has come of it. */
  const hasOutcome = () =>
    askedFor() === libraryId() || [state()?.queued, state()?.refreshed, state()?.without, state()?.failed].some(Boolean)
  return { state, isRunning, hasOutcome, start }
}
