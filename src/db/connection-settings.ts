/** What every connection to a database file is told. */

import { KEPT_LOG_BYTES, UNATTENDED_LOG_PAGES } from './write-ahead-log.ts'

/** Waiting for a lock freezes whoever waits, which is nearly always the whole event loop: so it is short; the writer waits again without freezing it. */
export const BUSY_TIMEOUT_MS = 250

/** What every connection must say of itself. `synchronous` 2 is FULL: an answered write survives a power cut. */
export const REQUIRED_PRAGMAS = { foreign_keys: 1, synchronous: 2 } as const

/**
 * Of the pages that a connection remembers, in KiB, and twice SQLite's own: files of ours have pages of twice the size, and with half
 * as many of them to remember, what reads rows all over the index takes two and a half times as long.
 */
const CACHE_KIB = 4000
export const CONNECTION_SETTINGS = `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${UNATTENDED_LOG_PAGES}; PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`
