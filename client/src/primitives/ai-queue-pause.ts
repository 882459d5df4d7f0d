/** Milliseconds from one look at the AI queue to the next. */

export const AI_QUEUE_POLL_MS = 2000
const IDLE_POLL_MS = 15_000

export const aiQueuePause = (isWorking: boolean): number => (isWorking ? AI_QUEUE_POLL_MS : IDLE_POLL_MS)
