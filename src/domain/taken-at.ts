/** When a picture was taken, as cameras write it (Exif 2.32, section 4.6.5 D and F), and what is no such moment. */

const DAY_MS = 24 * 60 * 60 * 1000
/** The year of the oldest photograph that is known. */
const EARLIEST = Date.UTC(1826, 0)

const TIME = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/
const OFFSET = /^(?:Z|([+-])(0\d|1[0-4]):([0-5]\d))/

/**
 * Milliseconds since the epoch; null for a moment at which nobody can have taken a picture. A day ahead of `now` is allowed, for
 * clocks that are fast and time zones that are not known.
 */
export const plausibleTime = (ms: number, now: number): number | null => (ms >= EARLIEST && ms <= now + DAY_MS ? ms : null)

/** How far the clock was ahead of UTC; undefined where the file does not say. */
const offsetMs = (offset: string | undefined): number | undefined => {
  const [whole, sign, hours, minutes] = OFFSET.exec(offset ?? '') ?? []
  return whole === undefined ? undefined : (sign === '-' ? -60_000 : 60_000) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

export interface ExifTime {
  /** `2019:05:04 03:02:01` */
  time: string | undefined
  /** `+02:00`; without one the clock is read as one of the time zone that the server has (`TZ`), as its household's are. */
  offset: string | undefined
}

const msOf = ({ time, offset }: ExifTime): number => {
  const [, year, month, day, clock] = TIME.exec(time ?? '') ?? []
  const local = `${year}-${month}-${day}T${clock}`
  const ms = Date.parse(`${local}Z`)
  // The 31st of February is not the 3rd of March.
  if (!Number.isFinite(ms) || new Date(ms).toISOString() !== `${local}.000Z`) return Number.NaN
  const ahead = offsetMs(offset)
  return ahead === undefined ? Date.parse(local) : ms - ahead
}

/** The first of these that is a possible moment, in milliseconds since the epoch; null where there is none. */
export const takenAt = (times: readonly ExifTime[], now: number): number | null =>
  times.map((time) => plausibleTime(msOf(time), now)).find((ms) => ms !== null) ?? null
