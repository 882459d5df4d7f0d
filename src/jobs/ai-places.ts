/**
 * Places for questions to models, of which there are as many as the settings allow. What is asked in a thread of its own
 * takes one. The thread that asks many keeps the number itself, and is given more than that ahead, but only while no other
 * thread asks or waits to.
 */

type Asker = 'alone' | 'together'

export interface AiPlaces {
  /** Resolves when it may be asked, or with false where it was turned away. Urgent ones go first. */
  take(asker: Asker, isUrgent: boolean): Promise<boolean>
  /** Each place that was taken, once. */
  free(asker: Asker): void
  resize(places: number): void
  /** Whoever waits now is turned away. */
  turnAway(): void
}

export const createAiPlaces = (): AiPlaces => {
  const taken: Record<Asker, number> = { alone: 0, together: 0 }
  let waiting: { asker: Asker; answer: (isTaken: boolean) => void }[] = []
  let places = 1

  const isFree = (asker: Asker): boolean => taken.alone + taken.together < places || (asker === 'together' && taken.alone === 0)

  /** In order: a question of its own thread would never find a place if others overtook it. */
  const next = (): void => {
    for (let first = waiting[0]; first && isFree(first.asker); first = waiting[0]) {
      waiting.shift()
      taken[first.asker] += 1
      first.answer(true)
    }
  }

  return {
    take: (asker, isUrgent) => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const entry = { asker, answer: resolve }
      if (isUrgent) waiting.unshift(entry)
      else waiting.push(entry)
      next()
      return promise
    },
    free: (asker) => {
      taken[asker] -= 1
      next()
    },
    resize: (wanted) => {
      places = wanted
      next()
    },
    turnAway: () => {
      const turned = waiting
      waiting = []
      for (const { answer } of turned) answer(false)
    },
  }
}
