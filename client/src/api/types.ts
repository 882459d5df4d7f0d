/** The shapes of the HTTP contract's answers. Fields that do not apply to an item's type are null. */

import type { AiActivity } from '../../../src/domain/ai-activity.ts'
import type { BrowseEntry } from '../../../src/domain/browse-entry.ts'
import type { LibraryType } from '../../../src/domain/item-type.ts'
import type { Permissions, Role } from '../../../src/domain/permissions.ts'
import type { UserSettings } from '../../../src/domain/user-settings.ts'

export type { BrowseEntry, Progress } from '../../../src/domain/browse-entry.ts'

export interface User {
  id: number
  username: string
  role: Role
  permissions: Permissions
  /** Null means all libraries, also later ones. */
  libraryIds: number[] | null
  disabled: boolean
  createdAt: string
}

export type ScanStatus = 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted' | 'held'

export interface Scan {
  id: number
  libraryId: number
  trigger: 'manual' | 'scheduled' | 'startup'
  status: ScanStatus
  phase: string | null
  /** The folders that are looked through; null is the whole library. */
  paths: string[] | null
  found: number
  added: number
  updated: number
  moved: number
  missing: number
  restored: number
  warningCount: number
  warnings: { path: string; code: string; message: string }[]
  error: string | null
  startedAt: string | null
  /** When all folders had been read. */
  walkedAt: string | null
  finishedAt: string | null
}

export interface Library {
  id: number
  name: string
  type: LibraryType
  itemCount: number
  available: boolean
  lastScan: Scan | null
  /** For administrators only. */
  scanSchedule?: string | null
  path?: string
  trashDays?: number
  aiOnScan?: AiActivity[]
}

export interface Tag {
  id: number
  name: string
  categoryId: number
  categoryName: string
  /** `#rrggbb`, of the category. */
  color: string | null
}

export interface AssignedTag extends Tag {
  source: 'user' | 'ai' | 'import'
}

/** Of one that was put on a moment ago the source is not known yet. */
export type ShownTag = Tag & Partial<AssignedTag>

export interface TagUsage extends Tag {
  /** How many items carry it. */
  usage: number
}

export interface TagCategory {
  id: number
  name: string
  /** `#rrggbb`. */
  color: string | null
  tagCount: number
}

export interface FacetTag {
  id: number
  name: string
  /** How many entries of the level would remain with it. */
  count: number
}

export interface FacetCategory {
  id: number
  name: string
  color: string | null
  tags: FacetTag[]
}

export interface GameFile {
  name: string
  platform: 'windows' | 'linux' | 'macos'
  size: number | null
  kind: 'file' | 'app_bundle'
  label?: undefined
}

export type GameExtra = Omit<GameFile, 'platform'>

export interface VideoFile {
  name: string
  size: number | null
  role: 'main' | 'part' | 'version' | 'extra'
  label: string | null
  /** Null until the server has looked into it. */
  media: {
    videoCodec: string | null
    audioCodec: string | null
    width: number | null
    height: number | null
    videoRange: 'SDR' | 'HDR' | null
  } | null
}

export interface Screenshot {
  name: string
  url: string
  takenAt: string | null
}

export interface Item extends Omit<BrowseEntry, 'plot'> {
  /** The items above this one, nearest last. */
  parents: { itemKey: string; title: string }[]
  description: string | null
  extractedText: string | null
  translation: string | null
  tags: ShownTag[]
  missingSince: string | null
  files?: (GameFile | VideoFile)[]
  extras?: GameExtra[]
  wideCoverUrl?: string | null
  screenshots?: Screenshot[]
  posterUrl?: string | null
  backdropUrl?: string | null
  plot?: string | null
  genres?: string[] | null
  runtimeMinutes?: number | null
  airedAt?: string | null
  nfoRefreshedAt?: string | null
  nfoAvailable?: boolean
  /** The NFO file has changed since it was last applied. */
  nfoNewer?: boolean
  seasonCount?: number | null
  episodeCount?: number | null
  volumeCount?: number | null
  pageCount?: number | null
  filePath?: string | null
}

export interface BrowseAnswer {
  parent: BrowseEntry | null
  entries: BrowseEntry[]
  nextCursor: string | null
  prevCursor: string | null
  /** The place of the first entry in the whole list, from 0; null beyond 100,000. */
  position: number | null
  /** Null above 1,000 when a filter is active. */
  total: number | null
}

/** An entry where a part of its title is said by what is around it. */
export interface CardEntry extends BrowseEntry {
  /** The beginning of `title` that is not shown. */
  seriesPart?: string
}

export interface SearchEntry extends BrowseEntry {
  matchedIn: 'title' | 'description' | 'extractedText' | 'translation' | 'tags'
  /** `ranges` are the places in `text` that matched: start and end, in UTF-16 units. */
  snippet: { text: string; ranges: [number, number][] } | null
}

export interface SearchAnswer {
  entries: SearchEntry[]
  nextCursor: string | null
}

export interface SessionInfo {
  id: string
  current: boolean
  userAgent: string | null
  lastSeenAt: string
  createdAt: string
}

export interface TokenInfo {
  id: string
  name: string
  createdAt: string
  expiresAt: string | null
  lastUsedAt?: string | null
}

export type Theme = UserSettings['theme']
export type GridSize = UserSettings['gridSize']
