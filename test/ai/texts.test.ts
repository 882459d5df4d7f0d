import { describe, expect, test } from 'bun:test'
import { cleanAnswer, withoutFence } from '../../src/ai/answer-text.ts'
import { readDescription } from '../../src/ai/description.ts'
import { cutIntoPieces } from '../../src/ai/text-pieces.ts'
import { type AskTranslation, readTranslation, translateText } from '../../src/ai/translation.ts'
import { DEFAULT_PROMPTS } from '../../src/domain/ai-prompts.ts'

/** What becomes of a model's words: descriptions and translations. */

const never = new AbortController().signal

describe('a description is not', () => {
  const { instructions } = DEFAULT_PROMPTS.description
  test.each([
    ['an empty answer', ''],
    ['a thought', '<think>A film about the sea.</think>'],
    ['an empty fence', '```\n```'],
    ['a refusal', "I'm sorry, but I can't assist with that."],
    ['a refusal of a model without eyes', 'I cannot see the image you mention.'],
    ['a remark of a model on itself', 'As an AI language model, I have no access to films.'],
    ['a remark of an assistant on itself', 'As a large language model, I have no access to films.'],
    ['a remark on its eyes', 'Sorry, but as an AI I have no eyes.'],
    ['a remark on its opinions', 'As an AI, I’m not able to form opinions about this.'],
    ['the question said again', `Sure! ${instructions.split('\n')[0]} ${instructions.slice(-400)}`],
    ['a book', 'Word. '.repeat(2000)],
  ])('%s', (_name, text) => {
    expect(readDescription({ text, finishReason: 'stop' }, instructions).ok).toBe(false)
  })

  test('what was cut off before its first whole sentence', () => {
    expect(readDescription({ text: 'A film about the sea and', finishReason: 'length' }, instructions)).toEqual({
      ok: false,
      reason: 'The description was cut off. Allow more tokens.',
    })
  })
})

describe('a description', () => {
  const read = (text: string, finishReason = 'stop') => readDescription({ text, finishReason }, DEFAULT_PROMPTS.description.instructions)
  test.each([
    ['The sea.', 'The sea.'],
    ['Here is the description:\n\nThe sea.', 'The sea.'],
    ['Sure! Here is a description of the film: The sea.', 'The sea.'],
    ['**Description:** The sea.', 'The sea.'],
    ['Beschreibung: Das Meer.', 'Das Meer.'],
    ['"The sea."', 'The sea.'],
    ['"The sea" and "The land" are films.', '"The sea" and "The land" are films.'],
    ['```text\nThe sea.\n```', 'The sea.'],
    ['The sea.\r\nThe\0 land.', 'The sea.\nThe land.'],
    ['The \u202esea\u202c.', 'The sea.'],
    ['<b>The sea</b> <script>alert(1)</script>', '<b>The sea</b> <script>alert(1)</script>'],
    ['A captain says: I cannot go on.', 'A captain says: I cannot go on.'],
    ['He talks to what presents itself as an AI assistant.', 'He talks to what presents itself as an AI assistant.'],
    ['She works as an AI researcher.', 'She works as an AI researcher.'],
  ])('%j is kept as text: %j', (answer, text) => {
    expect(read(answer)).toEqual({ ok: true, text })
  })

  test('that was cut off ends with its last whole sentence', () => {
    expect(read('The sea is wide. The land is', 'length')).toEqual({ ok: true, text: 'The sea is wide.' })
    expect(read('海は広い。陸は', 'length')).toEqual({ ok: true, text: '海は広い。' })
  })
})

describe('a translation is not', () => {
  const asked = { source: 'Es tut mir leid, Yuki.', instructions: DEFAULT_PROMPTS.translation.instructions }
  test.each([
    ['an empty answer', ' '],
    ['a refusal', 'I cannot translate this text.'],
    ['the question said again', 'Keep paragraphs, empty lines and the order of speech bubbles.'],
    ['a text without end', 'Sorry, Yuki. '.repeat(500)],
  ])('%s', (_name, text) => {
    expect(readTranslation({ text, finishReason: 'stop' }, asked).ok).toBe(false)
  })
})

describe('a translation that declines', () => {
  const read = (text: string, source: string) => readTranslation({ text, finishReason: 'stop' }, { source, instructions: 'Translate.' })
  const SHORT = 'Il te faudra trouver quelqu’un d’autre.'
  const CHAPTER = 'Der Wald war still, und niemand ging hinein. '.repeat(20)
  test.each([
    ["I'm sorry, but I can't help with that.", CHAPTER],
    ["I can't help you with that.", CHAPTER],
    ["I'm sorry, but I can't assist with that request.", SHORT],
    ['Unfortunately, I am unable to help with this task.', SHORT],
    ["I'm unable to assist with that. As an AI I follow guidelines.", SHORT],
  ])('%j is none', (text, source) => {
    expect(read(text, source)).toMatchObject({ ok: false, reason: expect.stringContaining('declined') })
  })

  test.each([
    ["I can't help you with that.", '« Je ne peux rien pour vous. »'],
    ["I'm sorry, but I can't help with that.", 'Tut mir leid, da kann ich nicht helfen.'],
    ["I can't help you with that.\nThen who can?", `${'Da kann ich euch nicht helfen. '.repeat(4)}Wer dann?`],
    [
      "I won't help you with your request, said the king.",
      "Bei deiner Bitte helfe ich nicht, I can't help you with that, sprach der König.",
    ],
    [`Won't you sit? I can't help with that, said the smith, ${'and hammered on and on. '.repeat(9)}`, CHAPTER],
  ])('%j is kept where somebody says so', (text, source) => {
    expect(read(text, source)).toEqual({ ok: true, text: text.trim() })
  })
})

describe('a translation', () => {
  const read = (text: string, source: string) => readTranslation({ text, finishReason: 'stop' }, { source, instructions: 'Translate.' })
  test.each([
    ["I'm sorry, Yuki. I can't help you.", 'Es tut mir leid, Yuki. Ich kann dir nicht helfen.'],
    ['Tokyo', 'Tokyo'],
    ['"Hello"', '"Hallo"'],
    ['As an AI, I love you.', 'Als KI liebe ich dich.'],
  ])('%j is kept', (text, source) => {
    expect(read(text, source)).toEqual({ ok: true, text })
  })

  test('loses what the model put around it', () => {
    expect(read('Translation: Hello', 'Hallo')).toEqual({ ok: true, text: 'Hello' })
    expect(read('Here is the translation:\n"Hello"', 'Hallo')).toEqual({ ok: true, text: 'Hello' })
    expect(read('Here is the key: it is green.', 'Hier ist der Schlüssel: Er ist grün.')).toEqual({
      ok: true,
      text: 'Here is the key: it is green.',
    })
  })
})

describe('a long text', () => {
  const shout: AskTranslation = async (piece) => ({ text: piece.toUpperCase(), finishReason: 'stop' })
  const text = Array.from({ length: 300 }, (_, index) => `Page ${index}: some words of it.\nAnd more${index % 3 === 0 ? '\n\n' : '\n'}`)
    .join('')
    .trim()

  test('is translated piece by piece, with every empty line in its place', async () => {
    const pieces: string[] = []
    const ask: AskTranslation = (piece, signal) => {
      pieces.push(piece)
      return shout(piece, signal)
    }
    expect(await translateText(text, { maxTokens: 500, instructions: '', ask }, never)).toEqual({ ok: true, text: text.toUpperCase() })
    expect(pieces.length).toBeGreaterThan(10)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(500)
  })

  test('is asked for in smaller pieces where an answer was cut off', async () => {
    const ask: AskTranslation = async (piece, signal) =>
      piece.length > 300 ? { text: 'CUT', finishReason: 'length' } : shout(piece, signal)
    expect(await translateText(text, { maxTokens: 4096, instructions: '', ask }, never)).toEqual({ ok: true, text: text.toUpperCase() })
  })

  test('is not half translated: one piece that fails fails it', async () => {
    const ask: AskTranslation = async (piece, signal) =>
      piece.includes('Page 200') ? { text: '', finishReason: 'stop' } : shout(piece, signal)
    expect(await translateText(text, { maxTokens: 500, instructions: '', ask }, never)).toMatchObject({ ok: false })
  })

  test('is given up where even a line is cut off', async () => {
    const ask: AskTranslation = async () => ({ text: 'x', finishReason: 'length' })
    expect(await translateText(text, { maxTokens: 500, instructions: '', ask }, never)).toMatchObject({ ok: false })
  })

  test('is left as soon as nobody wants it any more', async () => {
    const stopper = new AbortController()
    let asked = 0
    const ask: AskTranslation = (piece, signal) => {
      asked += 1
      stopper.abort(new Error('cancelled'))
      return shout(piece, signal)
    }
    await expect(translateText(text, { maxTokens: 500, instructions: '', ask }, stopper.signal)).rejects.toThrow('cancelled')
    expect(asked).toBe(1)
  })

  test.each(['', 'short', 'a'.repeat(5000), 'あ。'.repeat(3000), '😀'.repeat(2000), '\n'.repeat(3000), `${'word '.repeat(2000)}end`])(
    'is the same when its pieces are put together',
    (whole) => {
      const pieces = cutIntoPieces(whole, 401)
      expect(pieces.join('')).toBe(whole)
      expect(pieces.every((piece) => piece.length <= 401 && piece.isWellFormed())).toBe(true)
    },
  )
})

test('an answer is clean text', () => {
  expect(cleanAnswer('\ufeff a\u0000b\u0007 \r\n c \ud800\u2028d ')).toBe('ab\n c \ufffd\nd')
  expect(cleanAnswer('x<thinking>y</thinking>z')).toBe('xz')
  expect(withoutFence('```json\n{}\n```')).toBe('{}')
  expect(withoutFence('no fence ```x```')).toBe('no fence ```x```')
})

test('blanks without end hold nobody up', () => {
  const blanks = ' \t'.repeat(1_000_000)
  expect(cleanAnswer(`A${blanks}b.${blanks}\nc.`)).toBe(`A${blanks}b.\nc.`)
})
