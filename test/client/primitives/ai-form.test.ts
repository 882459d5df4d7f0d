import { describe, expect, test } from 'bun:test'
import { globalForm, libraryForm, losesKey, refusedActivities, toOverrides, toSettings } from '../../../client/src/primitives/ai-form.ts'
import { defaultAiSettings, saidOverrides } from '../../../src/domain/ai-settings.ts'

const saved = { ...defaultAiSettings(), endpoint: 'http://localhost:1/v1', apiKeySet: true }

describe('the global form', () => {
  test('gives back what it was made from, without a key', () => {
    const { apiKeySet: _, ...settings } = saved
    expect(toSettings(globalForm(saved))).toEqual(settings)
  })

  test('sends a key that was typed, and an empty one where it is to go', () => {
    expect(toSettings({ ...globalForm(saved), apiKey: ' sk ' })).toMatchObject({ apiKey: 'sk' })
    expect(toSettings({ ...globalForm(saved), isKeyRemoved: true })).toMatchObject({ apiKey: '' })
    expect(toSettings({ ...globalForm(saved), isKeyRemoved: true, apiKey: 'sk' })).toMatchObject({ apiKey: 'sk' })
  })

  test('sends what is no number as none, so that the server says so', () => {
    expect(toSettings({ ...globalForm(saved), concurrency: ' ', timeoutSeconds: 'long' })).toMatchObject({
      concurrency: Number.NaN,
      timeoutSeconds: Number.NaN,
    })
  })

  test.each([
    ['http://localhost:1/v2', '', false],
    ['http://localhost:2/v1', '', true],
    ['https://localhost:1/v1', '', true],
    ['', '', false],
    ['http://localhost:2/v1', 'sk', false],
  ])('says that the saved key goes when the endpoint becomes %j and the key is %j: %p', (endpoint, apiKey, loses) => {
    expect(losesKey({ endpoint, apiKey }, saved)).toBe(loses)
    expect(losesKey({ endpoint, apiKey }, { ...saved, apiKeySet: false })).toBe(false)
  })

  test('knows in which activity something was refused', () => {
    expect(refusedActivities((path) => (path === 'activities.extraction.prompt.system' ? 'too long' : undefined))).toEqual(['extraction'])
  })
})

test('the form of a library says nothing where it is empty, and what it says where it is not', () => {
  expect(saidOverrides(toOverrides(libraryForm({})))).toEqual({})
  const overrides = {
    enabled: false,
    model: 'm',
    ocrMode: 'hybrid',
    activities: { tagging: { maxTokens: 7, prompt: { system: 'x' } } },
  } as const
  expect(saidOverrides(toOverrides(libraryForm(overrides)))).toEqual(overrides)
})
