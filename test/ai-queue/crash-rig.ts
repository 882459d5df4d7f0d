import { expect } from 'bun:test'
import { type AiScene, LIMIT_MS, makeTag, startAiScene, titleIn } from '../support/ai-scene.ts'
import type { Behaviour } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { waitFor } from '../support/test-server.ts'

/**
 * Kills the server (SIGKILL) at a point of a job's life, starts it again, and looks at what is left: no job is lost, none
 * is stuck, and what a job changes is changed once. The database itself counts the changes, by triggers of the test's own.
 */

export const POINTS = [
  'asked',
  'asked, 3 ms later',
  'claimed',
  'the endpoint has the question',
  'the endpoint has the question, 5 ms later',
  'half of the answer is sent',
  'the answer is sent',
  'the answer is sent, 1 ms later',
  'the answer is sent, 3 ms later',
  'the answer is sent, 8 ms later',
  'the change is seen',
  'several jobs at once, 10 ms after the first answer',
] as const
type Point = (typeof POINTS)[number]

const DELAYS_MS: Partial<Record<Point, number>> = {
  'asked, 3 ms later': 3,
  'the endpoint has the question, 5 ms later': 5,
  'the answer is sent, 1 ms later': 1,
  'the answer is sent, 3 ms later': 3,
  'the answer is sent, 8 ms later': 8,
  'several jobs at once, 10 ms after the first answer': 10,
}

const COUNTERS = [
  'CREATE TABLE IF NOT EXISTS test_changes (id INTEGER PRIMARY KEY, what TEXT NOT NULL, item_id INTEGER NOT NULL, value TEXT)',
  `CREATE TRIGGER IF NOT EXISTS test_described AFTER UPDATE OF description ON media_items
    BEGIN INSERT INTO test_changes (what, item_id, value) VALUES ('described', new.id, new.description); END`,
  `CREATE TRIGGER IF NOT EXISTS test_tagged AFTER INSERT ON item_tags
    BEGIN INSERT INTO test_changes (what, item_id, value) VALUES ('tagged', new.item_id, new.tag_id); END`,
]

const FILES = 6
const path = (index: number): string => `file ${index}.txt`

export interface CrashRig extends AsyncDisposable {
  /** One round: throws where a job is lost, stuck, or done twice. */
  round: (point: Point, round: number) => Promise<void>
}

/** Answers in two parts, and says when each is on its way. */
const answering = (text: string, said: (step: 'question' | 'half' | 'answer', title: string) => void): ((request: Json) => Behaviour) => {
  return (request) => ({
    behave: (socket) => {
      const title = titleIn(request)
      said('question', title)
      const body = JSON.stringify({ choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }] })
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
      socket.write(body.slice(0, 20), () => {
        said('half', title)
        setTimeout(() => socket.end(body.slice(20), () => said('answer', title)), 10)
      })
    },
  })
}

const stepOf = (point: Point): 'question' | 'half' | 'answer' | undefined => {
  if (point.includes('question')) return 'question'
  if (point.startsWith('half')) return 'half'
  return point.includes('answer') ? 'answer' : undefined
}

export const startCrashRig = async (): Promise<CrashRig> => {
  const ai: AiScene = await startAiScene(Object.fromEntries(Array.from({ length: FILES }, (_, index) => [path(index), `content ${index}`])))
  await ai.configure({ concurrency: 4 })
  await makeTag(ai.admin, 'Crash')
  for (const sql of COUNTERS) await ai.scene.index.query(sql)

  const untilPoint = async (point: Point, ids: readonly number[], step: Promise<void>): Promise<void> => {
    if (stepOf(point)) await step
    else if (point === 'claimed')
      await waitFor(
        async () => ((await rowsOf(ids)).some(({ status }) => status !== 'queued') ? true : undefined),
        LIMIT_MS,
        () => 'Nothing was claimed',
      )
    else if (point === 'the change is seen')
      await waitFor(
        async () => ((await rowsOf(ids)).every(({ status }) => status === 'done') ? true : undefined),
        LIMIT_MS,
        () => 'Nothing was done',
      )
    await Bun.sleep(DELAYS_MS[point] ?? 0)
  }

  const rowsOf = (ids: readonly number[]) =>
    ai.scene.index.query<{ id: number; itemId: number; activity: string; status: string; attempts: number }>(
      'SELECT id, item_id AS itemId, activity, status, attempts FROM ai_jobs WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id',
      [JSON.stringify(ids)],
    )

  const round: CrashRig['round'] = async (point, number) => {
    const reached = Promise.withResolvers<void>()
    const step = stepOf(point)
    const text = `{"tags": ["Crash"], "round": ${number}}`
    ai.model.answer(answering(text, (now) => now === step && reached.resolve()))
    await ai.scene.index.query('DELETE FROM item_tags')
    await ai.scene.index.query('DELETE FROM test_changes')
    const indexes = point.startsWith('several') ? Array.from({ length: FILES }, (_, index) => index) : [number % FILES]
    const ids: number[] = []
    for (const index of indexes) ids.push(await ai.ask('describe', path(index)), await ai.ask('tag', path(index)))
    await untilPoint(point, ids, reached.promise)
    await ai.scene.restart({ isKilled: true })
    await ai.idle()
    const jobs = await rowsOf(ids)
    expect(jobs.map(({ id, status }) => [id, status])).toEqual(ids.map((id) => [id, 'done']))
    const changes = await ai.scene.index.query<{ what: string; itemId: number; value: string }>(
      'SELECT what, item_id AS itemId, value FROM test_changes ORDER BY id',
    )
    const expected = jobs.map(({ activity, itemId }) => (activity === 'tagging' ? `tagged ${itemId}` : `described ${itemId} ${text}`))
    expect(
      changes.map(({ what, itemId, value }) => (what === 'tagged' ? `${what} ${itemId}` : `${what} ${itemId} ${value}`)).toSorted(),
    ).toEqual(expected.toSorted())
    await ai.scene.index.check()
  }

  return { round, [Symbol.asyncDispose]: () => ai[Symbol.asyncDispose]() }
}
