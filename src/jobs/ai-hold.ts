/** Keeps the AI queue from claiming jobs while somebody changes what waits in it. */

interface AiHold {
  isHeld(): boolean
  /** See `AiQueue`. */
  withNoneAhead<T>(work: () => Promise<T>): Promise<T>
}

interface AiHoldParts {
  /** Resolves once the turn that goes on, if one does, is over. */
  turned: () => Promise<unknown>
  /** Has what has not begun given back. */
  recall: () => Promise<void>
  /** Writes what has ended; answers whether there was anything. */
  write: () => Promise<boolean>
  released: () => void
}

export const createAiHold = ({ turned, recall, write, released }: AiHoldParts): AiHold => {
  let holds = 0

  const putBack = async (): Promise<void> => {
    // What is being claimed now is handed to its thread first: before, it could not be given back.
    await turned()
    await Bun.sleep(0)
    await recall()
    await Bun.sleep(0)
    while (await write());
  }

  return {
    isHeld: () => holds > 0,
    withNoneAhead: async (work) => {
      holds += 1
      try {
        await putBack()
        return await work()
      } finally {
        holds -= 1
        released()
      }
    },
  }
}
