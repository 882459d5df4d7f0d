const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))

/** A dialog has keys of its own, and so have the player and the reader, which fill the screen. */
const isElsewhere = () => document.querySelector('[role=dialog], [role=alertdialog], [data-own-keys]') !== null

/** A key that somebody types with, or that means something to what lies on top of the screen. */
export const isForOthers = (event: KeyboardEvent) => event.defaultPrevented || isTyping(event.target) || isElsewhere()
