import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LIBRARY_TYPES, type LibraryType } from '../../src/domain/item-type.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { listEntries, NOTHING_PLAYS, type ScanScene, startScene } from '../support/scan-scene.ts'
import { startServer } from '../support/test-server.ts'

/**
 * After any number of changes and scans the index must say what a new server says that sees the folder for the first
 * time. Names are drawn so that folders turn from one thing into another: a game into a series, a season into extras.
 */

const LIMIT_MS = 120_000
const ROUNDS = 12
const CHANGES_A_ROUND = 12
const FRESH_EVERY = 4
const MAX_DEPTH = 3
const SEED = 20_261_121

const NAMES: Record<LibraryType, { folders: string[]; files: string[] }> = {
  mixed: { folders: ['2020', '2021', 'trip', 'a', 'b'], files: ['a.jpg', 'b.mp4', 'c.txt', 'd', 'e.pdf'] },
  movies: {
    folders: ['Alien (1979)', 'Heat (1995)', 'Box', 'Extras', 'CD1', 'CD2', 'VIDEO_TS', 'trailers', 'Up'],
    files: [
      'film.mkv',
      'Alien.mkv',
      'Heat.mkv',
      'film-trailer.mkv',
      'film - 2160p.mkv',
      'part1.avi',
      'part2.avi',
      'VTS_01_1.VOB',
      'poster.jpg',
      'movie.nfo',
      'readme.txt',
    ],
  },
  games: {
    folders: ['Doom', 'Zelda', 'Ocarina', 'Majora', 'screenshots', 'Thing.app', 'Extras', 'Box'],
    files: ['game.zip', 'patch.zip', 'game.tar.gz', 'setup.exe', 'disk.dmg', 'cover.jpg', 'widecover.png', 'readme.txt', 'shot-1.jpg'],
  },
  tv: {
    folders: ['Firefly', 'Lost (2004)', 'Season 1', 'Season 2', 'Specials', 'Extras', 'Book 1', 'Disc 1', 'Staffel 3'],
    files: [
      'S01E01.mkv',
      'S01E02.mkv',
      'S02E01.mkv',
      '03.mkv',
      '2019-05-06.mkv',
      'S01E01-E02.mkv',
      'poster.jpg',
      'season01-poster.jpg',
      'tvshow.nfo',
      'S01E01.nfo',
      'note.txt',
    ],
  },
  manga: {
    folders: ['Berserk', 'Monster', 'Vol 1', 'Vol 2', 'Chapter 3', 'Box'],
    files: ['v01.cbz', 'v02.cbz', 'c003.zip', '001.jpg', '002.jpg', 'cover.jpg', 'v01.jpg', 'note.txt'],
  },
}

/** Numbers from a seed, so that a failing sequence can be run again. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Everything below a folder, relative to it. */
const listAll = (root: string): string[] => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()

const createChanges = (root: string, type: LibraryType, random: (below: number) => number) => {
  const pick = <T>(values: readonly T[]): T | undefined => values[random(values.length)]
  const { folders, files } = NAMES[type]
  const folderPaths = (): string[] => ['', ...listAll(root).filter((path) => statSync(join(root, path)).isDirectory())]
  const freePlace = (names: readonly string[]): string | undefined => {
    const parent = pick(folderPaths().filter((path) => path === '' || path.split('/').length < MAX_DEPTH)) ?? ''
    const path = join(parent, pick(names) ?? '')
    return existsSync(join(root, path)) ? undefined : path
  }
  let written = 0
  const write = (): void => {
    const path = freePlace(files)
    if (path !== undefined) writeFileSync(join(root, path), `${type} ${written++} ${'.'.repeat(written)}`)
  }
  const makeFolder = (): void => {
    const path = freePlace(folders)
    if (path === undefined) return
    mkdirSync(join(root, path))
    const name = pick(files)
    if (name !== undefined) writeFileSync(join(root, path, name), `${type} ${written++} ${'.'.repeat(written)}`)
  }
  const move = (): void => {
    const from = pick(listAll(root))
    if (from === undefined) return
    const to = freePlace(statSync(join(root, from)).isDirectory() ? folders : files)
    if (to !== undefined && !`${to}/`.startsWith(`${from}/`)) renameSync(join(root, from), join(root, to))
  }
  const swap = (): void => {
    const [a, b] = [pick(listAll(root)), pick(listAll(root))]
    if (a === undefined || b === undefined || dirname(a) !== dirname(b) || a === b) return
    renameSync(join(root, a), join(root, 'between'))
    renameSync(join(root, b), join(root, a))
    renameSync(join(root, 'between'), join(root, b))
  }
  const remove = (): void => {
    const path = pick(listAll(root))
    if (path !== undefined && readdirSync(root).length > 2) rmSync(join(root, path), { recursive: true })
  }
  const rewrite = (): void => {
    const path = pick(listAll(root).filter((each) => statSync(join(root, each)).isFile()))
    if (path !== undefined) writeFileSync(join(root, path), `${type} rewritten ${written++} ${'.'.repeat(written)}`)
  }
  const kinds = [write, write, makeFolder, makeFolder, move, move, move, swap, remove, rewrite]
  return (): void => pick(kinds)?.()
}

/** What a server numbers or dates itself, and what its background has learnt of the bytes so far. */
const OWN = new Set(['libraryId', 'addedAt', 'width', 'height', 'durationSeconds', 'thumbhash', 'thumbnailUrl'])

/** Their covers are those of items below them, as far as the background has not found them to be none. */
const LENT = /^(?:manga|tv)_/

/** What a person sees of a library, without what differs from one server to another. */
const look = async (client: HttpClient, libraryId: number): Promise<Json> => {
  // Equal titles stand in the order in which they came.
  const entries = (await listEntries(client, { libraryId })).sort((a, b) => (a.itemKey < b.itemKey ? -1 : 1))
  const { total } = (await client.get('/api/browse', { libraryId, limit: 1 })).body
  const { itemCount } = (await client.get(`/api/libraries/${libraryId}`)).body.library
  const strip = (value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll(/(?<=[a-z_](?::|%3A))\d+(?=:|%3A)/g, '#') : value
  return {
    total,
    itemCount,
    entries: entries.map((entry) =>
      Object.fromEntries(
        Object.entries(entry)
          .filter(([name]) => !OWN.has(name) && !(name === 'coverUrl' && LENT.test(entry.itemType)))
          .map(([name, value]) => [name, strip(value)]),
      ),
    ),
  }
}

const expectFresh = async (scene: ScanScene): Promise<void> => {
  const libraries = LIBRARY_TYPES.map((type) => ({ type, path: scene.rootOf(type) }))
  await using fresh = await startServer({ libraries, env: NOTHING_PLAYS })
  await fresh.waitForScans()
  const admin = await fresh.as('admin')
  const { libraries: scanned } = (await admin.get('/api/libraries')).body
  for (const type of LIBRARY_TYPES) {
    const { id } = scanned.find((library: Json) => library.type === type)
    expect({ type, ...(await look(scene.admin, scene.idOf(type))) }).toEqual({ type, ...(await look(admin, id)) })
  }
}

test(
  `after any changes the index says what a new server says (seed ${SEED})`,
  async () => {
    await using scene = await startScene({ mixed: {}, movies: {}, games: {}, tv: {}, manga: {} })
    const random = randomFrom(SEED)
    const changes = LIBRARY_TYPES.map((type) => createChanges(scene.rootOf(type), type, random))
    for (let round = 1; round <= ROUNDS; round++) {
      for (const change of changes) for (let i = 0; i < CHANGES_A_ROUND; i++) change()
      // A root that lost its last thing is taken for an absent disk.
      for (const { status } of await Promise.all(LIBRARY_TYPES.map(scene.scan))) expect(['done', 'failed']).toContain(status)
      if (round % FRESH_EVERY === 0) await expectFresh(scene)
    }
    const keys = await Promise.all(LIBRARY_TYPES.map(scene.keys))
    expect(keys.flat().length).toBeGreaterThan(LIBRARY_TYPES.length * 5)
    await scene.index.check()
  },
  LIMIT_MS,
)
