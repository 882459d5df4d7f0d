/** Milliseconds since the epoch as answers tell them: RFC 3339, in UTC; null for what has not happened. */
export const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const LAST_DATE_MS = 8.64e15

/** A file's time as one that a `Date` can be: tmpfs, btrfs and ZFS keep years that neither it nor a whole number can hold. */
export const datableMs = (ms: number): number => Math.min(Math.max(ms, -LAST_DATE_MS), LAST_DATE_MS)
