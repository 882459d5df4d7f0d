import type { Guard } from '../src/http/guards.ts'

/**
 * Who may call what: the one list in which a new route has to be entered. `route-table.test.ts` compares it with the
 * routes of the app, `api/authorization.test.ts` tries every row as every kind of person.
 */
export interface RouteRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  guard: Guard
  /** Requests that name a library or something in it: for whom may not see it, there is no such thing. */
  naming?: ((place: Place) => Naming)[]
  /** A personal token is refused (403), whoever's it is. */
  isCookieOnly?: true
}

/** Things of one library of games, and a mixed library: what a naming request is made from. */
export interface Place {
  libraryId: number
  /** A series, and the game in it, which has a cover. */
  seriesKey: string
  itemKey: string
  mixedLibraryId: number
  fileKey: string
}

export interface Naming {
  /** In place of the route's own path, where that has a parameter. */
  path?: string
  query?: Record<string, string | number>
  body?: unknown
  /** In place of `body`. */
  form?: FormData
}

const ofItem = ({ itemKey }: Place): Naming => ({ query: { itemKey } })
const ofFile = ({ fileKey }: Place): Naming => ({ query: { itemKey: fileKey } })

const neverOpened = (itemKey: string) => ({
  itemKey,
  positionSeconds: null,
  durationSeconds: null,
  page: null,
  completed: null,
  updatedAt: null,
  leftOut: false,
})

const withFile =
  (fields: Record<string, string>, name: string) =>
  ({ itemKey }: Place): Naming => {
    const form = new FormData()
    for (const [field, value] of Object.entries({ itemKey, ...fields })) form.set(field, value)
    form.set(name, new File(['no picture'], 'a.jpg'))
    return { form }
  }

export const ROUTE_TABLE: readonly RouteRow[] = [
  { method: 'GET', path: '/api/ai-settings', guard: 'admin' },
  { method: 'PUT', path: '/api/ai-settings', guard: 'admin' },
  { method: 'GET', path: '/api/ai-settings/library/:libraryId', guard: 'admin' },
  { method: 'PUT', path: '/api/ai-settings/library/:libraryId', guard: 'admin' },
  { method: 'GET', path: '/api/ai-settings/ocr', guard: 'user', naming: [({ libraryId }) => ({ query: { libraryId } })] },
  { method: 'POST', path: '/api/ai-settings/preview', guard: 'admin' },
  { method: 'POST', path: '/api/ai-settings/test', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/batch', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/describe', guard: 'useAi', naming: [({ itemKey }) => ({ body: { itemKey } })] },
  { method: 'POST', path: '/api/ai-tagging/extract', guard: 'useAi', naming: [({ itemKey }) => ({ body: { itemKey } })] },
  { method: 'GET', path: '/api/ai-tagging/fields', guard: 'user', naming: [ofItem, ofFile] },
  {
    method: 'PATCH',
    path: '/api/ai-tagging/fields',
    guard: 'editMetadata',
    naming: [({ itemKey }) => ({ body: { itemKey, extractedText: 'text' } })],
  },
  { method: 'GET', path: '/api/ai-tagging/jobs', guard: 'admin' },
  { method: 'DELETE', path: '/api/ai-tagging/jobs/:id', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/jobs/:id/retry', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/jobs/clear', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/jobs/retry', guard: 'admin' },
  { method: 'GET', path: '/api/ai-tagging/pages', guard: 'user', naming: [ofItem] },
  { method: 'GET', path: '/api/ai-tagging/queue', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/queue', guard: 'admin' },
  { method: 'GET', path: '/api/ai-tagging/runs', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/runs/:id/undo', guard: 'admin' },
  { method: 'DELETE', path: '/api/ai-tagging/suggestions', guard: 'admin' },
  { method: 'GET', path: '/api/ai-tagging/suggestions', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/suggestions', guard: 'admin' },
  { method: 'POST', path: '/api/ai-tagging/tag', guard: 'useAi', naming: [({ itemKey }) => ({ body: { itemKey } })] },
  { method: 'POST', path: '/api/ai-tagging/translate', guard: 'useAi', naming: [({ itemKey }) => ({ body: { itemKey } })] },
  { method: 'GET', path: '/api/artwork', guard: 'user', naming: [({ itemKey }) => ({ query: { itemKey, kind: 'cover' } })] },
  { method: 'POST', path: '/api/auth/login', guard: 'anyone' },
  { method: 'POST', path: '/api/auth/logout', guard: 'user' },
  { method: 'GET', path: '/api/auth/me', guard: 'user' },
  { method: 'PUT', path: '/api/auth/password', guard: 'user' },
  { method: 'DELETE', path: '/api/auth/sessions', guard: 'user' },
  { method: 'GET', path: '/api/auth/sessions', guard: 'user' },
  { method: 'DELETE', path: '/api/auth/sessions/:id', guard: 'user' },
  { method: 'POST', path: '/api/auth/setup', guard: 'anyone' },
  { method: 'GET', path: '/api/auth/status', guard: 'anyone' },
  { method: 'GET', path: '/api/auth/tokens', guard: 'user' },
  { method: 'POST', path: '/api/auth/tokens', guard: 'user', isCookieOnly: true },
  { method: 'DELETE', path: '/api/auth/tokens/:id', guard: 'user' },
  {
    method: 'GET',
    path: '/api/browse',
    guard: 'user',
    naming: [
      ({ libraryId }) => ({ query: { libraryId } }),
      ({ libraryId, seriesKey }) => ({ query: { libraryId, parentKey: seriesKey } }),
      ({ libraryId, seriesKey }) => ({ query: { libraryId, around: seriesKey } }),
      ({ mixedLibraryId }) => ({ query: { libraryId: mixedLibraryId, path: '' } }),
    ],
  },
  { method: 'GET', path: '/api/docs', guard: 'user' },
  { method: 'GET', path: '/api/docs/start.js', guard: 'user' },
  { method: 'GET', path: '/api/docs/swagger-ui-bundle.js', guard: 'user' },
  { method: 'GET', path: '/api/docs/swagger-ui.css', guard: 'user' },
  { method: 'GET', path: '/api/events', guard: 'user' },
  {
    method: 'GET',
    path: '/api/facets',
    guard: 'user',
    naming: [({ libraryId }) => ({ query: { libraryId } }), ({ libraryId, seriesKey }) => ({ query: { libraryId, parentKey: seriesKey } })],
  },
  { method: 'GET', path: '/api/files', guard: 'user', naming: [ofItem, ofFile] },
  { method: 'GET', path: '/api/filesystem', guard: 'admin' },
  { method: 'GET', path: '/api/game-archive', guard: 'download', naming: [ofItem] },
  { method: 'POST', path: '/api/game-cover', guard: 'upload', naming: [withFile({ kind: 'cover' }, 'file')] },
  {
    method: 'DELETE',
    path: '/api/game-screenshots',
    guard: 'upload',
    naming: [({ itemKey }) => ({ query: { itemKey, name: 'shot-1.jpg' } })],
  },
  { method: 'GET', path: '/api/game-screenshots', guard: 'user', naming: [ofItem] },
  { method: 'POST', path: '/api/game-screenshots', guard: 'upload', naming: [withFile({}, 'files')] },
  { method: 'GET', path: '/api/health', guard: 'anyone' },
  { method: 'DELETE', path: '/api/hls/:id', guard: 'user' },
  { method: 'GET', path: '/api/hls/:id/:piece', guard: 'user' },
  { method: 'GET', path: '/api/hls/:id/index.m3u8', guard: 'user' },
  { method: 'GET', path: '/api/hls/:id/init.mp4', guard: 'user' },
  { method: 'DELETE', path: '/api/items', guard: 'delete', naming: [ofItem] },
  { method: 'GET', path: '/api/items', guard: 'user', naming: [ofItem, ofFile, ({ seriesKey }) => ({ query: { itemKey: seriesKey } })] },
  { method: 'GET', path: '/api/items/delete-plan', guard: 'delete', naming: [ofItem] },
  { method: 'GET', path: '/api/libraries', guard: 'user' },
  { method: 'POST', path: '/api/libraries', guard: 'admin' },
  { method: 'DELETE', path: '/api/libraries/:id', guard: 'admin' },
  { method: 'GET', path: '/api/libraries/:id', guard: 'user', naming: [({ libraryId }) => ({ path: `/api/libraries/${libraryId}` })] },
  { method: 'PATCH', path: '/api/libraries/:id', guard: 'admin' },
  { method: 'GET', path: '/api/libraries/:id/contents', guard: 'admin' },
  { method: 'POST', path: '/api/libraries/:id/purge-missing', guard: 'admin' },
  { method: 'GET', path: '/api/manga/page', guard: 'user', naming: [({ itemKey }) => ({ query: { itemKey, index: 0 } })] },
  { method: 'GET', path: '/api/manga/pages', guard: 'user', naming: [ofItem] },
  { method: 'GET', path: '/api/manga/reader-settings', guard: 'user', naming: [ofItem] },
  {
    method: 'PUT',
    path: '/api/manga/reader-settings',
    guard: 'user',
    naming: [({ itemKey }) => ({ body: { itemKey, settings: {} } })],
  },
  { method: 'POST', path: '/api/manga/refresh', guard: 'editMetadata', naming: [({ itemKey }) => ({ body: { itemKey } })] },
  {
    method: 'GET',
    path: '/api/mixed/folders',
    guard: 'user',
    naming: [({ mixedLibraryId }) => ({ query: { libraryId: mixedLibraryId } })],
  },
  { method: 'POST', path: '/api/nfo-refresh', guard: 'editMetadata', naming: [({ itemKey }) => ({ body: { itemKey } })] },
  {
    method: 'GET',
    path: '/api/nfo-refresh/library',
    guard: 'user',
    naming: [({ libraryId }) => ({ query: { libraryId } })],
  },
  { method: 'POST', path: '/api/nfo-refresh/library', guard: 'editMetadata', naming: [({ libraryId }) => ({ body: { libraryId } })] },
  { method: 'GET', path: '/api/openapi.json', guard: 'user' },
  { method: 'GET', path: '/api/playback', guard: 'user', naming: [ofFile] },
  {
    method: 'GET',
    path: '/api/playback/preview',
    guard: 'user',
    naming: [({ fileKey }) => ({ query: { itemKey: fileKey, at: 0 } })],
  },
  { method: 'GET', path: '/api/playback/previews', guard: 'user', naming: [ofFile] },
  { method: 'GET', path: '/api/progress', guard: 'user', naming: [ofItem, ofFile] },
  { method: 'PUT', path: '/api/progress', guard: 'user', naming: [({ itemKey }) => ({ body: { itemKey, completed: true } })] },
  {
    method: 'POST',
    path: '/api/progress/bulk',
    guard: 'user',
    naming: [({ itemKey }) => ({ body: { itemKeys: [itemKey], completed: true } })],
  },
  { method: 'DELETE', path: '/api/progress/continue', guard: 'user', naming: [ofItem, ofFile] },
  { method: 'GET', path: '/api/progress/continue', guard: 'user', naming: [({ seriesKey }) => ({ query: { seriesKey } })] },
  { method: 'PUT', path: '/api/progress/continue', guard: 'user', naming: [({ itemKey }) => ({ body: { itemKey } })] },
  {
    method: 'POST',
    path: '/api/progress/restore',
    guard: 'user',
    naming: [({ itemKey }) => ({ body: { marks: [neverOpened(itemKey)] } })],
  },
  { method: 'GET', path: '/api/scans', guard: 'admin' },
  { method: 'POST', path: '/api/scans', guard: 'admin' },
  { method: 'DELETE', path: '/api/scans/:id', guard: 'admin' },
  { method: 'GET', path: '/api/scans/:id', guard: 'admin' },
  { method: 'POST', path: '/api/scans/:id/apply', guard: 'admin' },
  { method: 'GET', path: '/api/scans/:id/losses', guard: 'admin' },
  { method: 'GET', path: '/api/search', guard: 'user', naming: [({ libraryId }) => ({ query: { q: 'a', libraryId } })] },
  { method: 'GET', path: '/api/subtitles', guard: 'user', naming: [({ fileKey }) => ({ query: { itemKey: fileKey, track: 'file.srt' } })] },
  { method: 'GET', path: '/api/system', guard: 'admin' },
  { method: 'POST', path: '/api/system/backup', guard: 'admin' },
  { method: 'POST', path: '/api/system/restore', guard: 'admin' },
  {
    method: 'DELETE',
    path: '/api/tags/assignments',
    guard: 'tag',
    naming: [({ itemKey }) => ({ query: { itemKey, tagId: 1 } })],
  },
  { method: 'GET', path: '/api/tags/assignments', guard: 'user', naming: [ofItem, ofFile] },
  { method: 'PUT', path: '/api/tags/assignments', guard: 'tag', naming: [({ itemKey }) => ({ body: { itemKey, tagId: 1 } })] },
  {
    method: 'POST',
    path: '/api/tags/assignments/bulk',
    guard: 'tag',
    naming: [({ itemKey }) => ({ body: { itemKeys: [itemKey], add: [], remove: [] } })],
  },
  { method: 'GET', path: '/api/tags/categories', guard: 'user', naming: [({ libraryId }) => ({ query: { libraryId } })] },
  { method: 'POST', path: '/api/tags/categories', guard: 'manageTags' },
  { method: 'DELETE', path: '/api/tags/categories/:id', guard: 'manageTags' },
  { method: 'PATCH', path: '/api/tags/categories/:id', guard: 'manageTags' },
  { method: 'GET', path: '/api/tags/categories/:id/delete-plan', guard: 'manageTags' },
  { method: 'POST', path: '/api/tags/categories/:id/merge', guard: 'manageTags' },
  { method: 'GET', path: '/api/tags/export', guard: 'user', naming: [({ libraryId }) => ({ query: { libraryId } })] },
  // Passes over what somebody may not see, and says that there is no such item (api/tags-import.test.ts).
  { method: 'POST', path: '/api/tags/import', guard: 'manageTags', naming: [] },
  { method: 'GET', path: '/api/tags/items', guard: 'user', naming: [({ libraryId }) => ({ query: { libraryId } })] },
  {
    method: 'POST',
    path: '/api/tags/items',
    guard: 'manageTags',
    naming: [({ itemKey }) => ({ body: { itemKey, name: 'Named', categoryId: 1 } })],
  },
  { method: 'DELETE', path: '/api/tags/items/:id', guard: 'manageTags' },
  { method: 'PATCH', path: '/api/tags/items/:id', guard: 'manageTags' },
  { method: 'GET', path: '/api/tags/items/:id/delete-plan', guard: 'manageTags' },
  { method: 'POST', path: '/api/tags/items/:id/merge', guard: 'manageTags' },
  {
    method: 'GET',
    path: '/api/tags/library-assignments',
    guard: 'user',
    naming: [({ libraryId }) => ({ query: { libraryId } })],
  },
  { method: 'GET', path: '/api/tags/mappings', guard: 'manageTags' },
  { method: 'PUT', path: '/api/tags/mappings', guard: 'manageTags' },
  { method: 'GET', path: '/api/thumbnails', guard: 'user', naming: [ofItem, ofFile] },
  { method: 'GET', path: '/api/trash', guard: 'delete', naming: [({ libraryId }) => ({ query: { libraryId } })] },
  { method: 'DELETE', path: '/api/trash/:id', guard: 'delete' },
  { method: 'POST', path: '/api/trash/:id/restore', guard: 'delete' },
  { method: 'GET', path: '/api/tv/series-episode-tags', guard: 'user', naming: [({ libraryId }) => ({ query: { libraryId } })] },
  { method: 'GET', path: '/api/user-settings', guard: 'user' },
  { method: 'PATCH', path: '/api/user-settings', guard: 'user' },
  { method: 'GET', path: '/api/users', guard: 'admin' },
  { method: 'POST', path: '/api/users', guard: 'admin' },
  { method: 'DELETE', path: '/api/users/:id', guard: 'admin' },
  { method: 'PATCH', path: '/api/users/:id', guard: 'admin' },
  { method: 'GET', path: '/metrics', guard: 'admin' },
]
