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

test('others have their turn while a large file is converted', async () => {
  const converter = createSubtitleConverter({ log: createLog('error') })
  try {
    const converting = converter.asVtt(script(CUES), { format: 'ass', language: null })
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
    const texts = await Promise.all(['ru', null].map((language) => converter.asVtt(file, { format: 'srt', language })))
    expect(texts.map((text) => text.trim().split('\n').at(-1))).toEqual(['Привет', 'Ïðèâåò'])
  } finally {
    converter.close()
  }
})

test('once it is closed it says that it is of no use', async () => {
  const logged: string[] = []
  const converter = createSubtitleConverter({ log: createLog('warn', (line) => logged.push(line)) })
  converter.close()
  await expect(converter.asVtt(script(1), { format: 'ass', language: null })).rejects.toMatchObject({ code: 'unavailable' })
  expect(logged.length).toBe(1)
})
