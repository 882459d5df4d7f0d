import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AiScene, LIMIT_MS, startAiScene, titleIn } from '../support/ai-scene.ts'
import { answersWith, type Behaviour, type RecordedRequest, says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'

/** An endpoint that refuses what it has no place for just now: that is no job's fault. */

const names = Array.from({ length: 12 }, (_, index) => `file ${index}`)

const COME_BACK = { 'Retry-After': '1' }

let ai: AiScene
beforeAll(async () => {
  ai = await startAiScene(Object.fromEntries(names.map((name) => [`${name}.txt`, name])))
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())

describe('an endpoint with one place', () => {
  /** `poison` gets an error whenever it is asked for. */
  const onePlace = (refusal: Behaviour, answerMs: number, poison?: string) => {
    let isTaken = false
    return (asked: RecordedRequest): Behaviour => {
      if (isTaken || titleIn(asked) === poison) return refusal
      isTaken = true
      return {
        behave: (socket) =>
          void setTimeout(() => {
            isTaken = false
            says('Fine.').behave(socket, asked)
          }, answerMs),
      }
    }
  }
  const describeAll = async () => {
    const ids = await Promise.all(names.map((name) => ai.ask('describe', `${name}.txt`)))
    return Promise.all(ids.map(ai.ended))
  }

  test.each([
    ['a time to come back', 503, COME_BACK],
    ['nothing but that there is none', 503, {}],
    ['that it is asked too much', 429, COME_BACK],
  ])(
    'that says %s fails no job, however many are asked at once',
    async (_, status, headers) => {
      await ai.configure({ concurrency: 8, timeoutSeconds: 60 })
      ai.model.answer(onePlace(answersWith(status, '{}', headers), 100))
      expect((await describeAll()).map(({ status, attempts }) => [status, attempts])).toEqual(names.map(() => ['done', 1]))
    },
    LIMIT_MS,
  )

  test(
    'fails none either while it answers one for so long that the others are refused again and again',
    async () => {
      await ai.configure({ concurrency: 3, timeoutSeconds: 60 })
      ai.model.answer(onePlace(answersWith(429, '{}', COME_BACK), 7000))
      const ids = [await ai.ask('describe', `${names[0]}.txt`), await ai.ask('describe', `${names[1]}.txt`)]
      const jobs = await Promise.all(ids.map(ai.ended))
      expect(jobs.map(({ status, attempts }) => [status, attempts])).toEqual(ids.map(() => ['done', 1]))
    },
    LIMIT_MS,
  )

  test.each([
    ['says when to come back', COME_BACK],
    ['does not say so', {}],
  ])(
    'fails the one that it always has an error with, and no other, where it %s',
    async (_, headers) => {
      await ai.configure({ concurrency: 4, timeoutSeconds: 60 })
      const poison = `${names[1]}.txt`
      ai.model.answer(onePlace(answersWith(503, '{}', headers), 100, poison))
      const jobs = await describeAll()
      const end = ({ status, attempts }: Json) => [status, attempts]
      expect(jobs.map(end)).toEqual(names.map((name) => (`${name}.txt` === poison ? ['failed', 3] : ['done', 1])))
    },
    LIMIT_MS,
  )
})
