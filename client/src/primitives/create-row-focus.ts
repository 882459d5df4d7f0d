/** Whoever works through a list with the keyboard stays in it when a row, or a button of it, goes: at what took its place. */

import { type Accessor, createEffect, on } from 'solid-js'

interface Row {
  id: number | string
}

interface RowFocus {
  rows: Accessor<readonly Row[]>
  /** While something is done to a row, the buttons of all take no press. */
  isBusy: Accessor<boolean>
  list: () => HTMLElement | undefined
  /** Where to go when no row is left. */
  heading: () => HTMLElement | null | undefined
}

const buttonsOf = (row: Element | undefined): HTMLButtonElement[] => [...(row?.querySelectorAll('button') ?? [])]

/** A button that has gone leaves the focus to the page; elsewhere somebody has put it meanwhile. */
export const isFocusLost = () => !document.activeElement || document.activeElement === document.body

/** For where one goes on when what was pressed has gone. */
export const takeLostFocus = (target: HTMLElement | null | undefined, options?: FocusOptions) => {
  if (!target || !isFocusLost()) return
  // What keys do not lead to can have it all the same.
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus(options)
}

/**
 * For a button that takes its row away by one press. The next row moves up under the pointer and gets the focus: the second half
 * of a double click, and a key that is held down, would take it too.
 */
export const onePress = (press: (event: MouseEvent & { currentTarget: HTMLButtonElement }) => void) => ({
  onKeyDown: (event: KeyboardEvent) => event.repeat && event.key === 'Enter' && event.preventDefault(),
  onClick: (event: MouseEvent & { currentTarget: HTMLButtonElement }) => event.detail < 2 && press(event),
})

/** Answers what has to be told of each row before something is done to it. */
export const createRowFocus = ({ rows, isBusy, list, heading }: RowFocus): ((row: Row) => void) => {
  let place: { id: Row['id']; row: number; button: number } | undefined
  const focusNear = (at: { row: number; button: number }) => {
    const items = rows().length > 0 ? [...(list()?.children ?? [])] : []
    const buttons = buttonsOf(items[Math.min(at.row, items.length - 1)])
    const button = buttons[Math.min(at.button, buttons.length - 1)]
    if (button) return button.focus()
    takeLostFocus(heading())
  }
  createEffect(
    on(
      [rows, isBusy],
      ([left, busy]) => {
        if (!place || busy) return
        const hasLost = isFocusLost()
        if (hasLost) focusNear(place)
        // Until the list has been read anew the row is still there; where it could not be dealt with, it stays.
        if (hasLost || !left.some(({ id }) => id === place?.id)) place = undefined
      },
      { defer: true },
    ),
  )
  return ({ id }) => {
    const items = [...(list()?.children ?? [])]
    const row = items.findIndex((item) => item.contains(document.activeElement))
    const button = buttonsOf(items[row]).findIndex((item) => item.matches(':focus'))
    place = button === -1 ? undefined : { id, row, button }
  }
}
