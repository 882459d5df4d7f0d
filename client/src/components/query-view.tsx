import { type JSX, Match, Show, Switch } from 'solid-js'
import { ApiProblem } from '../api/http.ts'
import { createDelayed } from '../primitives/create-delayed.ts'
import { createLatest } from '../primitives/create-latest.ts'
import { ErrorCard } from './error-card.tsx'

interface QueryLike<Data> {
  data: Data | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

interface QueryViewProps<Data> {
  query: QueryLike<Data>
  skeleton?: JSX.Element
  /** What is asked for is the screen itself: without it there is no other heading. */
  isScreen?: boolean
  children: (data: () => NonNullable<Data>) => JSX.Element
}

/** The three states of an answer: a skeleton if it takes long, a card if it failed, else what it brought, also while it cannot be asked for anew. */
export const QueryView = <Data,>(props: QueryViewProps<Data>) => {
  const isLate = createDelayed(() => props.query.isPending)
  /** A screen of what is gone, or is not to be seen any more: nothing on it could be done. */
  const isOver = () => props.isScreen && props.query.error instanceof ApiProblem && [403, 404].includes(props.query.error.status)
  return (
    <Switch>
      <Match when={props.query.isPending}>
        <Show when={isLate()}>{props.skeleton}</Show>
      </Match>
      <Match when={!isOver() && props.query.data}>{(value) => props.children(createLatest(() => props.query.data, value()))}</Match>
      <Match when={props.query.error}>
        {(error) => <ErrorCard isScreen={props.isScreen} error={error()} onRetry={() => void props.query.refetch()} />}
      </Match>
    </Switch>
  )
}
