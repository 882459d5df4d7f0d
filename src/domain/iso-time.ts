/** Milliseconds since the epoch as answers tell them: RFC 3339, in UTC; null for what has not happened. */
export const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
