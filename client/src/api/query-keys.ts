/** Names of cached answers. A key that begins with another one is invalidated along with it. */

import type { BrowseQuery, LevelQuery } from './browse.ts'
import type { PlaybackQuery } from './playback.ts'
import type { SearchQuery } from './search.ts'
import type { TagPageQuery, TagQuery } from './tags.ts'

export const queryKeys = {
  authStatus: ['auth', 'status'] as const,
  sessions: ['auth', 'sessions'] as const,
  tokens: ['auth', 'tokens'] as const,
  userSettings: ['user-settings'] as const,
  users: ['users'] as const,
  libraries: ['libraries'] as const,
  /** Everything that is said of items, in any library. */
  content: ['content'] as const,
  /** Everything that a scan of this library can change. */
  libraryContent: (libraryId: number) => ['content', libraryId] as const,
  browse: (query: BrowseQuery) => ['content', query.libraryId, 'browse', query] as const,
  shelf: (query: BrowseQuery) => ['content', query.libraryId, 'shelf', query] as const,
  browseAll: (query: BrowseQuery) => ['content', query.libraryId, 'browse-all', query] as const,
  facets: (query: LevelQuery) => ['content', query.libraryId, 'facets', query] as const,
  mixedFolders: (libraryId: number, path: string) => ['content', libraryId, 'mixed-folders', path] as const,
  item: (libraryId: number, itemKey: string) => ['content', libraryId, 'item', itemKey] as const,
  readerSettings: (itemKey: string) => ['reader-settings', itemKey] as const,
  mangaPages: (libraryId: number, itemKey: string) => ['content', libraryId, 'manga-pages', itemKey] as const,
  /** Everything that is said of tags apart from items. */
  tags: ['tags'] as const,
  tagCategories: ['tags', 'categories'] as const,
  tagPages: (query: TagPageQuery) => ['tags', 'pages', query] as const,
  tagMappings: ['tags', 'mappings'] as const,
  /** Not among the tags: after the change that it is about there is nothing left to ask. */
  tagPlan: (what: 'tag' | 'category', id: number, into?: number) => ['tag-plan', what, id, into] as const,
  tagLists: ['tags', 'items'] as const,
  tagList: (query: TagQuery) => ['tags', 'items', query] as const,
  assignments: (itemKey: string) => ['tags', 'assignments', itemKey] as const,
  search: (query: SearchQuery) => ['content', query.libraryId, 'search', query] as const,
  playback: (query: PlaybackQuery) => ['playback', query] as const,
  progress: (itemKey: string) => ['progress', 'of', itemKey] as const,
  continue: ['progress', 'continue'] as const,
  scans: (libraryId: number) => ['scans', libraryId] as const,
  nfoRefresh: (libraryId: number) => ['nfo-refresh', libraryId] as const,
  trash: ['trash'] as const,
  /** Of every library where it is left out. */
  trashOf: (libraryId: number | undefined) => ['trash', libraryId] as const,
  scanLosses: (scanId: number) => ['scan-losses', scanId] as const,
  folders: (path: string) => ['folders', path] as const,
  system: ['system'] as const,
}
