/**
 * Places for questions to models: as many as the settings allow at a time. A thread that does one job (`alone`) takes a place
 * for it. The thread that has many jobs under way (`together`) keeps to the limit by itself, so it is given more places than
 * there are, for jobs to begin with next, but only while no other thread has a place or waits for one.
 */

type Asker = 'alone' | 'together'

export interface AiPlaces {
  /** Answers true when it may be asked, at once where a place is free, or false where it was turned away. Urgent ones go first. */
  take(asker: Asker, isUrgent: boolean, answer: (isTaken: boolean) => void): void
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
  let isServing = false

  const isFree = (asker: Asker): boolean => taken.alone + taken.together < places || (asker === 'together' && taken.alone === 0)

  /** In their order: the many jobs of the one thread would otherwise keep every place from the others. Whoever gives a place back at once is followed by the next. */
  const next = (): void => {
    if (isServing) return
    isServing = true
    try {
      for (let first = waiting[0]; first && isFree(first.asker); first = waiting[0]) {
        waiting.shift()
        taken[first.asker] += 1
        first.answer(true)
      }
    } finally {
      isServing = false
    }
  }

  return {
    take: (asker, isUrgent, answer) => {
      if (isUrgent) waiting.unshift({ asker, answer })
      else waiting.push({ asker, answer })
      next()
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
