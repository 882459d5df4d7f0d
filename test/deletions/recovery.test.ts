/** What was cut off and cannot be settled before scans and people come along: seen from within, row by row. */

import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deletions } from '../../src/db/schema/deletions.ts'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { createRemovals } from '../../src/jobs/removals.ts'
import { settleMoved } from '../../src/services/deletion-journal.ts'
import { recoverDeletion, recoverDeletions } from '../../src/services/deletion-recovery.ts'
import { deleteItem } from '../../src/services/item-delete.ts'
import { purgeMissing } from '../../src/services/library-contents.ts'
import { startTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 20_000
const AT = Date.now() - 60_000
const HOLDING = '.vitrine-trash-1-0badcafe'
const ADMIN = { userId: 1, username: 'admin', role: 'admin' as const, permissions: ALL_PERMISSIONS, libraryIds: null }

/** A film on its way to the trash, with a tag, in a library whose disk has nothing but another film. */
const startCutOff = async ({ missingSince = null as number | null, trashUntil = (AT + 3_600_000) as number | null, at = AT } = {}) => {
  const app = await startTestApp()
  const { client } = app.database
  const root = join(app.deps.config.dataDir, 'library')
  mkdirSync(join(root, 'Other (2000)'), { recursive: true })
  await client.batch([
    { sql: "INSERT INTO libraries (id, name, type, path, real_path) VALUES (1, 'Films', 'movies', ?1, ?1)", args: [root] },
    {
      sql: `INSERT INTO media_items (id, item_key, library_id, item_type, path, title, unit, identity, modified_at, missing_since)
        VALUES (7, 'movie:1:A', 1, 'movie', 'A', 'A', 'A', '1-2', 5, ?)`,
      args: [missingSince],
    },
    {
      sql: `INSERT INTO deletions (id, library_id, item_id, item_key, item_type, title, unit, folder, holding, state, files, bytes, trash_until, created_by, at)
        VALUES (1, 1, 7, 'movie:1:A', 'movie', 'A', 'A', 'A', ?, 'moving', 1, 1, ?, 'anna', ?)`,
      args: [HOLDING, trashUntil, at],
    },
  ])
  const journal = async () => (await client.execute('SELECT state, item_id FROM deletions')).rows.map((row) => [row.state, row.item_id])
  const items = async () =>
    (await client.execute('SELECT item_key, missing_since FROM media_items')).rows.map((row) => [row.item_key, row.missing_since])
  return { app, client, root, journal, items, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('a disk that comes back only after a scan: what lies hidden on it is in the trash soon, and no purge takes it', async () => {
  await using scene = await startCutOff({ missingSince: AT + 30_000 })
  const { deps } = scene.app
  mkdirSync(join(scene.root, HOLDING))
  renameSync(scene.root, `${scene.root}-away`)
  const unsettled = await recoverDeletions(deps, { isShared: false })
  expect(unsettled).toEqual([1])
  expect(await purgeMissing(deps, ADMIN, 1)).toBe(0)

  const removals = createRemovals(deps, { clock: { isSettled: () => false }, unsettled, isShared: false, settleEveryMs: 10 })
  renameSync(`${scene.root}-away`, scene.root)
  await waitFor(
    async () => ((await scene.journal())[0]?.[0] === 'trashed' ? true : undefined),
    LIMIT_MS,
    () => 'The journal was not settled',
  )
  await removals.stop()
  expect(await scene.items()).toEqual([['movie:1:A', AT]])
  expect(await purgeMissing(deps, ADMIN, 1)).toBe(0)
  expect(await scene.journal()).toEqual([['trashed', 7]])
})

for (const trashUntil of [null, AT + 3_600_000])
  test(`what a scan has found elsewhere before the journal was settled lives on there, ${trashUntil ? 'with' : 'without'} a trash`, async () => {
    await using scene = await startCutOff({ trashUntil })
    mkdirSync(join(scene.root, HOLDING))
    await scene.client.execute("UPDATE media_items SET item_key = 'movie:1:B', path = 'B', unit = 'B'")
    expect(await recoverDeletion(scene.app.deps, 1, { isShared: false })).toBe(true)
    expect(await scene.items()).toEqual([['movie:1:B', null]])
  })

for (const { trashUntil, journal } of [
  { trashUntil: null, journal: [] },
  { trashUntil: AT + 3_600_000, journal: [['trashed', 7]] },
])
  test(`what somebody has taken off the disk is under way no longer, ${trashUntil ? 'with' : 'without'} a trash`, async () => {
    await using scene = await startCutOff({ trashUntil })
    expect(await recoverDeletions(scene.app.deps, { isShared: false })).toEqual([])
    expect(await scene.journal()).toEqual(journal)
    expect(await scene.items()).toEqual([['movie:1:A', null]])
  })

for (const trashDays of [0, 7])
  test(`what somebody renames in the moment of its deletion is not in the trash, of ${trashDays} days`, async () => {
    await using scene = await startCutOff()
    const { deps } = scene.app
    const here = (name: string): string => join(scene.root, name)
    mkdirSync(here('A'))
    writeFileSync(join(here('A'), 'a.mkv'), 'film')
    await scene.client.batch([`UPDATE libraries SET trash_days = ${trashDays}`, 'DELETE FROM deletions'])
    const removals = createRemovals(deps, { clock: { isSettled: () => false }, unsettled: [], isShared: false })
    const transaction: typeof deps.write.transaction = async (work, priority) => {
      const result = await deps.write.transaction(work, priority)
      if (existsSync(here('A'))) renameSync(here('A'), here('B'))
      return result
    }
    const deletion = deleteItem({ ...deps, removals, write: { ...deps.write, transaction } }, ADMIN, 'movie:1:A')
    expect(await deletion.catch((error: unknown) => error)).toMatchObject({ code: 'unavailable' })
    await removals.stop()
    expect([await scene.journal(), await scene.items()]).toEqual([[], [['movie:1:A', null]]])
  })

test('what could not be restored while its library lies elsewhere waits in the trash, though its like is there', async () => {
  await using scene = await startCutOff()
  mkdirSync(join(scene.root, 'A'))
  await scene.client.execute("UPDATE deletions SET state = 'restoring', root_path = '/elsewhere'")
  expect(await recoverDeletion(scene.app.deps, 1, { isShared: false })).toBe(true)
  expect(await scene.journal()).toEqual([['trashed', 7]])
})

test('what was later than the clock at a deletion counts once it is over, and as long as nobody knows what time it is', async () => {
  const [now, day] = [Date.now(), 24 * 3_600_000]
  const ahead = now + 1825 * day
  for (const { at, laterTimes, isSettled, isKept } of [
    { at: now - 8 * day, laterTimes: [ahead], isSettled: true, isKept: false },
    { at: now - 8 * day, laterTimes: [ahead], isSettled: false, isKept: true },
    { at: now - 40 * day, laterTimes: [now - 20 * day, now - day, ahead], isSettled: true, isKept: true },
    { at: now - 40 * day, laterTimes: [now - 20 * day, now - 8 * day], isSettled: true, isKept: false },
    { at: now - 6 * day, laterTimes: null, isSettled: true, isKept: true },
    { at: now - 8 * day, laterTimes: null, isSettled: true, isKept: false },
  ]) {
    await using scene = await startCutOff({ at, trashUntil: (laterTimes?.at(-1) ?? at) + 7 * day })
    await scene.app.deps.db.update(deletions).set({ state: 'trashed', laterTimes })
    const removals = createRemovals(scene.app.deps, { clock: { isSettled: () => isSettled }, unsettled: [], isShared: false })
    removals.wake()
    await removals.stop()
    expect((await scene.journal()).map(([state]) => state)).toEqual([isKept ? 'trashed' : 'removing'])
  }
})

for (const trashUntil of [null, AT + 3_600_000])
  describe(`servers that share a database, ${trashUntil ? 'with' : 'without'} a trash`, () => {
    test('one that starts leaves alone what another may be about to move, for a while', async () => {
      for (const { at, isShared, left } of [
        { at: Date.now(), isShared: true, left: [1] },
        { at: Date.now(), isShared: false, left: [] },
        { at: AT - 1, isShared: true, left: [] },
      ]) {
        await using scene = await startCutOff({ trashUntil, at })
        mkdirSync(join(scene.root, 'A'))
        expect(await recoverDeletions(scene.app.deps, { isShared })).toEqual(left)
        expect(await scene.journal()).toEqual(left.map(() => ['moving', 7]))
      }
    })

    test('what another has given up takes nothing from the index any more', async () => {
      await using scene = await startCutOff({ trashUntil })
      const { deps } = scene.app
      const [row] = await deps.db.select().from(deletions)
      if (!row) throw new Error('There is no deletion')
      mkdirSync(join(scene.root, 'A'))
      await recoverDeletions(deps, { isShared: true })
      await expect(settleMoved(deps, row)).rejects.toMatchObject({ code: 'conflict' })
      expect(await scene.items()).toEqual([['movie:1:A', null]])
    })

    test('what another has brought to its end is done', async () => {
      await using scene = await startCutOff({ trashUntil })
      const { deps } = scene.app
      const [row] = await deps.db.select().from(deletions)
      if (!row) throw new Error('There is no deletion')
      mkdirSync(join(scene.root, HOLDING))
      await recoverDeletions(deps, { isShared: true })
      const journal = await scene.journal()
      await settleMoved(deps, row)
      expect(await scene.journal()).toEqual(journal)
      expect(await scene.items()).toEqual(trashUntil ? [['movie:1:A', AT]] : [])
    })
  })
