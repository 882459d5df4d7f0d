import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeTree } from '../support/library-tree.ts'
import { type ScanScene, startScene } from '../support/scan-scene.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(2 * LIMIT_MS)

/** Every item is in the indexes of what is still to do, and has its kept entry and its name in the full-text tables. */
const isKept = async ({ index }: ScanScene): Promise<true | undefined> => {
  const [row] = await index.query<{ unsettled: number; entries: number; titles: number }>(
    `SELECT (SELECT count(*) FROM media_items WHERE is_new) + (SELECT count(new_after) FROM libraries) AS unsettled,
      (SELECT count(*) FROM media_items WHERE entry IS NULL) AS entries,
      (SELECT count(*) FROM media_items WHERE id > (SELECT indexed_up_to FROM search_state)) AS titles`,
  )
  return row?.unsettled === 0 && row.entries === 0 && row.titles === 0 ? true : undefined
}

test('what a scan leaves for later is done after it without anybody asking, after the first scan and after every other', async () => {
  const names = (from: number) => Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`file ${from + i}.txt`, 1]))
  await using scene = await startScene({ mixed: names(0), games: { 'Doom/doom.zip': 5 } })
  await waitFor(
    () => isKept(scene),
    LIMIT_MS,
    () => 'The first scan left something undone',
  )
  makeTree(scene.rootOf('mixed'), names(700))
  await scene.scan('mixed')
  await waitFor(
    () => isKept(scene),
    LIMIT_MS,
    () => 'The second scan left something undone',
  )
  expect(await scene.index.query('SELECT count(*) AS n FROM search_titles WHERE search_titles MATCH \'"file 1399"\'')).toEqual([{ n: 1 }])
})
