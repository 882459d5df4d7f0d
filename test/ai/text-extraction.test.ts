import { describe, expect, test } from 'bun:test'
import type { OcrResult, Recognize } from '../../src/ai/ocr-result.ts'
import { type AskModel, type ExtractionPicture, extractPage, UselessTranscript } from '../../src/ai/text-extraction.ts'
import { readTranscript } from '../../src/ai/transcript.ts'
import type { OcrMode } from '../../src/domain/ai-settings.ts'

const PAGE = 'The gate will not open before dawn.\nBring me three feathers and a lantern.'
const SURE: OcrResult = { text: PAGE, confidence: 94 }
const UNSURE: OcrResult = { text: 'Tne gafe wi11 nof opem', confidence: 51 }
const NOTHING: OcrResult = { text: '', confidence: 0 }

const LOOP = `The gate ${'will not open. '.repeat(300)}`
const GOOD = { text: PAGE, finishReason: 'stop' }

describe('what a model says that is no transcript', () => {
  test.each([
    ['nothing', '', 'stop', 'nothing'],
    ['thoughts alone', '<think>I see a gate</think>', 'stop', 'nothing'],
    ['a refusal', "I'm sorry, but I can't transcribe this image.", 'stop', 'declined'],
    ['a summary', 'The image shows an old gate and a man with a lantern in front of it.', 'stop', 'described'],
    ['a summary of the page', 'This page contains a short poem about a gate.', 'stop', 'described'],
    ['a loop', LOOP, 'stop', 'repeated itself'],
    ['a loop that ran out of tokens', LOOP.slice(0, 2000), 'length', 'repeated itself'],
    ['a loop of lines', `${'one line\nanother line\n'.repeat(20)}end`, 'stop', 'repeated itself'],
    ['a loop of one character', `ア${'ー'.repeat(3000)}`, 'stop', 'repeated itself'],
    ['half a text', 'The gate will not', 'length', 'cut off'],
  ])('%s', (_, text, finishReason, reason) => {
    expect(readTranscript({ text, finishReason }, null)).toEqual({ ok: false, reason: expect.stringContaining(reason) })
  })

  test('a text far beyond what there is to read', () => {
    const words = Array.from({ length: 900 }, (_, at) => `word${at}`).join(' ')
    expect(readTranscript({ text: words, finishReason: 'stop' }, PAGE)).toMatchObject({ ok: false })
    expect(readTranscript({ text: words, finishReason: 'stop' }, null)).toMatchObject({ ok: true })
  })
})

describe('what a model says around a transcript is taken off', () => {
  test.each([
    ['a lead-in', `Here is the text in the image:\n\n${PAGE}`, PAGE],
    ['politeness', `Sure! Here's the transcription:\n${PAGE}`, PAGE],
    ['a fence', `\`\`\`text\n${PAGE}\n\`\`\``, PAGE],
    ['a fence behind a lead-in', `Here is the text:\n\`\`\`\n${PAGE}\n\`\`\``, PAGE],
    ['thoughts', `<think>hm</think>${PAGE}`, PAGE],
    ['spaces in Japanese', '吾輩 は 猫 で ある', '吾輩は猫である'],
    ['word that there is no text', '[no text]', ''],
    ['the same in its own words', 'There is no visible text in this image.', ''],
    ['nothing where laughter is written', 'Ha ha ha ha ha ha ha!', 'Ha ha ha ha ha ha ha!'],
    ['nothing where a story begins so', 'The picture had hung there for years.', 'The picture had hung there for years.'],
  ])('%s', (_, text, kept) => {
    expect(readTranscript({ text, finishReason: 'stop' }, null)).toEqual({ ok: true, text: kept })
  })

  test('nothing where recognition read the same beginning', () => {
    const text = 'The image shows the village before the flood.'
    expect(readTranscript({ text, finishReason: 'stop' }, 'The image shows the vi11age')).toEqual({ ok: true, text })
  })
})

describe('who declines in a picture', () => {
  const read = (text: string, hint: string | null) => readTranscript({ text, finishReason: 'stop' }, hint)
  const DIALOGUE = "I CAN'T HELP YOU WITH THAT!\n\nTHEN WHO CAN?"

  test.each([
    [DIALOGUE, null],
    ["I CAN'T HELP YOU WITH THAT!", null],
    ["I can't help with that.", "I can't heIp with that"],
    ["I'm sorry, I can't read the text.", "I'm sorry, I can't read the text,"],
    ["I can't assist with your request.", "I can't assist with your request"],
  ])('is read: %j', (text, hint) => {
    expect(read(text, hint)).toEqual({ ok: true, text })
  })

  test.each([
    ["I'm sorry, but I can't help with that.", null],
    ["I'm sorry, but I can't help you with that request.", null],
    ["I'm sorry, but I can't help with that.", `${PAGE}\n\n${PAGE}`],
    ["I'm sorry, I can't read the text.", PAGE],
  ])('is the model: %j', (text, hint) => {
    expect(read(text, hint)).toMatchObject({ ok: false, reason: expect.stringContaining('declined') })
  })
})

interface Scene {
  mode: OcrMode
  ocr?: OcrResult
  answer?: { text: string; finishReason: string } | Error
  /** AI is switched off. */
  isOff?: boolean
}

/** Extracts a page in the given mode; counts how often each side was asked. */
const extract = async ({ mode, ocr = NOTHING, answer = GOOD, isOff = false }: Scene, signal = new AbortController().signal) => {
  const calls = { recognised: 0, asked: 0, hints: [] as (string | null)[] }
  const picture: ExtractionPicture = {
    forOcr: async () => ({ bytes: new Uint8Array() }),
    forModel: async () => ({ bytes: new Uint8Array(), mediaType: 'image/jpeg' }),
  }
  const ask: AskModel = async ({ hint }) => {
    calls.hints.push(hint)
    calls.asked += 1
    if (answer instanceof Error) throw answer
    return answer
  }
  const recognize: Recognize = async () => {
    calls.recognised += 1
    return ocr
  }
  const request = { mode, languages: 'eng', recognize, ask: isOff ? null : ask }
  const result = await extractPage(picture, request, signal).catch((error: unknown) => error)
  return { ...calls, result }
}

describe('there is no text to keep', () => {
  test('a model alone that is switched off', async () => {
    expect((await extract({ mode: 'llm-only', answer: GOOD, isOff: true })).result).toBeInstanceOf(TypeError)
  })

  test('a model alone that fails, or answers nothing of use: the reason comes through', async () => {
    const gone = new Error('The endpoint is away.')
    expect((await extract({ mode: 'llm-only', answer: gone })).result).toBe(gone)
    const refusal = { text: "I'm sorry, I can't read this image.", finishReason: 'stop' }
    expect((await extract({ mode: 'llm-only', answer: refusal })).result).toBeInstanceOf(UselessTranscript)
  })

  test('nothing was recognised, and then the model fails', async () => {
    const gone = new Error('The endpoint is away.')
    expect((await extract({ mode: 'hybrid', ocr: NOTHING, answer: gone })).result).toBe(gone)
  })

  test.each([
    ['loops', LOOP, 'repeated itself'],
    ['declines', 'I cannot read this image.', 'declined'],
  ])('nothing was recognised, and then the model %s: the reason comes through', async (_, text, reason) => {
    const { result } = await extract({
      mode: 'hybrid',
      answer: { text, finishReason: 'stop' },
    })
    expect(result).toBeInstanceOf(UselessTranscript)
    expect(result).toMatchObject({ message: expect.stringContaining(reason) })
  })

  test.each([
    'The image shows a gate in the rain.',
    'There is no visible text in this image.',
    "I'm sorry, but I can't see any text in this image.",
    'The image does not contain any readable text.',
  ])('nothing was recognised, and the model sees none: %j', async (text) => {
    expect((await extract({ mode: 'hybrid', ocr: NOTHING, answer: { text, finishReason: 'stop' } })).result).toMatchObject({
      text: '',
    })
  })

  test('it is not wanted any more', async () => {
    const reason = new Error('cancelled')
    expect((await extract({ mode: 'tesseract', ocr: SURE }, AbortSignal.abort(reason))).result).toBe(reason)
  })
})

describe('tesseract', () => {
  test('never asks the model, however unsure', async () => {
    const { asked, result } = await extract({ mode: 'tesseract', ocr: UNSURE, answer: GOOD })
    expect(asked).toBe(0)
    expect(result).toMatchObject({ text: UNSURE.text, source: 'ocr', confidence: 51, rejected: null })
  })
})

describe('llm-only', () => {
  test('recognises nothing and gives no hint', async () => {
    const { recognised, hints, result } = await extract({ mode: 'llm-only', ocr: SURE, answer: GOOD })
    expect([recognised, hints]).toEqual([0, [null]])
    expect(result).toMatchObject({ text: PAGE, source: 'model', confidence: null })
  })
})

describe('hybrid', () => {
  test('a sure page is taken as recognised', async () => {
    const { asked, result } = await extract({ mode: 'hybrid', ocr: SURE, answer: GOOD })
    expect(asked).toBe(0)
    expect(result).toMatchObject({ text: PAGE, source: 'ocr' })
  })

  test('a few sure letters are not a sure page', async () => {
    expect((await extract({ mode: 'hybrid', ocr: { text: 'l', confidence: 96 }, answer: GOOD })).result).toMatchObject({ text: PAGE })
  })

  test.each([
    ['HELLO WORLD', 96, 0],
    ['Stop', 95, 0],
    ['VITRINE', 91, 0],
    ['VITRINE', 88, 1],
    ['a 12', 96, 1],
    ['l |\nI 0', 97, 1],
  ])('%j at %d: the model is asked %d times', async (text, confidence, times) => {
    expect((await extract({ mode: 'hybrid', ocr: { text, confidence }, answer: GOOD })).asked).toBe(times)
  })

  test('an unsure page goes to the model with what was read of it', async () => {
    for (const [ocr, hint] of [
      [UNSURE, UNSURE.text],
      [NOTHING, null],
    ] as const) {
      const { hints, result } = await extract({ mode: 'hybrid', ocr })
      expect(hints).toEqual([hint])
      expect(result).toMatchObject({ source: 'model', confidence: ocr.confidence })
    }
  })

  test.each([
    ['a loop', { text: LOOP, finishReason: 'length' }],
    ['a summary', { text: 'The image depicts a gate.', finishReason: 'stop' }],
    ['a refusal', { text: 'I cannot read this image.', finishReason: 'stop' }],
    ['an empty answer', { text: '', finishReason: 'stop' }],
    ['a failure', new Error('The endpoint is away.')],
  ])('the recognised text stays where the model comes with %s', async (_, answer) => {
    const { result } = await extract({ mode: 'hybrid', ocr: UNSURE, answer })
    expect(result).toMatchObject({ text: UNSURE.text, source: 'fallback', rejected: expect.stringMatching(/\w/) })
  })

  test('with AI switched off it is what recognition finds', async () => {
    expect((await extract({ mode: 'hybrid', ocr: UNSURE, isOff: true })).result).toMatchObject({
      text: UNSURE.text,
      source: 'ocr',
    })
  })
})
