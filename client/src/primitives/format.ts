/** Numbers, sizes and times as people read them. */

import { locale } from '../i18n/language.ts'

/** One for each locale: making them is slow, and a grid asks for thousands. */
const perLocale = <Format>(make: (tag: string) => Format): (() => Format) => {
  const made = new Map<string, Format>()
  return () => {
    const tag = locale()
    const format = made.get(tag) ?? make(tag)
    made.set(tag, format)
    return format
  }
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB']
const BYTES_PER_UNIT = 1000
/** What is rounded to a thousand is one of the next unit. */
const NEARLY_ONE = 0.9995

const counts = perLocale((tag) => new Intl.NumberFormat(tag))
/** The browser's formats take a first screen longer to load than its libraries. */
export const formatCount = (count: number): string => (Number.isInteger(count) && count < 1000 ? String(count) : counts().format(count))

/** Without groups of thousands: such numbers have a unit that keeps them small. */
const wholes = perLocale((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 0, useGrouping: false }))
const tenths = perLocale((tag) => new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false }))

export const formatBytes = (bytes: number): string => {
  const unit = bytes < BYTES_PER_UNIT ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes / NEARLY_ONE) / 3))
  const value = bytes / BYTES_PER_UNIT ** unit
  return `${(value >= 99.95 || unit === 0 ? wholes() : tenths()).format(value)} ${BYTE_UNITS[unit]}`
}

/** A position in a recording: "4:05", "1:04:05". */
export const formatClock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const pad = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3600)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** How long something runs: "2 h 5 min", "45 s". */
export const formatRuntime = (minutes: number): string => {
  const seconds = Math.max(1, Math.round(minutes * 60))
  if (seconds < 60) return `${seconds} s`
  const rounded = Math.round(minutes)
  const hours = Math.floor(rounded / 60)
  if (hours === 0) return `${rounded} min`
  return rounded % 60 === 0 ? `${hours} h` : `${hours} h ${rounded % 60} min`
}

const dates = perLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }))
const dateTimes = perLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }))
export const formatDate = (iso: string): string => dates().format(new Date(iso))
export const formatDateTime = (iso: string): string => dateTimes().format(new Date(iso))

const relative = perLocale((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
const RELATIVE_UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "3 hours ago"; within a minute "now", as where this clock is behind that of the server. */
export const formatAgo = (iso: string, now: number = Date.now()): string => {
  const seconds = (Date.parse(iso) - now) / 1000
  for (const [unit, length] of RELATIVE_UNITS) {
    if (-seconds >= length) return relative().format(Math.trunc(seconds / length), unit)
  }
  return relative().format(0, 'second')
}

export const formatRating = (rating: number): string => tenths().format(rating)
