/**
 * Server state as signals. The package's own hooks read through a Solid resource, which takes part in the router's
 * transitions: a screen that reads an answer while it is asked for again can keep the one before it for ever (seen after
 * signing in from a deep link). A signal over the same observer has no such tie, and keeps what is equal by reference.
 */

import {
  type DefaultError,
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
  useQueryClient,
} from '@tanstack/solid-query'
import { type Accessor, createComputed, createSignal, mergeProps, on, onCleanup, untrack } from 'solid-js'

interface Observer<Options, Result> {
  setOptions: (options: Options) => void
  getCurrentResult: () => Result
  subscribe: (listener: (result: Result) => void) => () => void
}

const observe = <Options, Result extends object>(options: Accessor<Options>, observer: Observer<Options, Result>): Result => {
  const [result, setResult] = createSignal(observer.getCurrentResult())
  // Subscribing begins to ask, and may tell so at once. Untracked: what the asking reads is no reason to ask again.
  onCleanup(untrack(() => observer.subscribe((next) => setResult(() => next))))
  createComputed(
    on(
      options,
      (changed) => {
        observer.setOptions(changed)
        setResult(() => observer.getCurrentResult())
      },
      { defer: true },
    ),
  )
  return mergeProps(result) as Result
}

export const createQuery = <Data>(options: Accessor<QueryObserverOptions<Data>>): QueryObserverResult<Data> =>
  observe(options, new QueryObserver<Data>(useQueryClient(), untrack(options)))

type Cursor = string | undefined

/** Each page says by which cursor the next one is asked for. */
export const byCursor = {
  initialPageParam: undefined as Cursor,
  getNextPageParam: (last: { nextCursor: string | null }) => last.nextCursor ?? undefined,
}

type PagedOptions<Data> = InfiniteQueryObserverOptions<Data, DefaultError, InfiniteData<Data, Cursor>, QueryKey, Cursor>

export const createPagedQuery = <Data extends { nextCursor: string | null }>(
  options: Accessor<Omit<PagedOptions<Data>, keyof typeof byCursor>>,
): InfiniteQueryObserverResult<InfiniteData<Data, Cursor>> => {
  const paged = (): PagedOptions<Data> => ({ ...byCursor, ...options() })
  return observe(
    paged,
    new InfiniteQueryObserver<Data, DefaultError, InfiniteData<Data, Cursor>, QueryKey, Cursor>(useQueryClient(), untrack(paged)),
  )
}
