/** When the time of something in the trash is over. */

interface Trashed {
  /** Milliseconds since the epoch, as all of these: when it was deleted, by the clock of then. */
  at: number
  /** Counted from the last of `laterTimes`. */
  trashUntil: number | null
  laterTimes: readonly number[] | null
}

/**
 * A time that was later than the clock when it was deleted and is over by now was true, and the clock behind; one that has not come
 * yet is of a clock that was ahead once. `now` is null while nobody knows what time it is: then all of them count.
 */
export const trashEnd = ({ at, trashUntil, laterTimes }: Trashed, now: number | null): number | null => {
  const last = laterTimes?.at(-1)
  if (trashUntil === null || last === undefined || now === null) return trashUntil
  return trashUntil - last + (laterTimes?.findLast((time) => time <= now) ?? at)
}
