/** Lets other requests have their turn, in work that takes longer than some milliseconds. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
