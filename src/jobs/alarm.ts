/** Rings once, at the earliest of the times that it was set to. */

interface Alarm {
  /** Milliseconds since the epoch. */
  setTo(time: number): void
  stop(): void
}

/** `setTimeout` takes no longer delays, and a clock that is put on meanwhile is seen after so long. */
const MAX_DELAY_MS = 3_600_000

export const createAlarm = (ring: () => void): Alarm => {
  let time = Number.POSITIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  const wind = (): void => {
    clearTimeout(timer)
    timer = setTimeout(look, Math.max(0, Math.min(MAX_DELAY_MS, time - Date.now())))
    timer.unref()
  }

  const look = (): void => {
    if (Date.now() < time) return wind()
    time = Number.POSITIVE_INFINITY
    ring()
  }

  return {
    setTo: (wanted) => {
      if (wanted >= time) return
      time = wanted
      wind()
    },
    stop: () => {
      clearTimeout(timer)
      time = Number.NEGATIVE_INFINITY
    },
  }
}
