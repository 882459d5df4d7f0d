import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AiTask } from '../../src/ai/ai-task.ts'
import { fillPrompt, type PromptItem } from '../../src/ai/prompts.ts'
import { defaultAiSettings } from '../../src/domain/ai-settings.ts'
import { doWork } from '../../src/workers/ai-work.ts'
import { type FakeModel, says, startFakeModel } from '../support/fake-model.ts'

/** A text is judged by what the model was told to do, not by what it was told of the item. */

let model: FakeModel
beforeAll(async () => {
  model = await startFakeModel()
})
afterAll(() => model.stop())

const TITLE = 'Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb'
const PLOT = 'A retired police officer is hired to follow the wife of an old friend.'
const TEXT = `Nach „${TITLE}“ von 1964`

const item: PromptItem = {
  ...{ title: TITLE, itemType: 'movie', mediaKind: 'video', parentTitle: null, year: 1964, genres: [], plot: PLOT, tags: [] },
  ...{ file: 'x/x.mkv', description: null, extractedText: TEXT },
}

const work = (activity: AiTask['activity'], answer: string) => {
  model.answer(says(answer))
  const settings = { ...defaultAiSettings(), endpoint: model.url, model: 'fake', enabled: true }
  const task: AiTask = {
    ...{ activity, settings, item, apiKey: null, payload: {}, vocabulary: [], root: import.meta.dir, pictures: [], donePages: [] },
    ...{ maxCharacters: 1000, ffmpegPath: null, ocrDataDir: null, temporaryFolder: '/nowhere' },
  }
  const extract = () => Promise.reject(new Error('Nothing is to be extracted.'))
  return doWork({ task, state: { askedModel: false }, signal: new AbortController().signal }, extract)
}

describe('a description', () => {
  const { instructions } = fillPrompt('description', defaultAiSettings(), { item })
  test.each([
    ['its first sentence', instructions.split('\n')[0] ?? ''],
    ['its end', instructions.slice(-400)],
  ])('that repeats the question is refused: %s', async (_name, answer) => {
    await expect(work('description', answer)).rejects.toThrow('repeated the question')
  })

  test.each([
    ['a long title', `${TITLE} is a comedy about the end of the world.`],
    ['the plot', `${PLOT} He falls in love with her.`],
    ['the text in it', `A card reads: ${TEXT}`],
  ])('may name %s', async (_name, text) => {
    expect(await work('description', text)).toEqual({ activity: 'description', text })
  })
})

describe('a translation', () => {
  test('that repeats the question is refused', async () => {
    await expect(work('translation', 'Keep paragraphs, empty lines and the order of speech bubbles.')).rejects.toThrow(
      'repeated the question',
    )
  })

  test('may name a long title', async () => {
    const text = `After “${TITLE}”, 1964`
    expect(await work('translation', text)).toEqual({ activity: 'translation', text, source: TEXT })
  })
})
