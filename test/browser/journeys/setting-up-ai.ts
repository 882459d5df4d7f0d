import { expect, test } from 'bun:test'
import { makeTag } from '../../support/ai-scene.ts'
import { answersWith, MISBEHAVIOURS, says, startFakeModel } from '../../support/fake-model.ts'
import { waitFor } from '../../support/test-server.ts'
import { waitForFocus } from '../focus.ts'
import { onPage, pressTwice, WAIT_LIMIT_MS } from '../on-page.ts'
import type { Scene } from '../scene.ts'

/** Against a model that behaves as the test says: Manage → AI Tagging. */
export const settingUpAi = (scene: () => Scene): void => {
  test('an endpoint that refuses is not said to be out of reach, nor that it wants another key where it got none', async () => {
    await using model = await startFakeModel()
    await scene().admin.put('/api/ai-settings', { endpoint: model.url, model: 'owl-vision', enabled: true })
    model.models(MISBEHAVIOURS.unauthorized)
    await onPage(scene(), {}, async (page) => {
      await page.goto('/manage/ai-tagging')
      await page.getByText('The endpoint refused the request (401): it wants a valid key.').waitFor()
      await page.getByText('No usable answer').waitFor()
      expect(await page.getByText(/reachable/i).count()).toBe(0)
      model.models(answersWith(200, { data: [{ id: 'owl-vision' }] }))
      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByText('Reachable', { exact: true }).waitFor()
      // What the queue meets with meanwhile is not said beside the opposite.
      await model.away()
      await scene().admin.post('/api/ai-tagging/describe', { itemKey: scene().keyOf('movie', 'Copper Rain (1978)') })
      await page.getByText('No usable answer').waitFor()
      await model.back()
      await page.getByText('Reachable', { exact: true }).waitFor()
      // Nor is what it was asked before it answered again.
      await waitFor(
        async () => (await scene().admin.get('/api/ai-tagging/queue')).body.waiting === null || undefined,
        WAIT_LIMIT_MS,
        () => 'The queue still waits',
      )
      const button = page.getByRole('button', { name: 'Test connection' })
      model.models(MISBEHAVIOURS.hang)
      model.answer(answersWith(429, 'slow down', { 'Retry-After': '4' }))
      await scene().admin.post('/api/ai-tagging/describe', { itemKey: scene().keyOf('movie', 'Copper Rain (1978)') })
      await button.and(page.locator('[aria-busy=true]')).waitFor()
      model.models(answersWith(200, { data: [{ id: 'owl-vision' }] }))
      model.answer(says('A film.'))
      await button.and(page.locator(':not([aria-busy=true])')).waitFor()
      await page.getByText('Reachable', { exact: true }).waitFor({ timeout: 1000 })
    })
    await scene().admin.put('/api/ai-settings', {})
  })

  test('an endpoint is set up, a prompt is changed, looked at and saved, and a library goes its own way', async () => {
    await using model = await startFakeModel()
    model.models(answersWith(200, { data: [{ id: 'owl-vision' }, { id: 'owl-text' }] }))
    const settings = async () => (await scene().admin.get('/api/ai-settings')).body
    await scene().admin.put('/api/ai-settings', {})
    await onPage(scene(), { expected: /status of 400/ }, async (page) => {
      await page.goto('/manage/jobs')
      await page.getByLabel('State').waitFor()
      // AI is off, and nobody waits for it.
      expect(await page.getByText('Waiting: ').count()).toBe(0)
      await page.goto('/manage/ai-tagging')
      await page.getByText('No endpoint yet').waitFor()
      const save = page.getByRole('button', { name: 'Save changes' })
      expect(await save.count()).toBe(0)
      await page.getByLabel('Endpoint', { exact: true }).fill('ftp://nowhere')
      await page.keyboard.press('Enter')
      await page.getByText('must begin with http:// or https://').waitFor()
      await page.getByLabel('Endpoint', { exact: true }).fill(model.url)
      await page.getByLabel('API key').fill('sk-of-the-browser')
      await page.getByLabel('Model', { exact: true }).first().fill('owl-vision')
      await page.getByRole('switch', { name: /^Use the model/ }).check()
      await save.click()
      await page.getByText('The AI settings have been saved.').waitFor()
      await save.waitFor({ state: 'detached' })
      // The button has gone, and keys go on from the screen's heading.
      await waitForFocus(page, 'AI Tagging')
      await page.getByText(/^2 models/).waitFor()
      await page.getByRole('list', { name: 'Models' }).getByText('owl-text').waitFor()
      expect(await page.getByLabel('API key').inputValue()).toBe('')
      expect(await page.content()).not.toContain('sk-of-the-browser')
      expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-browser')

      await page.getByRole('tab', { name: 'Description' }).click()
      const instructions = page.getByLabel('Instructions', { exact: true })
      await instructions.fill('Say in {targetLanguage} what {title} is.')
      await page.getByRole('button', { name: 'Preview prompt' }).click()
      const preview = page.getByRole('dialog')
      await preview.getByPlaceholder('Find an item').fill('Salt Meridian')
      await preview.getByText('Say in English (en) what The Salt Meridian', { exact: false }).waitFor()
      await preview.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Instructions: Reset to default' }).click()
      await save.waitFor({ state: 'detached' })
      await instructions.fill('Describe {title}.')
      await save.click()
      await save.waitFor({ state: 'detached' })

      await page.goto(`/manage/ai-tagging/${scene().idOf('movies')}?activity=description`)
      await page.getByPlaceholder('Global: Describe {title}.').fill('Praise {title}.')
      expect(await page.getByLabel('Model', { exact: true }).first().getAttribute('placeholder')).toBe('Global: owl-vision')
      // Of the activity, which has none of its own here or there.
      expect(await page.getByLabel('Model', { exact: true }).last().getAttribute('placeholder')).toBe('As above: owl-vision')
      await page.getByLabel('Method').selectOption('Model only')
      await page.getByRole('group', { name: 'Languages' }).waitFor({ state: 'detached' })
      await save.click()
      await save.waitFor({ state: 'detached' })
      await page.reload()
      expect(await page.getByLabel('Instructions', { exact: true }).inputValue()).toBe('Praise {title}.')
      // What else a prompt is made of is as it was saved last.
      await instructions.fill('Praise {title} in {targetLanguage}.')
      for (const language of ['French', 'Danish']) {
        await page.getByLabel('Target language', { exact: true }).fill(language)
        await save.click()
        await save.waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Preview prompt' }).click()
        await preview.getByText(language).first().waitFor()
        await preview.getByRole('button', { name: 'Close' }).click()
      }
      await page.getByLabel('Target language', { exact: true }).fill('')
      await save.click()
      await save.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Instructions: Use global' }).click()
      // Another screen has to wait until that is meant; another tab of the same one has not.
      await page.getByRole('tab', { name: 'Tagging' }).click()
      await page.getByRole('tab', { name: 'Description' }).click()
      await page.getByRole('link', { name: 'Home' }).first().click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('button', { name: 'Instructions: Use global' }).press('Enter')
      expect(await page.getByLabel('Instructions').evaluate((field) => field === document.activeElement)).toBe(true)
      await save.click()
      await save.waitFor({ state: 'detached' })
    })
    expect((await settings()).activities.description.prompt.instructions).toBe('Describe {title}.')
    const { overrides } = (await scene().admin.get(`/api/ai-settings/library/${scene().idOf('movies')}`)).body
    expect(overrides).toEqual({ ocrMode: 'llm-only' })
  })

  test('two people who change two of the AI settings at once undo nothing of each other’s', async () => {
    const { admin } = scene()
    const settings = async () => (await admin.get('/api/ai-settings')).body
    await admin.put('/api/ai-settings', { model: 'owl', timeoutSeconds: 60 })
    await onPage(scene(), {}, async (page) => {
      await page.goto('/manage/ai-tagging')
      const model = page.getByLabel('Model', { exact: true }).first()
      await model.fill('hawk')
      await admin.put('/api/ai-settings', { ...(await settings()), timeoutSeconds: 90 })
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('The AI settings have been saved.').waitFor()
      await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
      expect(await model.inputValue()).toBe('hawk')
      expect(await page.getByLabel('Time limit in seconds').inputValue()).toBe('90')
    })
    expect(await settings()).toMatchObject({ model: 'hawk', timeoutSeconds: 90 })
    await admin.put('/api/ai-settings', {})
  })

  test('a batch goes on past what fails, says why it failed, and is taken back', async () => {
    await using model = await startFakeModel()
    const libraryId = scene().idOf('movies')
    await scene().admin.put(`/api/ai-settings/library/${libraryId}`, { overrides: {} })
    await scene().admin.put('/api/ai-settings', { endpoint: model.url, model: 'owl', enabled: true })
    const tagId = await makeTag(scene().admin, 'Maritime', 'Theme')
    model.answer(({ body }) =>
      JSON.stringify(body).includes('Copper Rain') ? MISBEHAVIOURS.unknownModel : says('{"tags":["maritime","admin"]}'),
    )
    const tagged = async () =>
      (await scene().admin.get('/api/browse', { libraryId, tags: String(tagId) })).body.entries.map(({ title }: { title: string }) => title)
    await onPage(scene(), {}, async (page) => {
      await page.goto(`/manage/ai-tagging/${libraryId}`)
      await page.getByText(/items are left to do/).waitFor()
      await page.getByRole('button', { name: 'Re-tag all' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Start with \d+ items$/ })
        .click()
      await page.getByText(/have been queued/).waitFor()
      await page.getByRole('button', { name: '1 failure' }).click()
      const failure = page.getByRole('list', { name: 'Failures' }).getByRole('listitem')
      await failure.getByText('The endpoint refused the request (404)').waitFor()
      expect(await failure.getByText(/Copper Rain/).count()).toBe(1)
      // What failed may have been the first of them.
      const areTagged = async () => (await tagged()).length > 3 || undefined
      await waitFor(areTagged, WAIT_LIMIT_MS, () => 'The batch did not go on past what failed')
      expect(await tagged()).not.toContain('Copper Rain (1978)')
      model.answer(says('{"tags":["Maritime"]}'))
      const retried: string[] = []
      page.on('request', (request) => request.url().endsWith('/retry') && retried.push(request.url()))
      const retry = failure.getByRole('button', { name: /^Retry/ })
      await retry.focus()
      await pressTwice(retry)
      await page.getByRole('button', { name: '1 failure' }).waitFor({ state: 'detached' })
      await waitForFocus(page, 'Tagging')
      expect(retried).toHaveLength(1)
      const isTagged = async () => ((await tagged()).join().includes('Copper Rain') ? true : undefined)
      await waitFor(isTagged, WAIT_LIMIT_MS, () => 'what was tried again was not tagged')
      const undo = page.getByRole('button', { name: 'Undo', exact: true }).first()
      await undo.click()
      // The second half of a double click is no second thought.
      await page.waitForTimeout(600)
      await page.getByRole('button', { name: /Undo this batch/ }).press('Enter')
      await page.getByText(/changes taken back/).waitFor()
      await waitForFocus(page, 'Tagging')
    })
    expect(await tagged()).toEqual([])
    await scene().admin.put('/api/ai-settings', {})
  })

  test('what scans ask for on their own is switched faster than it is saved, and all of it is kept', async () => {
    const { admin, idOf } = scene()
    const id = idOf('games')
    const kept = async (): Promise<string[]> => (await admin.get(`/api/libraries/${id}`)).body.library.aiOnScan
    await onPage(scene(), { isIntercepted: true }, async (page) => {
      await page.goto(`/manage/ai-tagging/${id}`)
      const answer = Promise.withResolvers<void>()
      let asked = 0
      await page.route(`**/api/libraries/${id}`, async (route) => {
        asked += 1
        await answer.promise
        await route.continue()
      })
      await page.getByRole('switch', { name: 'Tagging' }).check()
      await page.getByRole('switch', { name: 'Description' }).check()
      await page.getByRole('switch', { name: 'Translation' }).check()
      expect(asked).toBe(1)
      answer.resolve()
      const isKept = async () => (await kept()).length === 3 || undefined
      await waitFor(isKept, WAIT_LIMIT_MS, () => 'Not all of it was kept')
      await page.getByText('New items are handled like this').first().waitFor()
      expect(await page.getByRole('switch', { checked: true, name: /^(?:Tagging|Description|Extraction|Translation)$/ }).count()).toBe(3)
    })
    expect((await kept()).toSorted()).toEqual(['description', 'tagging', 'translation'])
    await admin.patch(`/api/libraries/${id}`, { aiOnScan: [] })
  })
}
