import { expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import { ALL_PERMISSIONS, type Viewer } from '../../src/domain/permissions.ts'
import { listMixedFolders } from '../../src/services/mixed-folders.ts'
import { startTestApp } from '../support/test-app.ts'

const viewer: Viewer = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null }

interface File {
  path: string
  /** Of the picture that it has, or that nobody could make of it. */
  version?: string
  isBroken?: boolean
  isMissing?: boolean
}

const insert = async (deps: Deps, files: readonly File[]): Promise<void> => {
  const rows = files.map((file) => [file.path, file.path.split('/').slice(0, -1).join('/'), file.version, file.isBroken, file.isMissing])
  await deps.write.batch([
    "INSERT INTO libraries (id, name, type, path) VALUES (1, 'm', 'mixed', '/m')",
    {
      sql: `INSERT INTO media_items (item_key, library_id, item_type, path, unit, title, sort_title, search_title, added_at,
          thumbnail_version, thumbhash, inspect_error, missing_since)
        SELECT 'mixed_file:1:' || (value ->> 0), 1, 'mixed_file', value ->> 0, value ->> 1, '', '', '', 0, value ->> 2, value ->> 2,
          iif(value ->> 3, 'broken', NULL), iif(value ->> 4, 5, NULL) FROM json_each(?)`,
      args: [JSON.stringify(rows)],
    },
  ])
}

const urlOf = (path: string, version: string): string =>
  `/api/thumbnails?itemKey=${encodeURIComponent(`mixed_file:1:${path}`)}&size=small&v=${version}`

test.each(['', '/media'])(
  'a folder has the picture of its own first file that has one, or else of one below it (BASE_PATH "%s")',
  async (basePath) => {
    await using app = await startTestApp({ basePath })
    const many = Array.from({ length: 60 }, (_, place) => ({ path: `texts/${place}.txt` }))
    await insert(app.deps, [
      { path: '2020/May/below.jpg', version: 'a' },
      { path: '2020/notes.txt' },
      { path: '2020/gone.jpg', version: 'b', isMissing: true },
      { path: '2020/broken.jpg', version: 'c', isBroken: true },
      { path: '2020/own.jpg', version: 'd' },
      { path: '2020/own 2.jpg', version: 'e' },
      { path: '2021/100% #?日本/deep/below.jpg', version: 'f' },
      { path: '2021 b/neighbour.jpg', version: 'g' },
      { path: '2022/notes.txt' },
      { path: '20220/neighbour.jpg', version: 'h' },
      ...many,
      { path: 'texts/last.jpg', version: 'i' },
    ])
    const picturesOf = async (path: string) =>
      (await listMixedFolders(app.deps, viewer, { libraryId: 1, path, pictures: true })).map(({ name, thumbnailUrl, thumbhash }) => [
        name,
        thumbnailUrl,
        thumbhash,
      ])
    expect(await picturesOf('')).toEqual([
      ['2020', basePath + urlOf('2020/own.jpg', 'd'), 'd'],
      ['2021', basePath + urlOf('2021/100% #?日本/deep/below.jpg', 'f'), 'f'],
      ['2021 b', basePath + urlOf('2021 b/neighbour.jpg', 'g'), 'g'],
      ['2022', null, null],
      ['20220', basePath + urlOf('20220/neighbour.jpg', 'h'), 'h'],
      // Nobody waits for a look at all that has none.
      ['texts', null, null],
    ])
    expect(await picturesOf('2021')).toEqual([['100% #?日本', basePath + urlOf('2021/100% #?日本/deep/below.jpg', 'f'), 'f']])
    expect(await listMixedFolders(app.deps, viewer, { libraryId: 1, path: '2020' })).toEqual([
      { name: 'May', path: '2020/May', itemCount: 1 },
    ])
  },
)
