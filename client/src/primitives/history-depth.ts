/** The router's own number of this place in the history; NaN before it has given one. */
export const historyDepth = (): number => Number(history.state?._depth)
