/** Requests at a fixed rate, whether or not the earlier ones were answered: a slow answer delays no other. */

interface OpenLoop {
  /** Milliseconds from the moment when each request was due until its answer was read. */
  latenciesMs: number[]
  errors: number
}

interface OpenLoopPlan {
  requestsPerSecond: number
  /** Sends the n-th request; throws, or answers false, where it failed. */
  send: (count: number) => Promise<boolean>
  /** Asked before every request. */
  isOver: () => boolean
}

export const runOpenLoop = async ({ requestsPerSecond, send, isOver }: OpenLoopPlan): Promise<OpenLoop> => {
  const latenciesMs: number[] = []
  const open = new Set<Promise<void>>()
  let errors = 0
  const start = performance.now()
  for (let count = 0; !isOver(); count += 1) {
    const due = start + (count * 1000) / requestsPerSecond
    const wait = due - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    const sent = send(count)
      .catch(() => false)
      .then((isGood) => {
        if (!isGood) errors += 1
        latenciesMs.push(performance.now() - due)
      })
      .finally(() => open.delete(sent))
    open.add(sent)
  }
  await Promise.all(open)
  return { latenciesMs, errors }
}
