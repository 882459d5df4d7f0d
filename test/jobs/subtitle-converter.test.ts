import { expect, test } from 'bun:test'
import { createSubtitleConverter } from '../../src/jobs/subtitle-converter.ts'
import { createLog } from '../../src/log.ts'

const CUES = 20_000
/** Far fewer than pass while as many cues are read, and more than any one answer takes. */
const TURNS = 20

const script = (cues: number): Uint8Array =>
  new TextEncoder().encode(
    [
      '[Events]',
      'Format: Start, End, Style, Text',
      ...Array.from({ length: cues }, (_, cue) => `Dialogue: 0:00:01.00,0:00:02.00,Default,{\\i1}Sign ${cue}{\\i0}`),
    ].join('\n'),
  )

const asker = (userId = 1, signal = AbortSignal.any([]), key = 'file') => ({ userId, signal, key })

/** Takes a thread some seconds. */
const slow = (): Uint8Array => new TextEncoder().encode(`[Events]\n${'Dialogue: 0\n'.repeat(1_000_000)}`)
const ASS = { format: 'ass', language: null } as const

test('others have their turn while a large file is converted', async () => {
  const converter = createSubtitleConverter({ log: createLog('error') })
  try {
    const converting = converter.asVtt(script(CUES), ASS, asker())
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const text = await converting
    isDone = true
    expect(turns).toBeGreaterThan(TURNS)
    expect(text).toStartWith('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<i>Sign 0</i>\n')
    expect(text.split(' --> ').length - 1).toBe(CUES)
  } finally {
    converter.close()
  }
})

test('each file is read in what its language was written in', async () => {
  const converter = createSubtitleConverter({ log: createLog('error') })
  const file = Uint8Array.from([...Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n'), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
  try {
    const texts = await Promise.all(['ru', null].map((language) => converter.asVtt(file, { format: 'srt', language }, asker())))
    expect(texts.map((text) => text.trim().split('\n').at(-1))).toEqual(['Привет', 'Ïðèâåò'])
  } finally {
    converter.close()
  }
})

test('once it is closed it says that it is of no use', async () => {
  const logged: string[] = []
  const converter = createSubtitleConverter({ log: createLog('warn', (line) => logged.push(line)) })
  converter.close()
  await expect(converter.asVtt(script(1), ASS, asker())).rejects.toMatchObject({ code: 'unavailable' })
  expect(logged.length).toBe(1)
})

test('somebody who has many large files converted holds up nobody else, and is not waited for once they have gone', async () => {
  const converter = createSubtitleConverter({ log: createLog('silent') })
  const gone = new AbortController()
  try {
    const ended: string[] = []
    const mine = Promise.allSettled(
      Array.from({ length: 3 }, () => converter.asVtt(slow(), ASS, asker(1, gone.signal)).finally(() => ended.push('mine'))),
    )
    await converter.asVtt(script(1), ASS, asker(2)).then(() => ended.push('theirs'))
    expect(ended).toEqual(['theirs'])
    gone.abort()
    expect((await mine).filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2)
    expect(await converter.asVtt(script(1), ASS, asker(1))).toContain('Sign 0')
  } finally {
    converter.close()
  }
})

test('what took too long is not tried again at once, and another version of it is', async () => {
  const logged: string[] = []
  const converter = createSubtitleConverter({ log: createLog('warn', (line) => logged.push(line)) }, { timeoutMs: 200 })
  const fails = (key: string) =>
    expect(converter.asVtt(slow(), ASS, asker(1, AbortSignal.any([]), key))).rejects.toMatchObject({ code: 'unavailable' })
  try {
    await fails('film 1')
    await fails('film 1')
    expect(logged.length).toBe(1)
    await fails('film 2')
    expect(logged.length).toBe(2)
  } finally {
    converter.close()
  }
})
