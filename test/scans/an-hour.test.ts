import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeTree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/**
 * An hour of a restless household, compressed: 500 random changes to a real tree of 2,000 tagged files, with scans,
 * restarts and power cuts in between. Every file holds a token of its own and its item is tagged with it: after every
 * scan the tag of a token must sit on the item whose file has the token, and on the same row as ever.
 */

const FILES = 2000
const FOLDERS = 60
const CHANGES = 500
const CHANGES_A_SCAN = 10
const ROUNDS_A_RESTART = 12
/** Three times what it takes on a slow machine. */
const LIMIT_MS = 300_000
const SEED = 20_261_121

/** Numbers from a seed, so that a failing hour can be lived through again. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Household {
  random: (below: number) => number
  root: string
  away: string
  /** Where each token is: a path in the library, or undefined while it is elsewhere, or for good. */
  pathOf: Map<string, string | undefined>
  /** Files outside the library that may come back. */
  outside: Map<string, string>
  folders: string[]
  strangers: Set<string>
  /** Files that have lost their inode in this round: one that lost its name or its content as well could not be told. */
  touched: Set<string>
  /** Where each token was when its file was read last. */
  readAt: Map<string, string>
  fresh: () => string
}

/** Each of a size of its own: files that agree in size and time are rightly not told from each other. */
const contentOf = (token: string, more = ''): string => `${token}${more}\n${'.'.repeat(Number(token.slice(5)))}`

const at = ({ root }: Household, path: string): string => join(root, path)
const pick = <T>({ random }: Household, values: readonly T[]): T => {
  const value = values[random(values.length)]
  if (value === undefined) throw new Error('There is nothing to pick from')
  return value
}
const placed = ({ pathOf }: Household): [token: string, path: string][] =>
  [...pathOf].flatMap(([token, path]) => (path === undefined ? [] : [[token, path] as [string, string]]))
const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
const anyPlace = (home: Household): string => inFolder(pick(home, ['', ...home.folders]), home.fresh())

const move = (home: Household, token: string, from: string, to: string): void => {
  renameSync(at(home, from), at(home, to))
  home.pathOf.set(token, to)
}

/** Moves a folder with everything in it, by name and in the model. */
const moveFolder = (home: Household): void => {
  const folder = pick(home, home.folders)
  const parents = ['', ...home.folders].filter((other) => other !== folder && !other.startsWith(`${folder}/`))
  const to = inFolder(home.random(2) ? pick(home, parents) : dirname(folder).replace(/^\.$/, ''), `folder ${home.fresh()}`)
  renameSync(at(home, folder), at(home, to))
  const follow = (path: string): string => (path === folder || path.startsWith(`${folder}/`) ? to + path.slice(folder.length) : path)
  home.folders = home.folders.map(follow)
  home.strangers = new Set([...home.strangers].map(follow))
  for (const [token, path] of placed(home)) home.pathOf.set(token, follow(path))
}

/** Changes after which an inode, or size and time, still tell which file is which. */
const TRACEABLE: ((home: Household) => void)[] = [
  function renameFile(home) {
    const [token, path] = pick(home, placed(home))
    move(home, token, path, inFolder(dirname(path).replace(/^\.$/, ''), home.fresh()))
  },
  function moveFile(home) {
    const [token, path] = pick(home, placed(home))
    move(home, token, path, anyPlace(home))
  },
  moveFolder,
  function swapFiles(home) {
    const [a, b] = [pick(home, placed(home)), pick(home, placed(home))]
    if (a[0] === b[0]) return
    move(home, a[0], a[1], 'between')
    move(home, b[0], b[1], a[1])
    move(home, a[0], 'between', b[1])
  },
  function moveOver(home) {
    const [winner, loser] = [pick(home, placed(home)), pick(home, placed(home))]
    if (winner[0] === loser[0]) return
    move(home, winner[0], winner[1], loser[1])
    home.pathOf.set(loser[0], undefined)
  },
  function editInPlace(home) {
    const [token, path] = pick(home, placed(home))
    writeFileSync(at(home, path), contentOf(token, ` edited ${home.fresh()}`))
  },
  function deleteFile(home) {
    const [token, path] = pick(home, placed(home))
    rmSync(at(home, path))
    home.pathOf.set(token, undefined)
  },
  function takeAway(home) {
    const [token, path] = pick(home, placed(home))
    const place = join(home.away, token)
    renameSync(at(home, path), place)
    home.outside.set(token, place)
    home.pathOf.set(token, undefined)
  },
  function bringBack(home) {
    const [token, place] = [...home.outside][0] ?? []
    if (token === undefined || place === undefined) return
    const to = anyPlace(home)
    renameSync(place, at(home, to))
    home.outside.delete(token)
    home.pathOf.set(token, to)
  },
  function changeCase(home) {
    const [token, path] = pick(home, placed(home))
    const name = path.slice(path.lastIndexOf('/') + 1)
    const other = name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase()
    const to = path.slice(0, path.length - name.length) + other
    if (!placed(home).some(([, taken]) => taken === to)) move(home, token, path, to)
  },
]

const pickUntouched = (home: Household): [token: string, path: string] => {
  const chosen = pick(
    home,
    placed(home).filter(([token]) => !home.touched.has(token)),
  )
  home.touched.add(chosen[0])
  return chosen
}

/** Changes that take a file's inode from it: its place, or its size and time, must tell, so nothing else moves in the same round. */
const IN_PLACE: ((home: Household) => void)[] = [
  function rewrite(home) {
    const [token, path] = pickUntouched(home)
    writeFileSync(at(home, 'rewritten'), contentOf(token, ` rewritten ${home.fresh()}`))
    renameSync(at(home, 'rewritten'), at(home, path))
  },
  function copyAndDelete(home) {
    const [token, path] = pickUntouched(home)
    const to = anyPlace(home)
    // `cp` keeps nanoseconds, Node's times do not.
    const { exitCode } = Bun.spawnSync(['cp', '--preserve=timestamps', '--', at(home, path), at(home, to)])
    if (exitCode !== 0) throw new Error(`${path} could not be copied`)
    rmSync(at(home, path))
    home.pathOf.set(token, to)
  },
  function addStranger(home) {
    const path = anyPlace(home)
    writeFileSync(at(home, path), `stranger ${home.fresh()}`)
    home.strangers.add(path)
  },
]

const keyAt = (scene: ScanScene, path: string): string => `mixed_file:${scene.idOf('mixed')}:${path}`

/** Every token's tag is on the row that it was put on, and that row is the file with the token. */
const verify = async (scene: ScanScene, home: Household, ids: Map<string, number>): Promise<void> => {
  const marks = await scene.index.marks()
  const wrong: string[] = []
  for (const [token, path] of home.pathOf) {
    const mark = marks[token]
    const isThere = path !== undefined
    if (isThere && home.readAt.get(token) !== path) {
      if (!readFileSync(at(home, path), 'utf8').startsWith(token)) throw new Error(`The model lost ${token}`)
      home.readAt.set(token, path)
    }
    const isRight =
      mark !== undefined && mark.id === ids.get(token) && mark.isMissing === !isThere && (!isThere || mark.itemKey === keyAt(scene, path))
    if (!isRight) wrong.push(`${token}: ${JSON.stringify(mark)} instead of ${path}`)
  }
  expect(wrong).toEqual([])
  const [present] = await scene.index.query<{ total: number }>('SELECT count(*) AS total FROM media_items WHERE missing_since IS NULL')
  const strangers = [...home.strangers].filter((path) => !placed(home).some(([, taken]) => taken === path))
  expect(present?.total).toBe(placed(home).length + strangers.length)
}

test(
  `500 changes to 2,000 files lose no tag and put none on the wrong item (seed ${SEED})`,
  async () => {
    await using scene = await startScene({ mixed: {} })
    const random = randomFrom(SEED)
    const folders = Array.from({ length: FOLDERS }, (_, i) => (i < 20 ? `f${i}` : `f${i % 20}/g${i}`))
    const tokens = Array.from({ length: FILES }, (_, i) => `token${i}`)
    const pathOf = new Map(tokens.map((token, i) => [token, inFolder(['', ...folders][i % (FOLDERS + 1)] ?? '', `${token}.txt`)]))
    makeTree(scene.rootOf('mixed'), Object.fromEntries([...pathOf].map(([token, path]) => [path, contentOf(token)])))
    let names = 0
    const fresh = (): string => `name ${names++}.txt`
    const away = join(scene.folder, 'away')
    mkdirSync(away)
    const home: Household = {
      random,
      root: scene.rootOf('mixed'),
      away,
      pathOf,
      outside: new Map(),
      folders,
      strangers: new Set(),
      touched: new Set(),
      readAt: new Map(),
      fresh,
    }

    expect(await scene.scan('mixed')).toMatchObject({ status: 'done', added: FILES })
    await scene.index.mark(Object.fromEntries([...pathOf].map(([token, path]) => [keyAt(scene, path ?? ''), token])))
    const ids = new Map(Object.entries(await scene.index.marks()).map(([token, { id }]) => [token, id]))

    for (let round = 1; round * CHANGES_A_SCAN <= CHANGES; round++) {
      const kinds = round % 3 === 0 ? IN_PLACE : TRACEABLE
      const change = (): void => {
        home.touched.clear()
        for (let i = 0; i < CHANGES_A_SCAN; i++) pick(home, kinds)(home)
      }
      if (round % ROUNDS_A_RESTART === 0) {
        // Half of the restarts are power cuts in the middle of a scan.
        const isKilled = round % (2 * ROUNDS_A_RESTART) === 0
        if (isKilled) await scene.admin.post('/api/scans', {})
        await scene.restart({ isKilled, meanwhile: change })
      } else {
        change()
        expect(await scene.scan('mixed')).toMatchObject({ status: 'done' })
      }
      await verify(scene, home, ids)
    }

    expect(await scene.scan('mixed')).toEqual({ status: 'done', found: expect.any(Number) })
    for (const [token, path] of placed(home).slice(0, 25)) {
      const itemKey = keyAt(scene, path)
      const { item } = (await scene.admin.get('/api/items', { itemKey })).body
      expect(item.tags.map(({ name }: { name: string }) => name)).toEqual([token])
      expect((await (await scene.admin.fetch(`/api/files?${new URLSearchParams({ itemKey })}`)).text()).startsWith(token)).toBe(true)
    }
  },
  LIMIT_MS,
)
