/** The shapes of the HTTP contract's answers, as the server's routes say them. Fields that do not apply to an item's type are null. */

import type { InferResponseType } from 'hono/client'
import type { BrowseEntry } from '../../../src/domain/browse-entry.ts'
import type { UserSettings } from '../../../src/domain/user-settings.ts'
import type { api } from './client.ts'

export type { BrowseEntry, Progress } from '../../../src/domain/browse-entry.ts'

type Api = typeof api

export type User = InferResponseType<Api['users']['$get'], 200>['users'][number]

export type Scan = InferResponseType<Api['scans']['$get'], 200>['scans'][number]
export type ScanStatus = Scan['status']
export type Library = InferResponseType<Api['libraries']['$get'], 200>['libraries'][number]

export type TagUsage = InferResponseType<Api['tags']['items']['$get'], 200>['tags'][number]
export type Tag = Omit<TagUsage, 'usage'>
export type AssignedTag = InferResponseType<Api['tags']['assignments']['$get'], 200>['tags'][number]
/** Of one that was put on a moment ago the source is not known yet. */
export type ShownTag = Tag & Partial<AssignedTag>
export type TagCategory = InferResponseType<Api['tags']['categories']['$get'], 200>['categories'][number]
export type FacetCategory = InferResponseType<Api['facets']['$get'], 200>['categories'][number]
export type FacetTag = FacetCategory['tags'][number]

// An item is written down here: its route says it by type, and whoever shows one asks for any field that it may have.

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

interface Screenshot {
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
  takenAt?: string | null
  modifiedAt?: string
}

export type BrowseAnswer = InferResponseType<Api['browse']['$get'], 200>
/** An entry where a part of its title is said by what is around it. */
export interface CardEntry extends BrowseEntry {
  /** The beginning of `title` that is not shown. */
  seriesPart?: string
}

export type SearchAnswer = InferResponseType<Api['search']['$get'], 200>
export type SearchEntry = SearchAnswer['entries'][number]

export type SessionInfo = InferResponseType<Api['auth']['sessions']['$get'], 200>['sessions'][number]
export type TokenInfo = InferResponseType<Api['auth']['tokens']['$get'], 200>['tokens'][number]

export type Theme = UserSettings['theme']
export type GridSize = UserSettings['gridSize']
