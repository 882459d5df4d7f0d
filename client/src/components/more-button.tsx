import { onCleanup, splitProps } from 'solid-js'
import { takeLostFocus } from '../primitives/create-row-focus.ts'
import { Button, type ButtonProps } from './button.tsx'

type MoreButtonProps = Omit<ButtonProps, 'onClick'> & {
  /** What becomes longer; the button may be its last row. */
  list: () => Element | null | undefined
  onMore: () => void
}

/** Shows more of a list. It goes when there is no more, and whoever has pressed it goes on from the first row that is new, or the last one where that is still to come. */
export const MoreButton = (props: MoreButtonProps) => {
  const [own, rest] = splitProps(props, ['list', 'onMore'])
  let button!: HTMLButtonElement
  let firstNew: number | undefined
  const more = () => {
    const rows = [...(own.list()?.children ?? [])]
    const ownRow = rows.findIndex((row) => row.contains(button))
    firstNew = ownRow === -1 ? rows.length : ownRow
    own.onMore()
  }
  onCleanup(() => {
    const from = firstNew
    // Whoever has left it meanwhile is not called back.
    if (from === undefined || document.activeElement !== button) return
    queueMicrotask(() => {
      const list = own.list()
      const row = list?.children[from] ?? list?.lastElementChild
      const target = row?.querySelector('a, button') ?? row
      if (target instanceof HTMLElement) takeLostFocus(target, { preventScroll: true })
    })
  })
  return <Button {...rest} ref={button} onClick={more} />
}
