import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type AiScene, LIMIT_MS, makeTag, startAiScene } from '../support/ai-scene.ts'
import { says } from '../support/fake-model.ts'
import type { Json } from '../support/http-client.ts'
import { writtenPage } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'

/** A disk that goes away while jobs wait: nothing is made up from names of files, and nothing is given up. */

const PICTURES = ['one.png', 'two.png', 'three.png']

let ai: AiScene

beforeAll(async () => {
  const picture = await writtenPage('At the lake')
  ai = await startAiScene({ ...Object.fromEntries(PICTURES.map((name) => [name, picture])), 'gone.png': picture })
  await makeTag(ai.admin, 'Lake')
}, LIMIT_MS)
afterAll(() => ai[Symbol.asyncDispose]())

const root = (): string => ai.scene.rootOf('mixed')
const elsewhere = (): string => join(ai.scene.folder, 'elsewhere')
const pause = (paused: boolean): Promise<Json> => ai.admin.post('/api/ai-tagging/queue', { paused })
const jobs = async (): Promise<Json[]> => (await ai.admin.get('/api/ai-tagging/jobs', { limit: 100 })).body.jobs
const ACTIVITIES = ['tagging', 'description', 'extraction']

describe('the folder of a library is away', () => {
  test.each<[string, () => void, () => void, boolean]>([
    ['and an empty one in its place', () => mkdirSync(root()), () => rmdirSync(root()), false],
    // Whoever saves settings does not wait.
    ['and nothing in its place', () => undefined, () => undefined, true],
  ])(
    '%s: its jobs wait, uncounted, and are done once it is back',
    async (_, leave, clear, isSavedAgain) => {
      ai.model.answer(says('A lake.'))
      await ai.configure({ ocrMode: 'llm-only' })
      const before = (await jobs()).map(({ id }) => id)
      await pause(true)
      for (const activity of ACTIVITIES) {
        const { body } = await ai.admin.post('/api/ai-tagging/batch', { libraryId: ai.libraryId, activity, scope: 'all' })
        expect(body.queued).toBeGreaterThanOrEqual(PICTURES.length)
      }
      const asked = ai.model.chats().length
      renameSync(root(), elsewhere())
      leave()
      await pause(false)
      const ours = async (): Promise<Json[]> => (await jobs()).filter(({ id }) => !before.includes(id))
      const waiting = async (): Promise<Json[] | undefined> => {
        const found = await ours()
        return found.every(({ status, error }) => status !== 'running' && error !== null) ? found : undefined
      }
      for (const job of await waitFor(waiting, LIMIT_MS, () => `The jobs say nothing; the server wrote:\n${ai.scene.server.output()}`))
        expect(job).toMatchObject({ status: 'queued', attempts: 0, error: expect.stringContaining('folder') })
      expect(ai.model.chats().length).toBe(asked)

      clear()
      renameSync(elsewhere(), root())
      if (isSavedAgain) await ai.configure({ ocrMode: 'llm-only' })
      await ai.idle()
      expect(new Set((await ours()).map(({ status }) => status))).toEqual(new Set(['done']))
    },
    LIMIT_MS,
  )

  test(
    'a picture that alone is gone is not described from its name, and says so',
    async () => {
      ai.model.answer(says('A lake.'))
      const asked = ai.model.chats().length
      rmSync(join(root(), 'gone.png'))
      for (const route of ['describe', 'extract'] as const)
        expect(await ai.ended(await ai.ask(route, 'gone.png'))).toMatchObject({ status: 'failed', error: 'The file is not there now.' })
      expect(ai.model.chats().length).toBe(asked)
    },
    LIMIT_MS,
  )
})
