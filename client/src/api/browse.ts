import { parseResponse } from 'hono/client'
import type { MediaKind } from '../../../src/domain/item-type.ts'
import type { UserSettings } from '../../../src/domain/user-settings.ts'
import { api } from './client.ts'
import type { BrowseAnswer, BrowseEntry } from './types.ts'

export type SortField = UserSettings['defaultSort']
export type SortOrder = 'asc' | 'desc'

/** A level of a library, and what it is narrowed down by. */
export interface LevelQuery {
  libraryId: number
  parentKey?: string
  /** Mixed libraries: the files of one folder; with `below` those of all folders in it as well. */
  path?: string
  below?: boolean
  q?: string
  /** Ids of tags: an entry carries all of `tags`, and none of `excludeTags`. */
  tags?: readonly number[]
  excludeTags?: readonly number[]
  /** Only what the person has not completed. */
  unfinished?: boolean
  /** Only what carries no tag. */
  untagged?: boolean
  /** Files of these kinds alone. */
  kinds?: readonly MediaKind[]
}

export interface BrowseQuery extends LevelQuery {
  sort?: SortField
  /** For `random`: the same number is the same order. */
  seed?: number
  order?: SortOrder
  limit?: number
  /** Begins with the page that holds this item. */
  around?: string
}

/** Only what is set: an empty parameter is not an absent one. */
export const levelParameters = ({
  libraryId,
  parentKey,
  path,
  below,
  q,
  tags = [],
  excludeTags = [],
  unfinished,
  untagged,
  kinds = [],
}: LevelQuery) => ({
  libraryId: String(libraryId),
  ...(parentKey && { parentKey }),
  ...(path !== undefined && { path, ...(below && { below: '1' as const }) }),
  ...(q && { q }),
  ...(tags.length > 0 && { tags: tags.join(',') }),
  ...(excludeTags.length > 0 && { excludeTags: excludeTags.join(',') }),
  ...(unfinished && { unfinished: '1' as const }),
  ...(untagged && { untagged: '1' as const }),
  ...(kinds.length > 0 && { kinds: kinds.join(',') }),
})

const parametersOf = ({ sort, seed, order, limit, around, ...level }: BrowseQuery, cursor: string | undefined) => ({
  ...levelParameters(level),
  ...(sort && { sort }),
  ...(seed !== undefined && { seed: String(seed) }),
  ...(order && { order }),
  ...(limit && { limit: String(limit) }),
  ...(cursor ? { cursor } : around && { around }),
})

export const browse = (query: BrowseQuery, cursor?: string, signal?: AbortSignal): Promise<BrowseAnswer> =>
  parseResponse(api.browse.$get({ query: parametersOf(query, cursor) }, { init: { signal } }))

/** Every entry of a level that is small by nature (seasons, episodes, volumes). */
export const browseAll = async (query: BrowseQuery, signal?: AbortSignal): Promise<BrowseEntry[]> => {
  const entries: BrowseEntry[] = []
  let cursor: string | undefined
  do {
    const page = await browse({ limit: 500, ...query }, cursor, signal)
    entries.push(...page.entries)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return entries
}
