/** When the next episode is offered: the lead times of Jellyfin's client (UI.md 1.2). All in seconds. */

const MIN_DURATION = 600
const MIN_REMAINING = 20
const LEADS = [
  { duration: 3000, lead: 40 },
  { duration: 2400, lead: 35 },
]
const SHORT_LEAD = 30

/** Short episodes offer it at their end alone. Too late to begin with is not too late to go on: what is offered stays. */
export const isNextDue = (position: number, duration: number, isOffered: boolean): boolean => {
  if (!(duration >= MIN_DURATION)) return false
  const remaining = duration - position
  if (remaining < MIN_REMAINING && !isOffered) return false
  return remaining <= (LEADS.find((step) => duration >= step.duration)?.lead ?? SHORT_LEAD)
}
