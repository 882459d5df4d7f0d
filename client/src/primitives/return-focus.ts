/** What opens over the page takes the focus, and gives it back to what opened it. */

/** What has the focus now. An entry of a menu goes with the menu: for it stands the button that had opened that. */
const opener = (): Element | null => {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
}

export const createReturnFocus = () => {
  let before: Element | null = null
  let beside: Element | null | undefined
  return {
    remember: () => {
      before = opener()
      const row = before?.closest('li')
      beside = row?.nextElementSibling ?? row?.previousElementSibling
    },
    /** For the event of the closing: it is prevented where the focus has already found another place. */
    giveBack: (event: Event) => {
      if (event.defaultPrevented) return
      // What was deleted meanwhile cannot have it: in a list, the row that took its place has.
      const target = [before, beside?.querySelector('button')].find((element) => element?.isConnected) ?? document.querySelector('h1')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    },
  }
}
