import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { effectStatements } from '../../src/services/ai-job-effects.ts'
import { type PictureApp, startPictureApp } from '../support/picture-app.ts'

/** What a finished job puts on its item; how it is taken back is in ai-undo.test.ts. */

let app: PictureApp
beforeAll(async () => {
  app = await startPictureApp()
  await app.database.client.batch([
    "INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Kind', 'kind')",
    `INSERT INTO tags (id, category_id, name, name_key)
      VALUES (1, 1, 'Lake', 'lake'), (2, 1, 'Hill', 'hill'), (3, 1, 'Tree', 'tree'), (4, 1, 'Boat', 'boat')`,
    "INSERT INTO tag_mappings (source_key, source, tag_id) VALUES ('pond', 'Pond', 1)",
  ])
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => app.renewPicture())

/** A job of the item ends with these tags, at this time. Answers what it keeps for undoing. */
const tagWith = async (tags: [id: number, name: string][], now: number, owner = 'us') => {
  const { client } = app.database
  const [queued] = await client.batch([
    `INSERT INTO ai_jobs (item_id, activity, status, owner, created_at) VALUES (1, 'tagging', 'running', '${owner}', 1) RETURNING id`,
  ])
  const id = Number(queued?.rows[0]?.id)
  const result = { activity: 'tagging' as const, tags: tags.map(([tag, name]) => ({ id: tag, name })), suggestions: ['Fog'] }
  await client.batch(effectStatements([{ id, result }], { owner: 'us', now }))
  const { rows } = await client.execute({ sql: 'SELECT status, effect, suggestions FROM ai_jobs WHERE id = ?', args: [id] })
  const [row] = rows
  return { status: row?.status, suggestions: row?.suggestions, effect: JSON.parse(String(row?.effect ?? null)) }
}

const assigned = async () => {
  const { rows } = await app.database.client.execute(
    'SELECT tag_id AS tag, source, created_at AS at FROM item_tags WHERE item_id = 1 ORDER BY tag_id',
  )
  return rows.map(({ tag, source, at }) => `${tag} ${source} ${at}`)
}

const taggedAt = async () => (await app.database.client.execute('SELECT ai_tagged_at AS at FROM media_items WHERE id = 1')).rows[0]?.at

test('tags that stay are not put on anew, those that are no more are taken off, and others come', async () => {
  expect(
    await tagWith(
      [
        [2, 'Hill'],
        [1, 'Lake'],
      ],
      10,
    ),
  ).toEqual({
    status: 'done',
    effect: { before: [], after: [1, 2], taggedAt: null },
    suggestions: '["Fog"]',
  })
  expect(await assigned()).toEqual(['1 ai 10', '2 ai 10'])
  const next = await tagWith(
    [
      [3, 'Tree'],
      [2, 'Hill'],
    ],
    20,
  )
  expect(next.effect).toEqual({ before: [1, 2], after: [2, 3], taggedAt: 10 })
  expect(await assigned()).toEqual(['2 ai 10', '3 ai 20'])
  await tagWith(
    [
      [2, 'Hill'],
      [3, 'Tree'],
    ],
    30,
  )
  expect(await assigned()).toEqual(['2 ai 10', '3 ai 20'])
  expect(await taggedAt()).toBe(30)
  await tagWith([], 40)
  expect(await assigned()).toEqual([])
})

test('a tag of somebody stays theirs, and what somebody took off stays off', async () => {
  await app.database.client.batch([
    "INSERT INTO item_tags (item_id, tag_id, source, created_at) VALUES (1, 2, 'user', 5)",
    'INSERT INTO tag_refusals (item_id, tag_id, created_at) VALUES (1, 3, 5)',
  ])
  const { effect } = await tagWith(
    [
      [2, 'Hill'],
      [3, 'Tree'],
      [4, 'Boat'],
    ],
    10,
  )
  expect(effect).toMatchObject({ before: [], after: [4] })
  expect(await assigned()).toEqual(['2 user 5', '4 ai 10'])
})

test('nor does it stay where a merge has put it back', async () => {
  await app.database.client.batch([
    "INSERT INTO item_tags (item_id, tag_id, source, created_at) VALUES (1, 3, 'ai', 5)",
    'INSERT INTO tag_refusals (item_id, tag_id, created_at) VALUES (1, 3, 5)',
  ])
  const { effect } = await tagWith([[3, 'Tree']], 10)
  expect(effect).toMatchObject({ before: [3], after: [] })
  expect(await assigned()).toEqual([])
})

test('a tag that was merged meanwhile is found by its name, once, and one that is gone is left out', async () => {
  const { effect } = await tagWith(
    [
      [90, 'Pond'],
      [1, 'Lake'],
      [91, 'Moon'],
    ],
    10,
  )
  expect(effect).toMatchObject({ after: [1] })
  expect(await assigned()).toEqual(['1 ai 10'])
})

test('a job of another owner changes nothing', async () => {
  expect(await tagWith([[1, 'Lake']], 10, 'others')).toMatchObject({ status: 'running', effect: null })
  expect(await assigned()).toEqual([])
  expect(await taggedAt()).toBeNull()
})

/** An extraction that was asked for at this version of the text ends, with one page. */
const extract = async (id: number, text: string, version: number): Promise<void> => {
  await app.database.client.batch([
    `INSERT INTO ai_jobs (id, item_id, activity, status, owner, created_at, text_version) VALUES (${id}, 1, 'extraction', 'running', 'us', 1, ${version})`,
    `INSERT INTO ai_job_pages (job_id, page, text, source) VALUES (${id}, 0, '${text}', 'ocr')`,
    ...effectStatements([{ id, result: { activity: 'extraction', text } }], { owner: 'us', now: id }),
  ])
}

const pageTexts = async () =>
  (await app.database.client.execute('SELECT job_id AS job, text FROM ai_job_pages ORDER BY job_id')).rows.map(
    ({ job, text }) => `${job} ${text}`,
  )

test('an extraction takes the place of the pages of the one before, unless it is put away since the text was edited meanwhile', async () => {
  await extract(1001, 'Closed', 0)
  await extract(1002, 'Open', 0)
  expect(await pageTexts()).toEqual(['1002 Open'])
  await app.database.client.batch(["UPDATE media_items SET extracted_text = 'Typed', text_version = 1"])
  await extract(1003, 'Odd', 0)
  expect(await pageTexts()).toContain('1002 Open')
})
