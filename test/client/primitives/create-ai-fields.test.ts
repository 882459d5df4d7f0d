import '../../support/solid-preload.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import type { AiFields } from '../../../client/src/api/ai-tagging.ts'
import { waitFor } from '../../support/test-server.ts'

/** A real server that answers what the test wants. */
let answer: AiFields
let asked = 0
/** What saving waits for. */
let saving = Promise.resolve()
let isRefusing = false
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    asked += 1
    if (request.method !== 'PATCH') return Response.json({ ...answer, itemKey: new URL(request.url).searchParams.get('itemKey') })
    await saving
    if (isRefusing) return new Response(null, { status: 409 })
    return Response.json({ ...answer, ...(await request.json()) })
  },
})
// The client's addresses are relative to its document.
const { document } = new Window({ url: `http://127.0.0.1:${server.port}/` })
Object.assign(globalThis, { document })

const { createComponent, createRoot, createSignal } = await import('solid-js')
const { environmentManager, QueryClient, QueryClientProvider } = await import('@tanstack/solid-query')
const { AI_POLL_MS, aiStateOf, createAiFields } = await import('../../../client/src/primitives/create-ai-fields.ts')

const MARGIN_MS = 700
const LIMIT_MS = 60_000

// Without a window the package takes itself for a server, where nothing polls.
beforeAll(() => environmentManager.setIsServer(() => false))
beforeEach(() => {
  asked = 0
})
afterAll(async () => {
  environmentManager.setIsServer(() => true)
  Reflect.deleteProperty(globalThis, 'document')
  await server.stop(true)
})

const fieldsWith = (...jobs: AiFields['jobs']): AiFields => ({
  itemKey: 'mixed_file:1:a.png',
  description: null,
  extractedText: null,
  isTextEdited: false,
  unreadPages: 0,
  translation: null,
  translationStale: false,
  aiTaggedAt: null,
  lastTagging: null,
  jobs,
  cancelledJobIds: [],
})
const running = { id: 1, activity: 'tagging', status: 'running', error: null } as const

const GRID = ['content', 1, 'browse']
const make = () =>
  createRoot((dispose) => {
    const [itemKey, open] = createSignal(answer.itemKey)
    const toldElsewhere: unknown[] = []
    let made: ReturnType<typeof createAiFields> | undefined
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    createComponent(QueryClientProvider, {
      client,
      get children() {
        made = createAiFields(
          () => ({ itemKey: itemKey(), libraryId: 1 }),
          (error) => toldElsewhere.push(error),
        )
        return null
      },
    })
    if (!made) throw new Error('the provider drew no children')
    client.setQueryData(GRID, 'what the grid shows')
    return { fields: made, open, dispose, toldElsewhere, isGridOld: () => client.getQueryState(GRID)?.isInvalidated }
  })

test('an unfinished job goes before one that failed, and what waits is no failure', () => {
  const failed = { id: 1, activity: 'tagging', status: 'failed', error: 'No.' } as const
  const waiting = { id: 2, activity: 'tagging', status: 'queued', error: 'It is away.' } as const
  expect(aiStateOf(undefined, 'tagging')).toEqual({ kind: 'idle' })
  expect(aiStateOf(fieldsWith(failed), 'description')).toEqual({ kind: 'idle' })
  expect(aiStateOf(fieldsWith(failed), 'tagging')).toEqual({ kind: 'failed', message: 'No.' })
  expect(aiStateOf(fieldsWith(failed, waiting), 'tagging')).toEqual({ kind: 'pending', isRunning: false, note: 'It is away.' })
  expect(aiStateOf(fieldsWith(running), 'tagging')).toEqual({ kind: 'pending', isRunning: true, note: null })
})

test(
  'the fields are asked for again while something is under way, and no more once it has ended',
  async () => {
    answer = fieldsWith(running)
    const { fields, dispose } = make()
    const isAskedAgain = (): true | undefined => (asked >= 2 ? true : undefined)
    await waitFor(isAskedAgain, LIMIT_MS, () => `It was asked for ${asked} times`)
    expect(fields.stateOf('tagging').kind).toBe('pending')
    answer = fieldsWith()
    const isIdle = (): true | undefined => (fields.stateOf('tagging').kind === 'idle' ? true : undefined)
    await waitFor(isIdle, LIMIT_MS, () => 'The end was never seen')
    const settled = asked
    await Bun.sleep(AI_POLL_MS + MARGIN_MS)
    expect(asked).toBe(settled)
    dispose()
  },
  LIMIT_MS,
)

test(
  'disposal stops the polling',
  async () => {
    answer = fieldsWith(running)
    const { dispose } = make()
    const isAsked = (): true | undefined => (asked > 0 ? true : undefined)
    await waitFor(isAsked, LIMIT_MS, () => 'It was never asked for')
    dispose()
    const before = asked
    await Bun.sleep(AI_POLL_MS + MARGIN_MS)
    expect(asked).toBe(before)
  },
  LIMIT_MS,
)

test('what is under way for a picture has not ended because another one is looked at', async () => {
  answer = fieldsWith(running)
  const { fields, open, dispose, isGridOld } = make()
  const isPending = (): true | undefined => (fields.stateOf('tagging').kind === 'pending' ? true : undefined)
  await waitFor(isPending, LIMIT_MS, () => 'It was never seen to run')
  answer = fieldsWith()
  open('mixed_file:1:b.png')
  const isOther = (): true | undefined => (fields.fields()?.itemKey === 'mixed_file:1:b.png' ? true : undefined)
  await waitFor(isOther, LIMIT_MS, () => 'The second one was never seen')
  expect(isGridOld()).toBe(false)
  open('mixed_file:1:a.png')
  const isEnded = (): true | undefined => (isGridOld() ? true : undefined)
  await waitFor(isEnded, LIMIT_MS, () => 'The end was never seen')
  dispose()
})

test('a text that is saved while the next picture is opened stays with its own', async () => {
  answer = fieldsWith()
  const { fields, open, dispose } = make()
  const isShown = (itemKey: string) => (): true | undefined => (fields.fields()?.itemKey === itemKey ? true : undefined)
  await waitFor(isShown('mixed_file:1:a.png'), LIMIT_MS, () => 'The first one was never seen')
  const gate = Promise.withResolvers<void>()
  saving = gate.promise
  const saved = fields.save('Text of the first')
  open('mixed_file:1:b.png')
  await waitFor(isShown('mixed_file:1:b.png'), LIMIT_MS, () => 'The second one was never seen')
  gate.resolve()
  expect(await saved).toBe(true)
  expect(fields.fields()).toMatchObject({ itemKey: 'mixed_file:1:b.png', extractedText: null })
  open('mixed_file:1:a.png')
  expect(fields.fields()?.extractedText).toBe('Text of the first')
  dispose()
})

test('what was refused is said where it was asked for, and elsewhere once that is left', async () => {
  answer = fieldsWith()
  isRefusing = true
  const { fields, open, dispose, toldElsewhere } = make()
  expect(await fields.save('Text of the first')).toBe(false)
  expect(fields.problem()?.activity).toBe('text')
  const ofFirst = fields.save('Text of the first')
  open('mixed_file:1:b.png')
  await ofFirst
  expect(fields.problem()).toBeUndefined()
  expect(toldElsewhere).toHaveLength(1)
  const ofSecond = fields.save('Text of the second')
  dispose()
  await ofSecond
  expect(toldElsewhere).toHaveLength(2)
  isRefusing = false
})
