import { join } from 'node:path'
import { isContainer, isItemType, type LibraryType } from '../../src/domain/item-type.ts'
import type { HttpClient, Json } from './http-client.ts'
import { type IndexDatabase, openIndexOf } from './index-database.ts'
import { makeTree, type Tree } from './library-tree.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startServer, type TestServer } from './test-server.ts'

const PAGE = 500

/** Everything below a level of a library, as people reach it: level by level, page by page. */
export const listEntries = async (client: HttpClient, query: { libraryId: number; parentKey?: string }): Promise<Json[]> => {
  const entries: Json[] = []
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await client.get('/api/browse', { ...query, limit: PAGE, cursor })
    if (status !== 200) throw new Error(`Browsing answered ${status}: ${JSON.stringify(body)}`)
    for (const entry of body.entries) {
      entries.push(entry)
      const isOpen = isItemType(entry.itemType) && isContainer(entry.itemType)
      if (isOpen) entries.push(...(await listEntries(client, { ...query, parentKey: entry.itemKey })))
    }
    if (body.nextCursor === null) return entries
    cursor = body.nextCursor
  }
}

const COUNTERS = ['found', 'added', 'updated', 'moved', 'missing', 'restored', 'warningCount'] as const

/** What a scan answers that a test compares. Counters that are 0 are left out. */
export const outcomeOf = (scan: Json): Json => ({
  status: scan.status,
  ...Object.fromEntries(COUNTERS.filter((name) => scan[name] !== 0).map((name) => [name, scan[name]])),
})

/** A server with at most one library of each type, on folders of its own that are scanned once. */
export interface ScanScene extends AsyncDisposable {
  folder: string
  server: TestServer
  admin: HttpClient
  index: IndexDatabase
  rootOf: (type: LibraryType) => string
  idOf: (type: LibraryType) => number
  /** Scans to the end; answers status and counters. */
  scan: (type: LibraryType) => Promise<Json>
  /** The keys of everything that can be reached by browsing, sorted. */
  keys: (type: LibraryType) => Promise<string[]>
  /** Ends the server, by SIGKILL or as it should be, does `meanwhile`, and starts it again on the same data; waits for its scans. */
  restart: (options?: { isKilled?: boolean; meanwhile?: () => void }) => Promise<void>
}

/** Ends as ffmpeg does on what is no video, in a fiftieth of the time: for libraries whose films are a few bytes of text. */
export const NOTHING_PLAYS = { FFMPEG_PATH: '/bin/false', FFPROBE_PATH: '/bin/false' }

interface SceneSpec {
  /** Films that ffmpeg can read are among the files. */
  hasVideos?: boolean
  env?: Record<string, string>
  args?: string[]
  prefix?: string[]
}

export const startScene = async (trees: Partial<Record<LibraryType, Tree>>, spec: SceneSpec = {}): Promise<ScanScene> => {
  const { hasVideos = false, ...given } = spec
  const env = hasVideos ? given.env : { ...NOTHING_PLAYS, ...given.env }
  const folder = await temporaryFolder('scan-scene')
  const types = Object.keys(trees) as LibraryType[]
  const rootOf = (type: LibraryType): string => join(folder.path, type)
  for (const type of types) makeTree(rootOf(type), trees[type] ?? {})
  const start = (): Promise<TestServer> =>
    startServer({
      ...given,
      env,
      dataDir: join(folder.path, 'data'),
      hasIndex: given.prefix === undefined,
      libraries: types.map((type) => ({ type, path: rootOf(type) })),
    })

  let server = await start()
  const index = openIndexOf(server)
  let admin = await server.as('admin')
  await server.waitForScans()
  const { libraries } = (await admin.get('/api/libraries')).body
  const ids = new Map<LibraryType, number>(libraries.map((library: Json) => [library.type, library.id]))

  const idOf = (type: LibraryType): number => {
    const id = ids.get(type)
    if (id === undefined) throw new Error(`This scene has no ${type} library`)
    return id
  }
  const restart: ScanScene['restart'] = async ({ isKilled = false, meanwhile = () => undefined } = {}) => {
    await (isKilled ? server.kill() : server.stop())
    meanwhile()
    server = await start()
    admin = await server.as('admin')
    await server.waitForScans()
  }
  return {
    folder: folder.path,
    get server() {
      return server
    },
    get admin() {
      return admin
    },
    index,
    rootOf,
    idOf,
    scan: async (type) => outcomeOf(await server.scanAndWait(idOf(type))),
    keys: async (type) => (await listEntries(admin, { libraryId: idOf(type) })).map(({ itemKey }) => itemKey).sort(),
    restart,
    [Symbol.asyncDispose]: async () => {
      index.close()
      await server.stop().finally(folder.remove)
    },
  }
}
