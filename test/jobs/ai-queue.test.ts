import { expect, spyOn, test } from 'bun:test'
import type { InStatement } from '@libsql/client'
import type { Writer } from '../../src/db/writer.ts'
import { createAiQueue } from '../../src/jobs/ai-queue.ts'
import { type Behaviour, MISBEHAVIOURS, says, startFakeModel } from '../support/fake-model.ts'
import { startTestApp } from '../support/test-app.ts'
import { waitFor } from '../support/test-server.ts'

const LIMIT_MS = 20_000
const OPTIONS = { isShared: false, clock: { isSettled: () => true }, isDiskNearlyFull: () => false, rested: () => undefined }

const isClaim = (statement: InStatement): boolean =>
  typeof statement !== 'string' && /^UPDATE ai_jobs SET status = 'running'/.test('sql' in statement ? statement.sql : '')

/** A writer whose claims are written, and not heard of until the test lets go. */
const withHeldClaims = (write: Writer) => {
  let gate: PromiseWithResolvers<void> | undefined
  let held = 0
  const writer: Writer = {
    ...write,
    batchOnThread: async (statements) => {
      const results = await write.batchOnThread(statements)
      if (gate && statements.some(isClaim)) {
        held += 1
        await gate.promise
      }
      return results
    },
  }
  return {
    writer,
    held: () => held,
    hold: () => {
      gate = Promise.withResolvers()
    },
    release: () => gate?.resolve(),
  }
}

test('what comes of a job that was taken back is not taken for what comes of it when it is asked for again', async () => {
  await using app = await startTestApp()
  await using model = await startFakeModel()
  const { deps } = app
  const questions: ((text: string) => void)[] = []
  const asked: Behaviour = { behave: (socket, request) => void questions.push((text) => says(text).behave(socket, request)) }
  model.answer(asked)
  await app.database.client.batch([
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/nowhere')`,
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title) VALUES (1, 'mixed_file:1:a.txt', 1, 'mixed_file', 'a.txt', 'a.txt')`,
    {
      sql: `INSERT INTO settings (key, value) VALUES ('ai', ?)`,
      args: [JSON.stringify({ endpoint: model.url, model: 'fake', enabled: true, concurrency: 2 })],
    },
    `INSERT INTO ai_jobs (id, item_id, activity, status, created_at) VALUES (1, 1, 'description', 'queued', 0)`,
  ])
  const claims = withHeldClaims(deps.write)
  const queue = createAiQueue({ ...deps, write: claims.writer }, OPTIONS)
  await queue.start()
  try {
    const first = await waitFor(
      () => questions[0],
      LIMIT_MS,
      () => 'Nothing was asked',
    )
    // Cancelled, queued again and claimed, all before the answer to the first question is heard of.
    claims.hold()
    await deps.write.batch([`UPDATE ai_jobs SET status = 'queued', owner = NULL, lease_until = NULL`])
    queue.wake()
    await waitFor(
      () => (claims.held() > 0 ? true : undefined),
      LIMIT_MS,
      () => 'It was not claimed again',
    )
    first('Of the first run.')
    await waitFor(
      () => (model.open() === 0 ? true : undefined),
      LIMIT_MS,
      () => 'The first answer was not read',
    )
    await Bun.sleep(200)
    claims.release()
    const second = await waitFor(
      () => questions[1],
      LIMIT_MS,
      () => 'Nothing was asked again',
    )
    second('Of the second run.')
    const description = await waitFor(
      async () => {
        const { rows } = await app.database.client.execute(
          `SELECT description FROM media_items WHERE id = (SELECT item_id FROM ai_jobs WHERE status = 'done')`,
        )
        return rows[0]?.description ?? undefined
      },
      LIMIT_MS,
      () => 'The job did not end',
    )
    expect(description).toBe('Of the second run.')
  } finally {
    claims.release()
    await queue.stop()
  }
})

test('a job whose request was made up for settings that have changed since is made up anew', async () => {
  await using app = await startTestApp()
  await using model = await startFakeModel()
  const { deps } = app
  const { client } = app.database
  model.answer(says('{"tags": ["Blue"]}'))
  const settings = (name: string) => JSON.stringify({ endpoint: model.url, model: name, enabled: true })
  await client.batch([
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/nowhere')`,
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title) VALUES (1, 'mixed_file:1:a.txt', 1, 'mixed_file', 'a.txt', 'a.txt')`,
    { sql: `INSERT INTO settings (key, value) VALUES ('ai', ?)`, args: [settings('before')] },
    `INSERT INTO ai_jobs (id, item_id, activity, status, created_at) VALUES (1, 1, 'tagging', 'queued', 0)`,
    `INSERT INTO tag_categories (id, name, name_key) VALUES (1, 'Colour', 'colour')`,
    `INSERT INTO tags (id, name, name_key, category_id) VALUES (1, 'Blue', 'blue', 1)`,
  ])
  const gate = Promise.withResolvers<void>()
  const read = client.execute.bind(client)
  let isReading = false
  using execute = spyOn(client, 'execute').mockImplementation(async (statement: InStatement) => {
    const found = await read(statement)
    const isOfVocabulary = typeof statement === 'string' && statement.includes('FROM tags t JOIN tag_categories c')
    if (!isOfVocabulary || isReading) return found
    isReading = true
    await gate.promise
    return found
  })
  const queue = createAiQueue(deps, OPTIONS)
  await queue.start()
  try {
    await waitFor(
      () => isReading || undefined,
      LIMIT_MS,
      () => 'The vocabulary was not read',
    )
    await client.batch([{ sql: `UPDATE settings SET value = ? WHERE key = 'ai'`, args: [settings('now')] }])
    await queue.settingsChanged()
    gate.resolve()
    const { rows } = await waitFor(
      async () => {
        const job = await client.execute("SELECT attempts, error FROM ai_jobs WHERE status = 'done'")
        return job.rows.length > 0 ? job : undefined
      },
      LIMIT_MS,
      () => 'The job did not end',
    )
    expect(model.requests.map(({ body }) => body.model)).toEqual(['now'])
    expect({ ...rows[0] }).toMatchObject({ attempts: 1, error: null })
    expect(execute).toHaveBeenCalled()
  } finally {
    gate.resolve()
    await queue.stop()
  }
})

test('what comes of a job whose item a scan has moved meanwhile is not kept, and the job is done again, uncounted', async () => {
  await using app = await startTestApp()
  await using model = await startFakeModel()
  const { deps } = app
  const { client } = app.database
  const questions: ((text: string) => void)[] = []
  model.answer({ behave: (socket, request) => void questions.push((text) => says(text).behave(socket, request)) })
  await client.batch([
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/nowhere')`,
    `INSERT INTO media_items (id, item_key, library_id, item_type, path, title) VALUES (1, 'mixed_file:1:a.txt', 1, 'mixed_file', 'a.txt', 'a.txt')`,
    {
      sql: `INSERT INTO settings (key, value) VALUES ('ai', ?)`,
      args: [JSON.stringify({ endpoint: model.url, model: 'fake', enabled: true })],
    },
    `INSERT INTO ai_jobs (id, item_id, activity, status, created_at) VALUES (1, 1, 'description', 'queued', 0)`,
  ])
  const queue = createAiQueue(deps, OPTIONS)
  await queue.start()
  try {
    const question = (index: number) =>
      waitFor(
        () => questions[index],
        LIMIT_MS,
        () => `Question ${index} was not asked`,
      )
    const first = await question(0)
    await client.execute("UPDATE media_items SET item_key = 'mixed_file:1:b.txt', path = 'b.txt', title = 'b.txt'")
    first('Of the old place.')
    const second = await question(1)
    const job = async () => {
      const { rows } = await client.execute(
        'SELECT j.status, j.attempts, m.description FROM ai_jobs j JOIN media_items m ON m.id = j.item_id',
      )
      return { ...rows[0] }
    }
    expect(await job()).toEqual({ status: 'running', attempts: 1, description: null })
    second('Of the new place.')
    await waitFor(
      async () => ((await job()).status === 'done' ? true : undefined),
      LIMIT_MS,
      () => 'The job did not end',
    )
    expect(await job()).toEqual({ status: 'done', attempts: 1, description: 'Of the new place.' })
  } finally {
    await queue.stop()
  }
})

test('that the last job has ended is said once, and not while there are others', async () => {
  await using app = await startTestApp()
  await using model = await startFakeModel()
  const { deps } = app
  const { client } = app.database
  model.answer(says('A file.'))
  const unfinished = async () => Number((await client.execute(`SELECT count(*) AS jobs FROM ai_jobs WHERE status <> 'done'`)).rows[0]?.jobs)
  const left: Promise<number>[] = []
  const queue = createAiQueue(deps, { ...OPTIONS, rested: () => void left.push(unfinished()) })
  await queue.start()
  try {
    await client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/nowhere')`,
      `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20)
        INSERT INTO media_items (id, item_key, library_id, item_type, path, title) SELECT i, 'mixed_file:1:' || i, 1, 'mixed_file', i, i FROM n`,
      {
        sql: `INSERT INTO settings (key, value) VALUES ('ai', ?)`,
        args: [JSON.stringify({ endpoint: model.url, model: 'fake', enabled: true, concurrency: 2 })],
      },
      `INSERT INTO ai_jobs (item_id, activity, status, created_at) SELECT id, 'description', 'queued', 0 FROM media_items`,
    ])
    await queue.settingsChanged()
    await waitFor(
      () => left[0],
      LIMIT_MS,
      () => 'It did not rest',
    )
    queue.wake()
    await Bun.sleep(100)
    expect(await Promise.all(left)).toEqual([0])
  } finally {
    await queue.stop()
  }
})

test('what a quick batch had claimed ahead is soon not claimed for a model that hangs', async () => {
  await using app = await startTestApp()
  await using model = await startFakeModel()
  const { deps } = app
  const { client } = app.database
  model.answer(says('A file.'))
  const count = async (status: string) =>
    Number((await client.execute({ sql: 'SELECT count(*) AS jobs FROM ai_jobs WHERE status = ?', args: [status] })).rows[0]?.jobs)
  const [QUICK, LATER] = [400, 16]
  await client.batch([
    `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/nowhere')`,
    `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${QUICK})
      INSERT INTO media_items (id, item_key, library_id, item_type, path, title) SELECT i, 'mixed_file:1:' || i, 1, 'mixed_file', i, i FROM n`,
    {
      sql: `INSERT INTO settings (key, value) VALUES ('ai', ?)`,
      args: [JSON.stringify({ endpoint: model.url, model: 'fake', enabled: true, concurrency: 2 })],
    },
    `INSERT INTO ai_jobs (item_id, activity, status, created_at) SELECT id, 'description', 'queued', 0 FROM media_items`,
  ])
  const queue = createAiQueue(deps, OPTIONS)
  await queue.start()
  try {
    await waitFor(
      async () => (await count('done')) === QUICK || undefined,
      LIMIT_MS,
      () => 'The quick ones were not done',
    )
    model.answer(MISBEHAVIOURS.hang)
    for (let item = 1; item <= LATER; item++) {
      await client.batch([`INSERT INTO ai_jobs (item_id, activity, status, created_at) VALUES (${item}, 'description', 'queued', 0)`])
      queue.wake()
      // Longer than a pace is measured for.
      await Bun.sleep(130)
    }
    expect(await count('running')).toBeLessThan(LATER / 2 + 2)
  } finally {
    await queue.stop()
  }
})

/** Until when its leases are, from now: those of one whose clock was ahead end a day later. */
const LEASES = [-1, 86_400_000]

test.each(LEASES)(
  'what another server had begun is done, though it was started later than this one, and was killed (%p)',
  async (lease) => {
    await using app = await startTestApp()
    await using model = await startFakeModel()
    const { deps } = app
    const { client } = app.database
    model.answer(says('A file.'))
    await client.batch([
      `INSERT INTO libraries (id, name, type, path) VALUES (1, 'Files', 'mixed', '/nowhere')`,
      `INSERT INTO media_items (id, item_key, library_id, item_type, path, title) VALUES (1, 'mixed_file:1:a.txt', 1, 'mixed_file', 'a.txt', 'a.txt')`,
      {
        sql: `INSERT INTO settings (key, value) VALUES ('ai', ?)`,
        args: [JSON.stringify({ endpoint: model.url, model: 'fake', enabled: true })],
      },
    ])
    const queue = createAiQueue(deps, OPTIONS)
    await queue.start()
    try {
      await client.execute({
        sql: `INSERT INTO ai_jobs (id, item_id, activity, status, created_at, owner, lease_until, attempts)
        VALUES (1, 1, 'description', 'running', 0, 'another server', ?, 1)`,
        args: [Date.now() + lease],
      })
      const status = async () => (await client.execute(`SELECT status FROM ai_jobs WHERE status = 'done'`)).rows[0]?.status ?? undefined
      expect(await waitFor(status, LIMIT_MS, () => 'It was not done')).toBe('done')
    } finally {
      await queue.stop()
    }
  },
)
