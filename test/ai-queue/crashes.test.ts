import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type AiScene, LIMIT_MS, startAiScene, titleIn } from '../support/ai-scene.ts'
import { MISBEHAVIOURS, says } from '../support/fake-model.ts'
import { waitFor } from '../support/test-server.ts'
import { type CrashRig, POINTS, startCrashRig } from './crash-rig.ts'

/** The short form; a hundred rounds are in test/long. */

let rig: CrashRig
beforeAll(async () => {
  rig = await startCrashRig()
}, LIMIT_MS)
afterAll(() => rig[Symbol.asyncDispose]())

test.each(POINTS.map((point, number) => [point, number] as const))(
  'a server that is killed when "%s" loses no job and does none twice',
  (point, number) => rig.round(point, number),
  LIMIT_MS,
)

test(
  'an item that ends its server three times is given up, and the others are done',
  async () => {
    await using ai: AiScene = await startAiScene({ 'poison.txt': 'p', 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    await ai.configure({ concurrency: 4 })
    ai.model.answer((request) => (titleIn(request) === 'poison.txt' ? MISBEHAVIOURS.hang : says('Fine.')))
    const asked = (): number => ai.model.chats().filter((request) => titleIn(request) === 'poison.txt').length
    for (const path of ['poison.txt', 'a.txt', 'b.txt', 'c.txt']) await ai.ask('describe', path)
    for (let kills = 0; kills < 3; kills++) {
      await waitFor(
        () => (asked() > kills ? true : undefined),
        LIMIT_MS,
        () => `The poison was started ${asked()} times`,
      )
      await ai.scene.restart({ isKilled: true })
    }
    const jobs = await waitFor(
      async () => {
        const found = (await ai.admin.get('/api/ai-tagging/jobs')).body
        return found.counts.queued + found.counts.running === 0 ? found.jobs : undefined
      },
      LIMIT_MS,
      () => 'The queue did not become empty',
    )
    const byTitle = Object.fromEntries(jobs.map((job: { title: string }) => [job.title, job]))
    expect(byTitle['poison.txt']).toMatchObject({ status: 'failed', attempts: 3, error: expect.stringContaining('three times') })
    for (const path of ['a.txt', 'b.txt', 'c.txt']) expect(byTitle[path]).toMatchObject({ status: 'done', error: null })
  },
  LIMIT_MS,
)

test(
  'a server that is stopped puts back what it works on, without an attempt lost',
  async () => {
    await using ai: AiScene = await startAiScene({ 'a.txt': 'a' })
    ai.model.answer(MISBEHAVIOURS.hang)
    const id = await ai.ask('describe', 'a.txt')
    await waitFor(
      () => (ai.model.open() === 1 ? true : undefined),
      LIMIT_MS,
      () => 'The endpoint was not asked',
    )
    ai.model.answer(says('Later.'))
    await ai.scene.restart()
    expect(await ai.ended(id)).toMatchObject({ status: 'done', attempts: 1 })
  },
  LIMIT_MS,
)
