import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type AiScene, LIMIT_MS, startAiScene } from '../support/ai-scene.ts'
import { beforeTheMinute } from '../support/before-the-minute.ts'
import { answersWith, inTurn, says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { waitFor } from '../support/test-server.ts'

let ai: AiScene
beforeAll(async () => {
  ai = await startAiScene({ 'a.txt': 'a' }, { env: beforeTheMinute(0) })
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())
beforeEach(() => ai.configure())

const waits = async (id: number): Promise<Json> =>
  waitFor(
    async () => {
      const job = await ai.job(id)
      return job.status === 'queued' && job.error !== null ? job : undefined
    },
    LIMIT_MS,
    () => `Job ${id} does not wait`,
  )

const setBack = (): void => {
  process.kill(ai.scene.server.pid, 'SIGUSR2')
}

describe('a clock that is set back by an hour while a job waits', () => {
  test(
    'for an endpoint that is away is no hour more to wait',
    async () => {
      await ai.model.away()
      const id = await ai.ask('describe', 'a.txt')
      expect((await waits(id)).error).toMatch(/cannot be reached/)
      setBack()
      ai.model.answer(says('Back.'))
      await ai.model.back()
      expect(await ai.ended(id)).toMatchObject({ status: 'done', attempts: 1 })
    },
    LIMIT_MS,
  )

  test(
    'for an endpoint that wants to be left in peace neither, and no less than it wants',
    async () => {
      ai.model.answer(inTurn(answersWith(429, '{}', { 'Retry-After': '5' }), says('Now.')))
      const before = ai.model.chats().length
      const id = await ai.ask('describe', 'a.txt')
      expect((await waits(id)).error).toContain('429')
      setBack()
      expect(await ai.ended(id)).toMatchObject({ status: 'done', attempts: 1 })
      const [first, second, ...more] = ai.model.chats().slice(before)
      expect(more).toEqual([])
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(5000)
    },
    LIMIT_MS,
  )
})
