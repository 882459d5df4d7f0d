/** The schedules that a library's can be chosen from, as cron fields; any other is written out. */
export const SCHEDULES = { byHand: '', hourly: '0 * * * *', nightly: '0 3 * * *', weekly: '0 3 * * 0' } as const

export const SCHEDULE_NAMES = ['byHand', 'hourly', 'nightly', 'weekly'] as const

/** Undefined for one that is none of them. */
export const scheduleName = (cron: string | null | undefined) => SCHEDULE_NAMES.find((name) => SCHEDULES[name] === (cron ?? '').trim())
