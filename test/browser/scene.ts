import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type ItemKey, itemKey } from '../../src/domain/item-key.ts'
import { type ItemType, LIBRARY_TYPES, type LibraryType } from '../../src/domain/item-type.ts'
import { launchBrowser, type OpenPage, openPage, type Screen, type Theme } from '../support/browser.ts'
import { buildClient } from '../support/built.ts'
import type { DemoSize } from '../support/demo-collection/scale.ts'
import { type DemoCollection, makeDemoCollection } from '../support/demo-collection.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startServer, type TestServer, waitFor } from '../support/test-server.ts'

export const REPOSITORY = join(import.meta.dir, '../..')
export const LIBRARY_NAMES: Record<LibraryType, string> = {
  games: 'Games',
  movies: 'Films',
  tv: 'Series',
  manga: 'Manga',
  mixed: 'Family album',
}
const PICTURES_LIMIT_MS = 240_000

export interface Visit {
  /** Nobody where null; the administrator where it is missing. */
  client?: HttpClient | null
  screen?: Screen
  theme?: Theme
  context?: BrowserContextOptions
}

/** The built client on a server of its own, and a browser to look at it. */
export interface ServedLibraries extends AsyncDisposable {
  server: TestServer
  browser: Browser
  admin: HttpClient
  open: (visit?: Visit) => Promise<OpenPage>
}

/** One library of each type that is asked for. */
export interface Scene extends ServedLibraries {
  collection: DemoCollection
  idOf: (type: LibraryType) => number
  keyOf: (type: ItemType, path: string) => ItemKey
  /** Nobody's page at another server. */
  openAt: (url: string) => Promise<OpenPage>
}

const LIBRARY_OF: Record<ItemType, LibraryType> = {
  game: 'games',
  game_series: 'games',
  movie: 'movies',
  tv_series: 'tv',
  tv_season: 'tv',
  tv_episode: 'tv',
  manga_series: 'manga',
  manga_volume: 'manga',
  mixed_file: 'mixed',
}

interface SceneSpec {
  size: DemoSize
  /** Where the media are, or will be made; without it in a folder that goes with the scene. */
  media?: string
  /** Of these types alone there is a library; the pictures of the videos of all of them are ten seconds of processor time. */
  types?: readonly LibraryType[]
  /** Adds to the collection before it is scanned. */
  prepare?: (collection: DemoCollection) => Promise<unknown>
}

/** Serves these libraries, whose folder goes with the scene. */
export const serveLibraries = async (
  folder: TemporaryFolder,
  libraries: { type: LibraryType; name: string; path: string }[],
): Promise<ServedLibraries> => {
  await buildClient(REPOSITORY)
  const [server, browser] = await Promise.all([
    startServer({ libraries, dataDir: join(folder.path, 'data'), hasIndex: true }),
    launchBrowser(),
  ])
  await server.waitForScans()
  const admin = await server.as('admin')
  return {
    server,
    browser,
    admin,
    open: ({ client = admin, ...look } = {}) => openPage(browser, { url: server.url, ...(client && { client }), ...look }),
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      await server.stop().finally(folder.remove)
    },
  }
}

export const openScene = async ({ size, media, types = LIBRARY_TYPES, prepare }: SceneSpec): Promise<Scene> => {
  const folder = await temporaryFolder('browser')
  const collection = await makeDemoCollection(media ?? join(folder.path, 'media'), { size })
  await prepare?.(collection)
  const libraries = types.map((type) => ({ type, path: collection.libraries[type], name: LIBRARY_NAMES[type] }))
  const served = await serveLibraries(folder, libraries)
  const { admin, browser } = served
  const ids = new Map<LibraryType, number>((await admin.get('/api/libraries')).body.libraries.map(({ type, id }: Json) => [type, id]))
  const idOf = (type: LibraryType): number => {
    const id = ids.get(type)
    if (id === undefined) throw new Error(`There is no ${type} library`)
    return id
  }
  return {
    ...served,
    collection,
    idOf,
    keyOf: (type, path) => itemKey(type, idOf(LIBRARY_OF[type]), path),
    openAt: (url) => openPage(browser, { url }),
  }
}

/** Waits until no picture of any item is still to be made. */
export const waitForPictures = (scene: Scene): Promise<true> =>
  waitFor(
    async () => {
      const { pending, running } = (await scene.admin.get('/api/system')).body.workers.thumbnails
      return pending + running === 0 ? true : undefined
    },
    PICTURES_LIMIT_MS,
    () => 'The thumbnails were not made in time',
  )
