import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LibraryType } from '../../src/domain/item-type.ts'
import type { Json } from '../support/http-client.ts'
import { file, makeTree, type Tree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/** What a scan counts, exactly, for a series of changes to a folder of each type. */

interface Step {
  rule: string
  change: (root: string) => void
  /** Counters that are not named are 0. */
  counts: Partial<Record<'found' | 'added' | 'updated' | 'moved' | 'missing' | 'restored' | 'warningCount', number>>
}

interface Story {
  tree: Tree
  first: Step['counts']
  steps: Step[]
}

const write = (tree: Tree) => (root: string) => void makeTree(root, tree)
const rename = (from: string, to: string) => (root: string) => renameSync(join(root, from), join(root, to))
const remove = (path: string) => (root: string) => rmSync(join(root, path), { recursive: true })
/** Out of the library and into it again: what an external disk does. */
const takeAway = (path: string) => (root: string) => renameSync(join(root, path), join(root, '..', `away-${path.replaceAll('/', '-')}`))
const bringBack = (path: string) => (root: string) => renameSync(join(root, '..', `away-${path.replaceAll('/', '-')}`), join(root, path))
const LATER = '2024-05-06T07:08:09Z'

const STORIES: Record<LibraryType, Story> = {
  mixed: {
    tree: { 'a.txt': 10, 'b.jpg': 20, '2020': { 'beach.jpg': 30, 'clip.mp4': 40 }, '2021': { 'c.pdf': 50 } },
    first: { found: 5, added: 5 },
    steps: [
      { rule: 'a new file is added', change: write({ '2021/new.txt': 60 }), counts: { found: 6, added: 1 } },
      {
        rule: 'a file with other bytes is updated',
        change: write({ 'a.txt': file({ bytes: 11, modified: LATER }) }),
        counts: { found: 6, updated: 1 },
      },
      {
        rule: 'a renamed file and one in another folder are moved',
        change: (root) => {
          rename('b.jpg', 'bee.jpg')(root)
          rename('2020/clip.mp4', '2021/clip.mp4')(root)
        },
        counts: { found: 6, moved: 2 },
      },
      { rule: 'a renamed folder moves its files', change: rename('2021', '2022'), counts: { found: 6, moved: 3 } },
      { rule: 'a deleted file is missing', change: remove('2022/c.pdf'), counts: { found: 5, missing: 1 } },
      { rule: 'a file that is taken away is missing', change: takeAway('2020/beach.jpg'), counts: { found: 4, missing: 1 } },
      { rule: 'a file that comes back is restored', change: bringBack('2020/beach.jpg'), counts: { found: 5, restored: 1 } },
    ],
  },
  movies: {
    tree: { 'Alien (1979)': { 'Alien.mkv': 1000 }, 'Heat (1995)': { 'Heat.mkv': 2000, 'poster.jpg': 100 }, Up: { 'Up.mp4': 3000 } },
    first: { found: 3, added: 3 },
    steps: [
      { rule: 'a new folder is a new movie', change: write({ 'Brazil (1985)/Brazil.avi': 4000 }), counts: { found: 4, added: 1 } },
      { rule: 'a poster updates its movie', change: write({ 'Alien (1979)/poster.jpg': 90 }), counts: { found: 4, updated: 1 } },
      { rule: 'a renamed folder moves its movie', change: rename('Up', 'Up (2009)'), counts: { found: 4, moved: 1 } },
      {
        rule: 'a loose film and a folder without one are warnings',
        change: write({ 'loose.mkv': 10, 'Texts/readme.txt': 'none' }),
        counts: { found: 4, warningCount: 2 },
      },
      { rule: 'warnings are told again', change: () => undefined, counts: { found: 4, warningCount: 2 } },
      {
        rule: 'a movie that is taken away is missing',
        change: takeAway('Heat (1995)'),
        counts: { found: 3, missing: 1, warningCount: 2 },
      },
      { rule: 'a movie that comes back is restored', change: bringBack('Heat (1995)'), counts: { found: 4, restored: 1, warningCount: 2 } },
    ],
  },
  games: {
    tree: { Doom: { 'doom.zip': 1000 }, Zelda: { Ocarina: { 'ocarina.zip': 2000 }, Majora: { 'majora.tar.gz': 3000 } } },
    first: { found: 4, added: 4 },
    steps: [
      {
        rule: 'a new game is added, and its series differs',
        change: write({ 'Zelda/Link/link.zip': 4000 }),
        counts: { found: 5, added: 1, updated: 1 },
      },
      { rule: 'another archive updates its game', change: write({ 'Doom/patch.zip': 10 }), counts: { found: 5, updated: 1 } },
      { rule: 'a renamed series moves with its games', change: rename('Zelda', 'The Legend of Zelda'), counts: { found: 5, moved: 4 } },
      {
        rule: 'a nested game and a loose archive are warnings',
        change: write({ 'Doom/Ultimate/ultimate.zip': 20, 'loose.zip': 5 }),
        counts: { found: 5, warningCount: 2 },
      },
      { rule: 'a game that is taken away is missing', change: takeAway('Doom'), counts: { found: 4, missing: 1, warningCount: 1 } },
      { rule: 'a game that comes back is restored', change: bringBack('Doom'), counts: { found: 5, restored: 1, warningCount: 2 } },
    ],
  },
  tv: {
    tree: {
      Firefly: { 'Season 01': { 'Firefly S01E01.mkv': 1000, 'Firefly S01E02.mkv': 1001 }, Specials: { 'Firefly S00E01.mkv': 500 } },
      Flat: { 'Flat S01E01.mkv': 700, 'Flat S02E01.mkv': 701 },
    },
    first: { found: 11, added: 11 },
    steps: [
      {
        rule: 'a new season is a season and its episodes',
        change: write({ 'Firefly/Season 02/Firefly S02E01.mkv': 1002 }),
        counts: { found: 13, added: 2, updated: 1 },
      },
      {
        rule: 'a renamed season moves with its episodes',
        change: rename('Firefly/Season 01', 'Firefly/Series 1'),
        counts: { found: 13, moved: 3, updated: 1 },
      },
      { rule: 'a renamed series moves with everything in it', change: rename('Flat', 'Flat Earth'), counts: { found: 13, moved: 5 } },
      {
        rule: 'an episode that is deleted is missing, and so is the season that it was alone in',
        change: remove('Flat Earth/Flat S02E01.mkv'),
        counts: { found: 11, updated: 2, missing: 2 },
      },
      { rule: 'a series that is taken away is missing as a whole', change: takeAway('Firefly'), counts: { found: 3, missing: 8 } },
      { rule: 'a series that comes back is restored as a whole', change: bringBack('Firefly'), counts: { found: 11, restored: 8 } },
    ],
  },
  manga: {
    tree: { Berserk: { 'Berserk v01.cbz': 1000, 'Berserk v02.cbz': 2000 }, Monster: { 'Vol 1': { '001.jpg': 10, '002.jpg': 11 } } },
    first: { found: 5, added: 5 },
    steps: [
      {
        rule: 'a new archive is a new volume',
        change: write({ 'Berserk/Berserk v03.cbz': 3000 }),
        counts: { found: 6, added: 1, updated: 1 },
      },
      {
        rule: 'another page updates its volume, and the series that it is the picture of',
        change: write({ 'Monster/Vol 1/003.jpg': 12 }),
        counts: { found: 6, updated: 2 },
      },
      {
        rule: 'a renamed volume is moved',
        change: rename('Berserk/Berserk v01.cbz', 'Berserk/Berserk 1.cbz'),
        counts: { found: 6, moved: 1, updated: 1 },
      },
      { rule: 'a renamed series moves with its volumes', change: rename('Monster', 'Monster (1994)'), counts: { found: 6, moved: 2 } },
      {
        rule: 'a volume that is taken away is missing',
        change: takeAway('Berserk/Berserk v02.cbz'),
        counts: { found: 5, updated: 1, missing: 1 },
      },
      {
        rule: 'a volume that comes back is restored',
        change: bringBack('Berserk/Berserk v02.cbz'),
        counts: { found: 6, updated: 1, restored: 1 },
      },
    ],
  },
}

const TYPES = Object.keys(STORIES) as LibraryType[]
let scene: ScanScene

beforeAll(async () => {
  scene = await startScene(Object.fromEntries(TYPES.map((type) => [type, STORIES[type].tree])))
})
afterAll(() => scene[Symbol.asyncDispose]())

describe.each(TYPES)('%s', (type) => {
  const { first, steps } = STORIES[type]
  const quiet = (counts: Step['counts']): Json => ({
    status: 'done',
    found: counts.found,
    ...(counts.warningCount ? { warningCount: counts.warningCount } : {}),
  })

  test('the first scan adds everything, and a second one finds nothing to do', async () => {
    const { scans } = (await scene.admin.get('/api/scans', { libraryId: scene.idOf(type) })).body
    expect(scans.at(-1)).toMatchObject({ status: 'done', trigger: 'startup', ...first })
    expect(await scene.scan(type)).toEqual(quiet(first))
  })

  test.each(steps)('$rule', async ({ change, counts }) => {
    change(scene.rootOf(type))
    expect(await scene.scan(type)).toEqual({ status: 'done', ...counts })
    expect(await scene.scan(type)).toEqual(quiet(counts))
  })
})
