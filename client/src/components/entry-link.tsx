import type { JSX } from 'solid-js'
import type { BrowseEntry } from '../api/types.ts'
import { t } from '../i18n/filters.ts'
import { basePath } from '../primitives/base-path.ts'
import { openedState } from '../primitives/paths.ts'
import type { SelectionState } from './selection-mark.tsx'

interface EntryLinkProps {
  entry: BrowseEntry
  href: string
  tabIndex?: number | undefined
  selection?: SelectionState
  /** Where an entry opens something on the screen itself: prevents the navigation. */
  onOpen?: ((event: MouseEvent) => void) | undefined
  class: string
  style?: JSX.CSSProperties
  children: JSX.Element
}

const tick = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
  if (event.key !== ' ') return
  event.preventDefault()
  // What `click()` makes knows nothing of Shift.
  event.currentTarget.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: event.shiftKey }))
}

/**
 * The link of an entry in a grid or a list; while entries are selected, a box to be ticked. A plain one, which the router
 * follows as well: its own watches the address, and a hundred of them take half of a screen's time.
 */
export const EntryLink = (props: EntryLinkProps) => (
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the state is there together with the role
  <a
    href={basePath + props.href}
    state={JSON.stringify(openedState(props.entry))}
    tabIndex={props.tabIndex}
    title={props.entry.title}
    data-item-key={props.entry.itemKey}
    role={props.selection && 'checkbox'}
    aria-checked={props.selection && props.selection === 'on'}
    aria-label={props.selection && t('filters.selectItem', props.entry.title)}
    onClick={(event) => props.onOpen?.(event)}
    onKeyDown={(event) => props.selection && tick(event)}
    class={props.class}
    style={props.style}
  >
    {props.children}
  </a>
)
