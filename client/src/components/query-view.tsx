import { type JSX, Match, Show, Switch } from 'solid-js'
import { createDelayed } from '../primitives/create-delayed.ts'
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

/** The three states of an answer: a skeleton if it takes long, a card if it failed, else what it brought. */
export const QueryView = <Data,>(props: QueryViewProps<Data>) => {
  const isLate = createDelayed(() => props.query.isPending)
  return (
    <Switch>
      <Match when={props.query.isPending}>
        <Show when={isLate()}>{props.skeleton}</Show>
      </Match>
      <Match when={props.query.data}>{(value) => props.children(value)}</Match>
      <Match when={props.query.error}>
        {(error) => <ErrorCard isScreen={props.isScreen} error={error()} onRetry={() => void props.query.refetch()} />}
      </Match>
    </Switch>
  )
}
