import { expect, test } from 'bun:test'
import { linkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type ScanScene, startScene } from '../support/scan-scene.ts'

/** What a container says that it holds is what it lists, wherever its children have gone. */

const countsOf = async (scene: ScanScene): Promise<Record<string, number>> => {
  const rows = await scene.index.query<{ path: string; kept: number; listed: number }>(
    `SELECT path, child_count AS kept, (SELECT count(*) FROM media_items c WHERE c.parent_id = m.id AND c.missing_since IS NULL) AS listed
      FROM media_items m WHERE m.missing_since IS NULL AND EXISTS (SELECT 1 FROM media_items c WHERE c.parent_id = m.id) ORDER BY path`,
  )
  for (const { path, kept, listed } of rows) expect(`${path} ${kept}`).toBe(`${path} ${listed}`)
  return Object.fromEntries(rows.map(({ path, kept }) => [path, kept]))
}

test('a series that a game has moved out of counts one less, and the other one more', async () => {
  await using scene = await startScene({
    games: {
      Mario: { Kart: { 'kart.zip': 10 }, Party: { 'party.zip': 20 }, Golf: { 'golf.zip': 30 } },
      Zelda: { Ocarina: { 'o.zip': 40 }, Majora: { 'm.zip': 50 } },
    },
  })
  expect(await countsOf(scene)).toEqual({ Mario: 3, Zelda: 2 })
  renameSync(join(scene.rootOf('games'), 'Mario/Golf'), join(scene.rootOf('games'), 'Zelda/Golf'))
  expect(await scene.scan('games')).toMatchObject({ status: 'done', moved: 1 })
  expect(await countsOf(scene)).toEqual({ Mario: 2, Zelda: 3 })
  const { body } = await scene.admin.get('/api/browse', {
    libraryId: scene.idOf('games'),
    parentKey: `game_series:${scene.idOf('games')}:Mario`,
  })
  expect([body.total, body.parent.childCount, body.entries.length]).toEqual([2, 2, 2])
})

test('a season that an episode has moved out of counts one less', async () => {
  await using scene = await startScene({
    tv: { Firefly: { 'Season 01': { 'Firefly S01E01.mkv': 10, 'Firefly S01E02.mkv': 20 }, 'Season 02': { 'Firefly S02E01.mkv': 30 } } },
  })
  const season = (number: number): string => join(scene.rootOf('tv'), `Firefly/Season 0${number}`)
  renameSync(join(season(1), 'Firefly S01E02.mkv'), join(season(2), 'Firefly S02E02.mkv'))
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', moved: 1 })
  expect(await countsOf(scene)).toEqual({ Firefly: 2, 'Firefly/Season 01': 1, 'Firefly/Season 02': 2 })
})

test('a season counts one less where an episode in its folder goes to a new season, without leaving its place', async () => {
  await using scene = await startScene({
    tv: { Other: { 'Other S01E01.mkv': 5 }, Show: { 'Season 2': { 'Show S11E01.mkv': 10 }, Disc: { 'Show S02E01.mkv': 20 } } },
  })
  expect(await countsOf(scene)).toMatchObject({ Show: 1, 'Show/Season 2': 2 })
  // A link, because what may have moved waits for the end of the scan, and the season with it.
  linkSync(join(scene.rootOf('tv'), 'Other/Other S01E01.mkv'), join(scene.rootOf('tv'), 'Show/Show S11E02.mkv'))
  expect(await scene.scan('tv')).toMatchObject({ status: 'done', added: 2 })
  expect(await countsOf(scene)).toMatchObject({ Show: 2, 'Show/Season 2': 1, 'Show/#season-11': 2 })
})
