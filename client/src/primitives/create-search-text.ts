import { debounce } from '@solid-primitives/scheduled'
import { type Accessor, createSignal } from 'solid-js'
import { createUrlState } from './create-url-state.ts'
import { onChange } from './on-change.ts'

export const SEARCH_DEBOUNCE_MS = 200

/**
 * A search field over one query parameter. The first change adds a history entry and the following ones replace it, so
 * that one Back undoes the whole search.
 */
export const createSearchText = (
  name: string,
): {
  text: Accessor<string>
  type: (text: string) => void
  clear: () => void
  /** Other parameters change in the same step. */
  clearWith: (also: Record<string, null>) => void
} => {
  const { get, change } = createUrlState()
  const [text, setText] = createSignal(get(name))
  let written = get(name)
  const write = (value: string, also: Record<string, null> = {}) => {
    const isRefinement = written !== '' && value !== ''
    written = value
    change({ ...also, [name]: value.trim() === '' ? null : value }, { replace: isRefinement })
  }
  const writeLater = debounce((value: string) => write(value), SEARCH_DEBOUNCE_MS)
  onChange(
    () => get(name),
    (value) => {
      // Our own write comes back through the address; only Back, Forward and links change the field.
      if (value.trim() === written.trim()) return
      writeLater.clear()
      written = value
      setText(value)
    },
  )
  const clearWith = (also: Record<string, null>) => {
    writeLater.clear()
    setText('')
    write('', also)
  }
  return {
    text,
    type: (value) => {
      setText(value)
      writeLater(value)
    },
    clear: () => clearWith({}),
    clearWith,
  }
}
