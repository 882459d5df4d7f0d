import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Deps } from '../../src/deps.ts'
import type { AiJobResult } from '../../src/domain/ai-job.ts'
import { ALL_PERMISSIONS } from '../../src/domain/permissions.ts'
import { effectStatements } from '../../src/services/ai-job-effects.ts'
import { listAiRuns, undoAiRun } from '../../src/services/ai-undo.ts'
import { mergeTags } from '../../src/services/tag-merge.ts'
import { type PictureApp, startPictureApp } from '../support/picture-app.ts'

/** Undoing a run gives back the texts that were there, and what was true of them. */

let app: PictureApp
beforeAll(async () => {
  app = await startPictureApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.renewPicture())

const setItem = (fields: string): Promise<unknown> => app.database.client.batch([`UPDATE media_items SET ${fields} WHERE id = 1`])

const item = async () => {
  const { rows } = await app.database.client.execute(
    'SELECT extracted_text AS text, text_edited AS edited, translation, translation_stale AS stale FROM media_items',
  )
  return { ...rows[0] }
}

/** A run of one job that ends with this. */
const run = async (result: AiJobResult, now = 2, payload = '{}'): Promise<number> => {
  const [created] = await app.database.client.batch([
    {
      sql: `INSERT INTO ai_runs (library_id, activity, "trigger", created_at) VALUES (1, ?, 'batch', 1) RETURNING id`,
      args: [result.activity],
    },
  ])
  const runId = Number(created?.rows[0]?.id)
  const [queued] = await app.database.client.batch([
    {
      sql: `INSERT INTO ai_jobs (item_id, activity, status, owner, created_at, run_id, payload, text_version)
        VALUES (1, ?, 'running', 'us', 1, ?, ?, (SELECT text_version FROM media_items)) RETURNING id`,
      args: [result.activity, runId, payload],
    },
  ])
  await app.database.client.batch(effectStatements([{ id: Number(queued?.rows[0]?.id), result }], { owner: 'us', now }))
  return runId
}

const undo = (runId: number) => {
  const aiQueue: Deps['aiQueue'] = { ...app.deps.aiQueue, cancelled: () => undefined }
  return undoAiRun({ ...app.deps, aiQueue }, runId)
}

test('a first translation leaves none behind, not even a stale one', async () => {
  await setItem("extracted_text = 'Closed'")
  const runId = await run({ activity: 'translation', text: 'Zu', source: 'Closed' })
  expect(await item()).toMatchObject({ translation: 'Zu', stale: 0 })
  await setItem('translation_stale = 1')
  expect(await undo(runId)).toMatchObject({ undone: 1, kept: 0 })
  expect(await item()).toMatchObject({ translation: null, stale: 0 })
})

test('a translation that was stale before is stale again', async () => {
  await setItem("extracted_text = 'Closed today', translation = 'Zu', translation_stale = 1")
  const runId = await run({ activity: 'translation', text: 'Heute zu', source: 'Closed today' })
  expect(await item()).toMatchObject({ translation: 'Heute zu', stale: 0 })
  await undo(runId)
  expect(await item()).toMatchObject({ translation: 'Zu', stale: 1 })
})

test('a translation of a text that has changed since comes back stale', async () => {
  await setItem("extracted_text = 'Closed', translation = 'Geschlossen'")
  const runId = await run({ activity: 'translation', text: 'Zu', source: 'Closed' })
  await setItem("extracted_text = 'Open', translation_stale = 1")
  await undo(runId)
  expect(await item()).toMatchObject({ translation: 'Geschlossen', stale: 1 })
})

test('a text that was edited since stays', async () => {
  const runId = await run({ activity: 'extraction', text: 'Read' })
  await setItem("extracted_text = 'Typed', text_version = text_version + 1")
  expect(await undo(runId)).toMatchObject({ undone: 0, kept: 1 })
  expect(await item()).toMatchObject({ text: 'Typed' })
})

test('a text that was edited before is an edited one again', async () => {
  for (const before of [1, 0]) {
    await setItem(`extracted_text = 'Typed', text_edited = ${before}, text_version = 1`)
    const runId = await run({ activity: 'extraction', text: 'Read' })
    expect(await item()).toMatchObject({ text: 'Read', edited: 0 })
    await undo(runId)
    expect(await item()).toMatchObject({ text: 'Typed', edited: before })
  }
})

test('a translation of the text that comes back is not stale, unless it was so before or is of another text since', async () => {
  for (const stale of [0, 1]) {
    await setItem(`extracted_text = 'Closed', text_edited = 0, translation = 'Zu', translation_stale = ${stale}`)
    const runId = await run({ activity: 'extraction', text: 'Open' })
    expect(await item()).toMatchObject({ text: 'Open', translation: 'Zu', stale: 1 })
    await undo(runId)
    expect(await item()).toMatchObject({ text: 'Closed', translation: 'Zu', stale })
  }
  await setItem('translation_stale = 0')
  const same = await run({ activity: 'extraction', text: 'Closed' })
  await undo(same)
  expect(await item()).toMatchObject({ text: 'Closed', translation: 'Zu', stale: 0 })
  const [read, translated] = [
    await run({ activity: 'extraction', text: 'Open' }, 3),
    await run({ activity: 'translation', text: 'Offen', source: 'Open' }, 4),
  ]
  await undo(read)
  expect(await item()).toMatchObject({ text: 'Closed', translation: 'Offen', stale: 1 })
  await undo(translated)
})

test('a translation that comes back before its text does is as stale with that as it was', async () => {
  for (const stale of [1, 0]) {
    await setItem(`extracted_text = 'Closed', text_edited = 0, translation = 'Zu', translation_stale = ${stale}`)
    const translated = await run({ activity: 'translation', text: 'Geschlossen', source: 'Closed' }, 5)
    const read = await run({ activity: 'extraction', text: 'Open' }, 6)
    await undo(translated)
    expect(await item()).toMatchObject({ text: 'Open', translation: 'Zu', stale: 1 })
    await undo(read)
    expect(await item()).toMatchObject({ text: 'Closed', translation: 'Zu', stale })
    await app.renewPicture()
  }
})

test('a text that a scan had read and translated leaves no translation behind', async () => {
  await setItem('extracted_text = NULL, text_edited = 0, translation = NULL, translation_stale = 0')
  const runId = await run({ activity: 'extraction', text: 'Guten Tag' }, 2, '{"thenTranslate":true}')
  const [begun] = await app.database.client.batch([
    "UPDATE ai_jobs SET status = 'running', owner = 'us' WHERE status = 'queued' RETURNING id",
  ])
  const result = { activity: 'translation', text: 'Good day', source: 'Guten Tag' } as const
  await app.database.client.batch(effectStatements([{ id: Number(begun?.rows[0]?.id), result }], { owner: 'us', now: 3 }))
  expect(await item()).toMatchObject({ text: 'Guten Tag', translation: 'Good day' })
  expect(await undo(runId)).toMatchObject({ undone: 2, kept: 0 })
  expect(await item()).toEqual({ text: null, edited: 0, translation: null, stale: 0 })
})

test('nor one that is still to come', async () => {
  await setItem('extracted_text = NULL, text_edited = 0, translation = NULL, translation_stale = 0')
  const runId = await run({ activity: 'extraction', text: 'Guten Tag' }, 2, '{"thenTranslate":true}')
  expect(await undo(runId)).toMatchObject({ undone: 1, kept: 0, cancelled: 1 })
})

test('a tag that was merged into another since is taken back under its new name, unless the item had it before', async () => {
  const { client } = app.database
  const admin = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null } as const
  await client.batch([
    "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Kind', 'kind')",
    "INSERT INTO tags (id, category_id, name, name_key) VALUES (1, 1, 'Lake', 'lake'), (2, 1, 'Hill', 'hill'), (3, 1, 'Water', 'water'), (4, 1, 'Height', 'height')",
  ])
  const tags = async () =>
    (await client.execute('SELECT tag_id FROM item_tags WHERE item_id = 1 ORDER BY tag_id')).rows.map((row) => Number(row.tag_id))
  const [lake, hill] = [
    { id: 1, name: 'Lake' },
    { id: 2, name: 'Hill' },
  ]
  await run({ activity: 'tagging', tags: [hill], suggestions: [] }, 2)
  const runId = await run({ activity: 'tagging', tags: [hill, lake], suggestions: [] }, 3)
  for (const [id, intoTagId] of [
    [1, 3],
    [2, 4],
  ] as const)
    await mergeTags(app.deps, admin, { id, intoTagId })
  expect(await tags()).toEqual([3, 4])
  expect(await undo(runId)).toMatchObject({ undone: 1, kept: 0 })
  expect(await tags()).toEqual([4])
})

test('a run of which the undoing was cut short is to be undone still, and is once that is done', async () => {
  const admin = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null } as const
  await setItem('description = NULL')
  const runId = await run({ activity: 'description', text: 'A hill.' })
  const undoneAt = async () => (await listAiRuns(app.deps, admin, { limit: 100 })).runs.find(({ id }) => id === runId)?.undoneAt
  await app.database.client.execute(
    "CREATE TRIGGER cut BEFORE UPDATE OF description ON media_items BEGIN SELECT RAISE(ABORT, 'The disk is full.'); END",
  )
  await expect(undo(runId)).rejects.toThrow('The disk is full.')
  expect(await undoneAt()).toBeNull()
  await app.database.client.execute('DROP TRIGGER cut')
  expect(await undo(runId)).toMatchObject({ undone: 1, kept: 0 })
  expect(await undoneAt()).toEqual(expect.any(String))
})

test('a tag that a re-tagging took off comes back under the name that it was merged into since, however often, unless somebody took that off', async () => {
  const { client } = app.database
  const admin = { userId: 1, username: 'admin', role: 'admin', permissions: ALL_PERMISSIONS, libraryIds: null } as const
  await client.batch([
    'DELETE FROM tag_categories',
    "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Kind', 'kind')",
    `INSERT INTO tags (id, category_id, name, name_key) SELECT 10 + value, 1, 'Tag ' || value, 'tag ' || value FROM json_each('[1,2,3,4,5]')`,
  ])
  const tag = (id: number) => ({ id, name: `Tag ${id - 10}` })
  const tags = async () =>
    (await client.execute('SELECT tag_id, source FROM item_tags WHERE item_id = 1 ORDER BY tag_id')).rows.map((row) => [
      row.tag_id,
      row.source,
    ])
  await run({ activity: 'tagging', tags: [tag(11), tag(14)], suggestions: [] }, 2)
  const runId = await run({ activity: 'tagging', tags: [tag(15)], suggestions: [] }, 3)
  for (const [id, intoTagId] of [
    [11, 12],
    [12, 13],
  ] as const)
    await mergeTags(app.deps, admin, { id, intoTagId })
  expect(await tags()).toEqual([[15, 'ai']])
  await client.batch(['INSERT INTO tag_refusals (item_id, tag_id, created_at) VALUES (1, 14, 5)'])
  expect(await undo(runId)).toMatchObject({ undone: 1, kept: 0 })
  expect(await tags()).toEqual([[13, 'ai']])
  await client.batch(['DELETE FROM tags WHERE id = 13'])
  expect((await client.execute('SELECT * FROM merged_tags')).rows).toEqual([])
})
