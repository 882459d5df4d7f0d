/** The router's own number of this place in the history; NaN before it has given one. */
export const historyDepth = (): number => Number(history.state?._depth)

let isOwnStep = false

/** A step through the history that the client takes by itself closes nothing but what it is meant to. */
export const takeStep = (go: () => void): void => {
  isOwnStep = true
  go()
  addEventListener('popstate', () => (isOwnStep = false), { once: true })
}

export const isTakingStep = (): boolean => isOwnStep
