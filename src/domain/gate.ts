/** Lets a few tasks run at once; the others wait, first come first served. */

/** Once `signal` is aborted a task that still waits no longer does, and the signal's reason is thrown. */
export type Gate = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

interface Queue {
  maxWaiting: number
  /** What the next one is told. */
  refusal: () => Error
}

export const createGate = (atOnce: number, queue?: Queue): Gate => {
  let running = 0
  const waiting = new Set<() => void>()

  const turn = (signal?: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      waiting.delete(resolve)
      reject(signal?.reason)
    }
    waiting.add(resolve)
    signal?.addEventListener('abort', giveUp)
    return promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  const leave = (): void => {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    // It takes over the place, so that nobody can slip in between.
    waiting.delete(next)
    next()
  }

  return async (task, signal) => {
    signal?.throwIfAborted()
    if (running < atOnce) running += 1
    else if (queue && waiting.size >= queue.maxWaiting) throw queue.refusal()
    else await turn(signal)
    try {
      return await task()
    } finally {
      leave()
    }
  }
}

/** A gate for each of them, such as people, disks or folders, so that none holds up another. It is kept for as long as somebody is at it. */
export const createGateOfEach = <Key>(atOnce: number, queue?: Queue): ((key: Key) => Gate) => {
  const gates = new Map<Key, { gate: Gate; tasks: number }>()
  return (key) => async (task, signal) => {
    const own = gates.getOrInsertComputed(key, () => ({ gate: createGate(atOnce, queue), tasks: 0 }))
    own.tasks += 1
    try {
      return await own.gate(task, signal)
    } finally {
      own.tasks -= 1
      if (own.tasks === 0) gates.delete(key)
    }
  }
}

/** So many at once, and of each person one; `queue` is of each person, too. */
export const createGateOfPeople = (atOnce: number, queue?: Queue): ((userId: number) => Gate) => {
  const running = createGate(atOnce)
  const inTurnOf = createGateOfEach<number>(1, queue)
  return (userId) => (task, signal) => inTurnOf(userId)(() => running(task, signal), signal)
}
