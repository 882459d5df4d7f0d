/** Lets a few tasks run at once; the others wait, first come first served. */

export type Gate = <T>(task: () => Promise<T>) => Promise<T>

interface Queue {
  maxWaiting: number
  /** What the next one is told. */
  refusal: () => Error
}

export const createGate = (atOnce: number, queue?: Queue): Gate => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running < atOnce) running += 1
    else if (queue && waiting.length >= queue.maxWaiting) throw queue.refusal()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      // A waiting task takes over the place, so that nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

/** A gate for each of them, such as people, disks or folders, so that none holds up another. It is kept for as long as somebody is at it. */
export const createGateOfEach = <Key>(atOnce: number, queue?: Queue): ((key: Key) => Gate) => {
  const gates = new Map<Key, { gate: Gate; tasks: number }>()
  return (key) => async (task) => {
    const own = gates.getOrInsertComputed(key, () => ({ gate: createGate(atOnce, queue), tasks: 0 }))
    own.tasks += 1
    try {
      return await own.gate(task)
    } finally {
      own.tasks -= 1
      if (own.tasks === 0) gates.delete(key)
    }
  }
}
