/** The query string as typed state: what a grid shows survives reload and Back, and can be sent to someone. */

import { useSearchParams } from '@solidjs/router'
import type { Accessor } from 'solid-js'

/** The first of several values of the same name. */
export const single = (value: string | string[] | undefined): string => (Array.isArray(value) ? (value[0] ?? '') : (value ?? ''))

type Change = (changes: Record<string, string | null>, options?: { replace?: boolean; state?: object }) => void

/** `get` answers '' for what is absent; null or '' removes. A change adds a history entry unless told to replace. */
export const createUrlState = (): { get: (name: string) => string; change: Change } => {
  const [params, setParams] = useSearchParams()
  return {
    get: (name) => single(params[name]),
    change: (changes, options) => setParams(changes, options),
  }
}

/** A parameter that is one of a closed list; anything else reads as the fallback, which is left out of the address. */
export const createUrlChoice = <Choice extends string>(
  name: string,
  choices: readonly Choice[],
  fallback: Accessor<Choice>,
): [Accessor<Choice>, (choice: Choice) => void] => {
  const { get, change } = createUrlState()
  const value = () => choices.find((choice) => choice === get(name)) ?? fallback()
  return [value, (choice) => change({ [name]: choice === fallback() ? null : choice })]
}
