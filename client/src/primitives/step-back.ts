import { useNavigate } from '@solidjs/router'
import { basePath } from './base-path.ts'
import { historyDepth, takeStep } from './history-depth.ts'

/** One step back in the history, for a screen that goes with it. It takes a moment: a second press meanwhile would be a step further. */
export const createStepBack = (): (() => void) => {
  const navigate = useNavigate()
  let isGoing = false
  return () => {
    if (isGoing) return
    isGoing = true
    takeStep(() => navigate(-1))
  }
}

/** Paths that were left in this visit, by their place in the history. */
const pathsLeft: string[] = []

export const keepPath = (path: string): void => {
  pathsLeft[historyDepth()] = path
}

/** Safari before 26.2 does not tell: then as far as it was kept. */
const pathBefore = (): string | undefined => {
  if (!('navigation' in window)) return pathsLeft[historyDepth() - 1]
  const { navigation } = window
  const before = navigation.entries()[(navigation.currentEntry?.index ?? 0) - 1]?.url
  return before ? new URL(before).pathname : undefined
}

/** Whether one came from the screen of this path, whatever its address says behind that. */
export const hasComeFrom = (path: string): boolean => pathBefore() === new URL(basePath + path, location.href).pathname

/**
 * To the screen above, by a key or by a link that leads there. Where one came from it that is a step back: put in the place of
 * this screen it would be in the history twice, and the next Back would lead from it to itself.
 */
export const createWayUp = (path: () => string): ((event?: MouseEvent) => void) => {
  const navigate = useNavigate()
  const stepBack = createStepBack()
  return (event) => {
    if (event?.ctrlKey || event?.metaKey || event?.shiftKey) return
    event?.preventDefault()
    if (hasComeFrom(path())) stepBack()
    else navigate(path(), { replace: true })
  }
}
