import type { LibraryType } from './domain/item-type.ts'
import type { LogLevel } from './log.ts'

/** Everything that flags and environment decide (API.md, 12). Paths are absolute. */
export interface Config {
  port: number
  host: string
  dataDir: string
  /** `file:…`, `http(s)://…` or `libsql://…`. */
  databaseUrl: string
  databaseAuthToken: string | null
  admin: { username: string; password: string } | null
  libraries: { name: string; type: LibraryType; path: string }[]
  mediaRoots: string[]
  /** Empty, or `/x` without a trailing slash. */
  basePath: string
  /** CIDR ranges whose forwarding headers are believed. */
  trustProxy: string[]
  logLevel: LogLevel
  sessionDays: number
  scanOnStart: boolean
  ffmpegPath: string | null
  ffprobePath: string | null
  ocrDataDir: string | null
  version: string
}
