/** What is drawn bit by bit: what is seen at once, and the rest when there is time. */

import { type Accessor, createEffect, createMemo, createSignal, onCleanup } from 'solid-js'
import { whenIdle } from './idle.ts'

/** A number that grows from `first` to `last` by `step`, each time the browser has nothing better to do; and what sets it back. */
export const createGrowth = (first: number, last: Accessor<number>, step: number): [grown: Accessor<number>, restart: () => void] => {
  const [grown, setGrown] = createSignal(first)
  createEffect(() => {
    if (grown() >= last()) return
    let isOver = false
    onCleanup(() => {
      isOver = true
    })
    void whenIdle().then(() => {
      if (!isOver) setGrown((before) => before + step)
    })
  })
  return [grown, () => setGrown(first)]
}

/** Items that come along at a time. */
const STEP = 4

/** A list that begins with its `first` items. */
export const createGradually = <Item>(list: Accessor<readonly Item[]>, first: number): Accessor<readonly Item[]> => {
  const [length] = createGrowth(first, () => list().length, STEP)
  return createMemo(() => list().slice(0, length()))
}
