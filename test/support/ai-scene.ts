import { type FakeModel, type RecordedRequest, startFakeModel } from './fake-model.ts'
import type { HttpClient, Json } from './http-client.ts'
import type { Tree } from './library-tree.ts'
import { type ScanScene, startScene } from './scan-scene.ts'
import { waitFor } from './test-server.ts'

/** A server with a library, an endpoint that the test makes behave, and the AI queue between them. */
export interface AiScene extends AsyncDisposable {
  scene: ScanScene
  model: FakeModel
  admin: HttpClient
  libraryId: number
  keyOf: (path: string) => string
  /** Replaces the settings: the fake endpoint, switched on, and what is given. */
  configure: (settings?: Record<string, unknown>) => Promise<void>
  /** Asks for work on one item; answers the job's id. */
  ask: (route: 'tag' | 'describe' | 'extract' | 'translate', path: string, more?: Record<string, unknown>) => Promise<number>
  job: (id: number) => Promise<Json>
  /** Waits until the job is none of `queued` and `running` any more. */
  ended: (id: number) => Promise<Json>
  fields: (path: string) => Promise<Json>
  /** Waits until nothing is queued or running. */
  idle: () => Promise<void>
}

export const LIMIT_MS = 120_000
/** An end stays: nobody misses it. */
const LOOK_INTERVAL_MS = 75

const isOpen = ({ status }: Json): boolean => status === 'queued' || status === 'running'

/** The item that a chat request is about, by the title in its prompt. */
export const titleIn = ({ body }: RecordedRequest): string => {
  const { content } = body.messages.at(-1)
  const text = typeof content === 'string' ? content : content.find(({ type }: Json) => type === 'text').text
  return /^Title: (.*)$/m.exec(text)?.[1] ?? ''
}

/** A tag of a category that is made with it; answers the tag's id. */
export const makeTag = async (admin: HttpClient, name: string, category = 'Kind'): Promise<number> => {
  await admin.post('/api/tags/categories', { name: category })
  const { categories } = (await admin.get('/api/tags/categories')).body
  const { id: categoryId } = categories.find((found: Json) => found.name === category)
  const { status, body } = await admin.post('/api/tags/items', { name, categoryId })
  if (status !== 201) throw new Error(`The tag ${name} was not made: ${status} ${JSON.stringify(body)}`)
  return body.tag.id
}

export const startAiScene = async (tree: Tree, spec: { env?: Record<string, string> } = {}): Promise<AiScene> => {
  const model = await startFakeModel()
  const scene = await startScene({ mixed: tree }, spec)
  const libraryId = scene.idOf('mixed')
  const keyOf = (path: string): string => `mixed_file:${libraryId}:${path}`
  const configure: AiScene['configure'] = async (settings = {}) => {
    const { status, body } = await scene.admin.put('/api/ai-settings', { endpoint: model.url, model: 'fake', enabled: true, ...settings })
    if (status !== 200) throw new Error(`The settings were refused: ${status} ${JSON.stringify(body)}`)
  }
  const listJobs = async (): Promise<Json[]> => (await scene.admin.get('/api/ai-tagging/jobs', { limit: 500 })).body.jobs
  const job = async (id: number): Promise<Json> => (await listJobs()).find((found: Json) => found.id === id)
  let looking: Promise<Json[]> | undefined
  /** One look for all who wait: of a dozen who ask each for themselves, server and test do nothing else. */
  const nextLook = (): Promise<Json[]> => {
    looking ??= Bun.sleep(LOOK_INTERVAL_MS)
      .then(listJobs)
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  await configure()
  return {
    scene,
    model,
    get admin() {
      return scene.admin
    },
    libraryId,
    keyOf,
    configure,
    ask: async (route, path, more = {}) => {
      const { status, body } = await scene.admin.post(`/api/ai-tagging/${route}`, { itemKey: keyOf(path), ...more })
      if (status !== 202) throw new Error(`Asking to ${route} ${path} answered ${status}: ${JSON.stringify(body)}`)
      return body.jobId
    },
    job,
    ended: (id) =>
      waitFor(
        async () => (await nextLook()).find((found) => found.id === id && !isOpen(found)),
        LIMIT_MS,
        () => `Job ${id} did not end; the server wrote:\n${scene.server.output()}`,
      ),
    fields: async (path) => (await scene.admin.get('/api/ai-tagging/fields', { itemKey: keyOf(path) })).body,
    idle: async () => {
      const isIdle = async (): Promise<true | undefined> => {
        const { counts } = (await scene.admin.get('/api/ai-tagging/jobs', { limit: 1 })).body
        return counts.queued + counts.running === 0 ? true : undefined
      }
      await waitFor(isIdle, LIMIT_MS, () => `The queue did not become empty; the server wrote:\n${scene.server.output()}`)
    },
    [Symbol.asyncDispose]: async () => {
      await scene[Symbol.asyncDispose]()
      await model.stop()
    },
  }
}
