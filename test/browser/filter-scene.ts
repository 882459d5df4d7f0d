import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { itemKey } from '../../src/domain/item-key.ts'
import type { Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { onPage } from './on-page.ts'
import { type ServedLibraries, serveLibraries } from './scene.ts'

/** Small libraries whose tags are known to the last one, and a large one: what filters leave can be told by name. */

export const MANY_ITEMS = 20_000
/** A name that would run, were it ever taken for markup. */
export const MARKUP_NAME = '<img src=x onerror=alert(1)> lantern.txt'
export const ODD_TAG = 'C# & + % ?'

const LIBRARIES = [
  { type: 'games', name: 'Games' },
  { type: 'movies', name: 'Films' },
  { type: 'tv', name: 'Series' },
  { type: 'manga', name: 'Manga' },
  { type: 'mixed', name: 'Papers' },
] as const
type LibraryName = (typeof LIBRARIES)[number]['name']

const TREE = {
  games: {
    'Saga/Saga One/one.zip': 100,
    'Saga/Saga Two/two.zip': 100,
    'Twins/First Twin/first.zip': 100,
    'Twins/Second Twin/second.zip': 100,
    'Puzzle/puzzle.zip': 100,
  },
  movies: {
    'Alder (2001)/Alder.mkv': 20,
    'Birch (2002)/Birch.mkv': 20,
    'Cedar (2003)/Cedar.mkv': 20,
    '100% # & + ? (2004)/Odd.mkv': 20,
  },
  tv: {
    'Harbour/Season 01/Harbour S01E01.mkv': 20,
    'Harbour/Season 01/Harbour S01E02.mkv': 20,
    'Harbour/Season 01/Harbour S01E03.mkv': 20,
    'Harbour/Season 02/Harbour S02E01.mkv': 20,
    'Lonely/Season 01/Lonely S01E01.mkv': 20,
  },
  manga: { 'Ink/Ink v01/001.jpg': 100 },
}

const VOCABULARY = { Genre: ['Drama', 'Comedy'], Mood: ['Quiet', ODD_TAG], Shelf: ['Only manga'] }

/** By library and path. */
const TAGGED: [LibraryName, string, string[]][] = [
  ['Games', 'game:Saga/Saga One', ['Drama', 'Quiet']],
  ['Games', 'game:Twins/First Twin', ['Drama']],
  ['Games', 'game:Twins/Second Twin', ['Quiet']],
  ['Games', 'game:Puzzle', ['Comedy']],
  ['Films', 'movie:Alder (2001)', ['Drama', 'Quiet']],
  ['Films', 'movie:Birch (2002)', ['Drama']],
  ['Films', 'movie:Cedar (2003)', ['Quiet', ODD_TAG]],
  ['Series', 'tv_episode:Harbour/Season 01/Harbour S01E01.mkv', ['Comedy']],
  ['Series', 'tv_episode:Harbour/Season 01/Harbour S01E02.mkv', ['Comedy', 'Quiet']],
  ['Series', 'tv_episode:Harbour/Season 02/Harbour S02E01.mkv', ['Drama']],
  ['Manga', 'manga_series:Ink', ['Only manga']],
]

export interface FilterScene extends ServedLibraries {
  idOf: (name: LibraryName) => number
  /** The id of a tag by its name. */
  tag: (name: string) => number
  keyOf: (name: LibraryName, typeAndPath: string) => string
}

export const openFilterScene = async (): Promise<FilterScene> => {
  const folder = await temporaryFolder('filters')
  makeTree(join(folder.path, 'media'), TREE)
  const papers = Array.from({ length: MANY_ITEMS - 1 }, (_, index) => [`paper ${String(index).padStart(5, '0')}.txt`, 12] as const)
  makeTree(join(folder.path, 'media/mixed'), { ...Object.fromEntries(papers), [MARKUP_NAME]: 12 })
  const libraries = LIBRARIES.map(({ type, name }) => ({ type, name, path: join(folder.path, 'media', type) }))
  const served = await serveLibraries(folder, libraries)
  const { admin } = served
  const ids = new Map<string, number>((await admin.get('/api/libraries')).body.libraries.map(({ name, id }: Json) => [name, id]))
  const idOf = (name: LibraryName): number => ids.get(name) ?? 0
  const keyOf = (name: LibraryName, typeAndPath: string): string => {
    const [type = '', path = ''] = [typeAndPath.slice(0, typeAndPath.indexOf(':')), typeAndPath.slice(typeAndPath.indexOf(':') + 1)]
    return itemKey(type as Parameters<typeof itemKey>[0], idOf(name), path)
  }
  const tags = new Map<string, number>()
  for (const [category, names] of Object.entries(VOCABULARY)) {
    const made = await admin.post('/api/tags/categories', { name: category })
    for (const name of names) {
      tags.set(name, (await admin.post('/api/tags/items', { name, categoryId: made.body.category.id })).body.tag.id)
    }
  }
  const tag = (name: string): number => {
    const id = tags.get(name)
    if (id === undefined) throw new Error(`There is no tag ${name}`)
    return id
  }
  for (const [library, path, names] of TAGGED) {
    await admin.post('/api/tags/assignments/bulk', { itemKeys: [keyOf(library, path)], add: names.map(tag) })
  }
  return {
    ...served,
    idOf,
    tag,
    keyOf,
  }
}

/** Waits until exactly these are listed: the last part of each key, in any order. */
export const waitForEntries = async (page: Page, expected: readonly string[]): Promise<void> => {
  const wanted = expected.toSorted().join('\n')
  const listed = (): Promise<string> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main a[data-item-key]')]
        .map(({ dataset }) => dataset.itemKey?.replace(/^[a-z_]+:\d+:/, '').replace(/^.*\//, '') ?? '')
        .sort()
        .join('\n'),
    )
  await page
    .waitForFunction(
      (text) =>
        [...document.querySelectorAll<HTMLElement>('main a[data-item-key]')]
          .map(({ dataset }) => dataset.itemKey?.replace(/^[a-z_]+:\d+:/, '').replace(/^.*\//, '') ?? '')
          .sort()
          .join('\n') === text,
      wanted,
    )
    .catch(async () => {
      throw new Error(`Expected:\n${wanted}\nListed:\n${await listed()}`)
    })
}

/** To who does not see it. */
export const isSaid = (page: Page, text: string) =>
  page
    .locator('main [aria-live=polite]')
    .filter({ hasText: new RegExp(`^${RegExp.escape(text)}$`) })
    .waitFor({ state: 'attached' })

export const panel = (page: Page) => page.getByRole('complementary', { name: 'Filters' })
/** A tag's toggle in the panel; its name ends in the number of entries that it would leave. */
export const toggle = (page: Page, name: string) => panel(page).getByRole('button', { name: new RegExp(`^${RegExp.escape(name)} \\d+$`) })

export const ALL_FILMS = ['Alder (2001)', 'Birch (2002)', 'Cedar (2003)', '100% # & + ? (2004)']
export const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** The videos are none: nobody can make a picture of them. */
const NO_PICTURES = /api\/thumbnails/

/** How the tests go through the scene. */
export const pagesOf = (scene: () => FilterScene) => ({
  visit: (look: Parameters<typeof onPage>[1], work: Parameters<typeof onPage>[2]) =>
    onPage(scene(), { ...look, expected: look.expected ? new RegExp(`${NO_PICTURES.source}|${look.expected.source}`) : NO_PICTURES }, work),
  films: () => `/l/${scene().idOf('Films')}`,
  season: () => `/l/${scene().idOf('Series')}/s/Harbour/season/1`,
  openFilters: async (page: Page) => {
    await page.getByRole('button', { name: 'Filters' }).click()
    await panel(page).waitFor()
  },
})
