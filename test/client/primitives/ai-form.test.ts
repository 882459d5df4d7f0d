import { describe, expect, test } from 'bun:test'
import { screensTexts as german } from '../../../client/src/i18n/de/screens.ts'
import {
  AI_FIELDS,
  globalForm,
  libraryForm,
  losesKey,
  refusedActivities,
  toOverrides,
  toSettings,
} from '../../../client/src/primitives/ai-form.ts'
import { defaultAiSettings, saidOverrides } from '../../../src/domain/ai-settings.ts'
import { aiOverridesSchema, aiSettingsInput } from '../../../src/services/ai-settings-schema.ts'

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

  test('is refused in words for what cannot be, in German too', () => {
    const { activities } = globalForm(saved)
    const refused = toSettings({
      ...globalForm(saved),
      endpoint: 'ftp://x',
      model: 'm'.repeat(201),
      concurrency: ' ',
      timeoutSeconds: 'long',
      activities: { ...activities, description: { ...activities.description, maxTokens: '1e999' } },
    })
    const issues = aiSettingsInput.safeParse(JSON.parse(JSON.stringify(refused))).error?.issues ?? []
    expect(issues.map(({ path, message }) => [path.join('.'), message, german.problem.field(message)])).toEqual([
      ['endpoint', 'must begin with http:// or https://', 'Die Adresse muss mit http:// oder https:// beginnen.'],
      ['model', 'At most 200 characters', 'Höchstens 200 Zeichen.'],
      ['concurrency', 'A whole number from 1 to 16', 'Eine ganze Zahl von 1 bis 16.'],
      ['timeoutSeconds', 'A whole number from 1 to 3600', 'Eine ganze Zahl von 1 bis 3600.'],
      ['activities.description.maxTokens', 'A whole number from 1 to 200000', 'Eine ganze Zahl von 1 bis 200000.'],
    ])
    for (const [path] of issues.map(({ path }) => [path.join('.')])) expect(AI_FIELDS).toContain(path ?? '')
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

test('what is no number is not taken for an empty field of a library', () => {
  const form = libraryForm({})
  const { tagging } = form.activities
  const { activities } = toOverrides({ ...form, activities: { ...form.activities, tagging: { ...tagging, maxTokens: 'many' } } })
  expect(aiOverridesSchema.safeParse(JSON.parse(JSON.stringify({ activities }))).success).toBe(false)
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
