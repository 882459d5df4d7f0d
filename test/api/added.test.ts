import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/http-client.ts'
import { startScene } from '../support/scan-scene.ts'

setDefaultTimeout(60_000)

const FILM = { 'film.mkv': 3 }

test('what one scan has found is ordered by the dates of its files; what a later one finds is newer, however old its file', async () => {
  await using scene = await startScene({ movies: { Alien: FILM, Brazil: FILM, Contact: FILM, Delicatessen: FILM } })
  const date = (title: string, day: string): void =>
    utimesSync(join(scene.rootOf('movies'), title, 'film.mkv'), new Date(day), new Date(day))
  const listed = async (query: Record<string, string | number>): Promise<{ titles: string[]; nextCursor: string | null }> => {
    const { status, body } = await scene.admin.get('/api/browse', { libraryId: scene.idOf('movies'), sort: 'added', ...query })
    expect(status).toBe(200)
    return { titles: body.entries.map(({ title }: Json) => title), nextCursor: body.nextCursor }
  }
  const walked = async (order: 'asc' | 'desc'): Promise<string[]> => {
    const titles: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { titles: string[]; nextCursor: string | null } = await listed({ order, limit: 1, ...(cursor && { cursor }) })
      titles.push(...page.titles)
      cursor = page.nextCursor
    }
    return titles
  }

  date('Alien', '2019-04-01')
  date('Brazil', '2023-04-01')
  date('Contact', '2011-04-01')
  date('Delicatessen', '2023-04-01')
  await scene.scan('movies')
  const first = ['Contact', 'Alien', 'Brazil', 'Delicatessen']
  expect([await walked('asc'), await walked('desc')]).toEqual([first, first.toReversed()])

  mkdirSync(join(scene.rootOf('movies'), 'Eraserhead'))
  writeFileSync(join(scene.rootOf('movies'), 'Eraserhead/film.mkv'), 'Eraserhead')
  date('Eraserhead', '1999-04-01')
  await scene.scan('movies')
  const second = [...first, 'Eraserhead']
  expect([await walked('asc'), await walked('desc')]).toEqual([second, second.toReversed()])
  expect((await listed({ order: 'desc', limit: 3 })).titles).toEqual(['Eraserhead', 'Delicatessen', 'Brazil'])
})
