import { type Accessor, createEffect, createMemo, on } from 'solid-js'

/** On phones a row of tabs is wider than the window: the chosen one comes into it, at first and whenever `choice` changes. */
export const createShownInRow = (row: () => HTMLElement, selector: string, choice: Accessor<unknown>): void =>
  createEffect(
    on(createMemo(choice), () => {
      const chosen = row().querySelector<HTMLElement>(selector)
      if (chosen) row().scrollLeft = chosen.offsetLeft - (row().clientWidth - chosen.offsetWidth) / 2
    }),
  )
