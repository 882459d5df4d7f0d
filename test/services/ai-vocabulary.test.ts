import { expect, test } from 'bun:test'
import { createVocabularyReader, readVocabulary } from '../../src/services/ai-vocabulary.ts'
import { startTaggedApp } from '../support/tagged-app.ts'

test('what jobs change is how often tags are used: the vocabulary is looked through anew for other tags, and once a minute', async () => {
  await using tagged = await startTaggedApp()
  const { app, tag, assign, film } = tagged
  let now = 0
  const reader = createVocabularyReader(app.database, () => now)
  const later = (milliseconds: number) => {
    now += milliseconds
    return reader.read()
  }
  const calm = await tag('Mood/Calm')
  const before = await later(1000)
  expect(before).toEqual([{ id: calm, name: 'Calm', category: 'Mood', usage: 0, aliases: [] }])

  await assign(await film('Alien'), calm)
  expect(await later(1000)).toBe(before)
  const counted = await later(60_000)
  expect(counted).toEqual([{ id: calm, name: 'Calm', category: 'Mood', usage: 1, aliases: [] }])
  expect(await later(1000)).toBe(counted)

  const loud = await tag('Mood/Loud')
  await assign(await film('Jaws'), calm)
  expect(await later(1000)).toEqual([
    { id: calm, name: 'Calm', category: 'Mood', usage: 2, aliases: [] },
    { id: loud, name: 'Loud', category: 'Mood', usage: 0, aliases: [] },
  ])
  expect(await readVocabulary(app.database)).toEqual(await reader.read())
})
