import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ItemType, LibraryType } from '../../src/domain/item-type.ts'
import { type Model, type ModelItem, pathOf, present } from './tag-model.ts'

/** The folder of a model's library, with one file or folder for each of its items, and what a household does to it. */
export interface ModelDisk {
  /** A new item, with what it needs above it. */
  add: () => void
  rename: () => void
  takeAway: () => void
  bringBack: () => void
}

type Random = (below: number) => number

interface Shape {
  /** From the top. */
  levels: ItemType[][]
  /** What lies in the folder of a leaf; null where the leaf is a file itself. */
  inside: string | null
}

const SHAPES: Record<LibraryType, Shape> = {
  games: { levels: [['game'], ['game_series', 'game']], inside: 'game.zip' },
  movies: { levels: [['movie']], inside: 'film.mkv' },
  tv: { levels: [['tv_series', 'tv_season', 'tv_episode']], inside: null },
  manga: { levels: [['manga_series', 'manga_volume']], inside: null },
  mixed: { levels: [['mixed_file']], inside: null },
}

/** Letters that make names which hold each other, and no article that a title would lose. */
const SYLLABLES = ['ka', 'ro', 'kar', 'mi', 'rom', 'ok']

export const createModelDisk = (model: Model, { root, away, random }: { root: string; away: string; random: Random }): ModelDisk => {
  let names = 0
  /** Where each thing that was taken away lies outside. */
  const outside = new Map<ModelItem, string>()
  const pick = <T>(values: readonly T[]): T | undefined => values[random(values.length)]
  const word = (): string => `${pick(SYLLABLES)}${pick(SYLLABLES)} ${++names}`

  const nameOf = (type: ItemType, parent: ModelItem | null): { name: string; title: string } => {
    const own = word()
    if (type === 'mixed_file') return { name: `${own}.jpg`, title: `${own}.jpg` }
    if (type === 'tv_season') return { name: `Season ${names}`, title: `Season ${names}` }
    if (type === 'tv_episode') {
      const title = `${own} ${parent?.name.replace('Season ', 'S')}E${names}`
      return { name: `${title}.mkv`, title }
    }
    if (type === 'manga_volume') return { name: `${own}.cbz`, title: own }
    return { name: own, title: own }
  }

  const make = (type: ItemType, parent: ModelItem | null): ModelItem => {
    const item: ModelItem = { type, parent, ...nameOf(type, parent), isThere: true, seenAt: '', tags: new Map(), refused: new Set() }
    model.items.add(item)
    return item
  }

  /** Of a size of its own, so that no file is taken for another. */
  const write = (item: ModelItem): void => {
    const { inside } = SHAPES[model.type]
    const path = join(root, inside === null ? pathOf(item) : `${pathOf(item)}/${inside}`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '.'.repeat(names))
  }

  const add = (): void => {
    const levels = pick(SHAPES[model.type].levels) ?? []
    let parent: ModelItem | null = null
    for (const [depth, type] of levels.entries()) {
      const isLeaf = depth === levels.length - 1
      const known: ModelItem | undefined =
        isLeaf || random(3) === 0 ? undefined : pick(present(model).filter((item) => item.type === type && item.parent === parent))
      parent = known ?? make(type, parent)
    }
    if (parent) write(parent)
  }

  /** A season is told by the number in its name, so it keeps it. */
  const rename = (): void => {
    const item = pick(present(model).filter(({ type }) => type !== 'tv_season'))
    if (!item) return
    const from = pathOf(item)
    Object.assign(item, nameOf(item.type, item.parent))
    renameSync(join(root, from), join(root, pathOf(item)))
  }

  const setPresence = (item: ModelItem, isThere: boolean): void => {
    item.isThere = isThere
    for (const child of model.items) if (child.parent === item && !outside.has(child)) setPresence(child, isThere)
  }

  /** Never the last one of its kind in its place: an empty series is none, and an empty library is a disk that is off. */
  const takeAway = (): void => {
    const all = present(model)
    const item = pick(all.filter(({ type, parent }) => type !== 'tv_season' && all.filter((other) => other.parent === parent).length > 1))
    if (!item) return
    const place = join(away, String(++names))
    renameSync(join(root, pathOf(item)), place)
    outside.set(item, place)
    setPresence(item, false)
  }

  const bringBack = (): void => {
    const [item, place] = [...outside].find(([{ parent }]) => parent === null || parent.isThere) ?? []
    if (!item || place === undefined) return
    renameSync(place, join(root, pathOf(item)))
    outside.delete(item)
    setPresence(item, true)
  }

  return { add, rename, takeAway, bringBack }
}
