import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type AiScene, makeTag, startAiScene } from '../support/ai-scene.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import { buildClient } from '../support/built.ts'
import { MISBEHAVIOURS, says } from '../support/fake-model.ts'
import { drawnPicture } from '../support/real-media.ts'
import { waitFor } from '../support/test-server.ts'
import { holdEnter } from './focus.ts'
import { atRest, holdRequests } from './on-page.ts'

/** AI work as people do it, against a fake endpoint: extract, edit, translate, describe and tag an item, and run a batch. */

const LIMIT_MS = 180_000
const STEP_MS = 30_000
/** An answer that came is on the screen by then. */
const SHOWN_MS = 500

let ai: AiScene
let browser: Browser

beforeAll(async () => {
  await buildClient(join(import.meta.dir, '../..'))
  const pictures = await Promise.all([1, 2, 3].map((seed) => drawnPicture({ seed }).png().toBuffer()))
  ai = await startAiScene({ 'one.png': pictures[0] ?? '', 'two.png': pictures[1] ?? '', 'three.png': pictures[2] ?? '' })
  await ai.configure({ ocrMode: 'llm-only', concurrency: 2 })
  await makeTag(ai.admin, 'Hills')
  browser = await launchBrowser()
}, LIMIT_MS)
afterAll(async () => {
  await browser.close()
  await ai[Symbol.asyncDispose]()
})

const onScreen = async (work: (page: Page) => Promise<void>, expected = /^$/, client = ai.admin): Promise<void> => {
  const opened = await openPage(browser, { url: ai.scene.server.url, client })
  try {
    opened.page.setDefaultTimeout(STEP_MS)
    await work(opened.page)
    expect(opened.problems.filter((problem) => !expected.test(problem))).toEqual([])
  } finally {
    await opened.close()
  }
}

/** On screen while no job is begun; what was asked for meanwhile is never done. */
const onScreenWhilePaused = async (...screen: Parameters<typeof onScreen>): Promise<void> => {
  await ai.idle()
  await ai.admin.post('/api/ai-tagging/queue', { paused: true })
  try {
    await onScreen(...screen)
  } finally {
    await ai.admin.post('/api/ai-tagging/jobs/clear', { status: 'queued' })
    await ai.admin.post('/api/ai-tagging/queue', { paused: false })
  }
}

const openItem = async (page: Page, name: string): Promise<void> => {
  await page.goto(`/l/${ai.libraryId}?item=${encodeURIComponent(ai.keyOf(name))}`)
  const info = page.getByRole('button', { name: 'Details' }).first()
  await info.waitFor()
  if ((await page.getByRole('region', { name: 'AI' }).count()) === 0) await info.click()
  await page.getByRole('region', { name: 'AI' }).waitFor()
}

test(
  'an item is read, edited, translated, described and tagged',
  async () => {
    await onScreen(async (page) => {
      await openItem(page, 'one.png')
      const panel = page.getByRole('region', { name: 'AI' })
      // Only recognition wants to know the languages.
      await panel.getByRole('button', { name: 'Extract text' }).waitFor()
      expect(await panel.getByRole('group', { name: 'Languages in the picture' }).count()).toBe(0)

      const looked = Promise.withResolvers<void>()
      ai.model.answer({
        behave: (socket, request) => void looked.promise.then(() => says('Guten Morgen').behave(socket, request)),
      })
      const width = (await panel.getByRole('button', { name: 'Extract text' }).boundingBox())?.width
      await panel.getByRole('button', { name: 'Extract text' }).click()
      const pending = panel.locator('button[aria-busy=true]')
      await pending.waitFor()
      await pending.filter({ hasText: /Queued|Working/ }).waitFor()
      // It goes on saying what it is about: several may be under way.
      expect([await pending.textContent(), (await pending.boundingBox())?.width]).toEqual([expect.stringMatching(/^Extract text/), width])
      // It is switched off meanwhile, but nobody shall have to guess what it says.
      await page.waitForFunction(() => {
        const button = document.querySelector('button[aria-busy=true]')
        const wanted = document.createElement('span')
        wanted.className = 'text-on-accent'
        button?.append(wanted)
        const isReadable = button !== null && getComputedStyle(button).color === getComputedStyle(wanted).color
        wanted.remove()
        return isReadable
      })
      looked.resolve()
      const text = panel.getByLabel('Extracted text')
      await text.waitFor()
      expect(await text.inputValue()).toBe('Guten Morgen')
      // It may stand below what is seen.
      await panel.getByText('Text extraction: finished.').waitFor()

      await text.fill('Guten Morgen!')
      await panel.getByRole('button', { name: 'Save' }).click()
      await panel.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
      expect((await ai.fields('one.png')).extractedText).toBe('Guten Morgen!')

      ai.model.answer(says('Good morning!'))
      await panel.getByLabel('From').fill('de')
      await panel.getByLabel('Into').fill('en')
      await panel.getByRole('button', { name: 'Translate' }).click()
      await panel.getByText('Good morning!').waitFor()
      expect(JSON.stringify(ai.model.chats().at(-1)?.body)).toMatch(/from German.* into English/)

      await text.fill('Guten Abend!')
      await panel.getByRole('button', { name: 'Save' }).click()
      await panel.getByText('The text has changed since.').waitFor()

      // What an administrator stops has not come to its end.
      ai.model.answer(MISBEHAVIOURS.hang)
      await panel.getByRole('button', { name: 'Describe' }).click()
      await panel.locator('[aria-busy=true]').waitFor()
      for (const { id } of (await ai.fields('one.png')).jobs) await ai.admin.delete(`/api/ai-tagging/jobs/${id}`)
      await panel.getByText('Description: cancelled.').waitFor()
      ai.model.answer(says('A drawing of hills under a <b>sky</b>.'))
      await panel.getByRole('button', { name: 'Describe' }).click()
      // As text: nothing that a model says is markup.
      await panel.getByText('A drawing of hills under a <b>sky</b>.').first().waitFor()
      await panel.getByText('Description: finished.').waitFor()
      expect(await panel.getByText('finished.').count()).toBe(1)

      ai.model.answer(says('{"tags": ["hills", "Nonsense"]}'))
      await panel.getByRole('button', { name: 'Tag by AI' }).click()
      await page.getByRole('link', { name: /Hills/ }).first().waitFor()
      expect((await ai.admin.get('/api/tags/items')).body.tags.map(({ name }: { name: string }) => name)).toEqual(['Hills'])
      // What is no tag waits for an administrator; where nothing is new, that is said too.
      await panel.getByText('1 name that is no tag yet: Nonsense').waitFor()
      const nothing = panel.getByText('The model found no further tag that fits.')
      expect(await nothing.count()).toBe(0)
      ai.model.answer(says('["Hills"]'))
      await panel.getByRole('button', { name: 'Tag by AI' }).click()
      await nothing.waitFor()
      expect(await panel.getByRole('link', { name: 'Suggested tags' }).count()).toBe(0)
    })
  },
  LIMIT_MS,
)

test(
  'what a model chose is told apart, and kept or taken off for good',
  async () => {
    for (const name of ['Sky', 'Clouds', 'Night']) await makeTag(ai.admin, name)
    const itemKey = ai.keyOf('two.png')
    const sources = async (): Promise<string[]> => {
      const { tags } = (await ai.admin.get('/api/tags/assignments', { itemKey })).body
      return tags.map(({ name, source }: { name: string; source: string }) => `${name} ${source}`).sort()
    }
    await onScreen(async (page) => {
      await openItem(page, 'two.png')
      const panel = page.getByRole('region', { name: 'AI' })
      const chosen = panel.getByRole('list', { name: 'Tags by the model' })
      const ask = () => panel.getByRole('button', { name: 'Tag by AI' }).click()
      ai.model.answer(says('{"tags": ["sky", "clouds", "night"]}'))
      await ask()
      await chosen.getByRole('button', { name: 'Keep Sky' }).waitFor()
      // The picture answers before the list behind it does: a dialog would have taken the lost focus by then.
      await page.route('**/api/browse?*', async (route) => {
        await Bun.sleep(SHOWN_MS)
        await route.continue()
      })
      await chosen.getByRole('button', { name: 'Keep Sky' }).click()
      await chosen.getByText('Sky').waitFor({ state: 'detached' })
      await chosen.locator('button:focus').waitFor()
      // Held down: it goes no further than the tag it was pressed on.
      await holdEnter(page, chosen.getByRole('button', { name: 'Take off Clouds' }), 'Take off Night')
      expect(await chosen.locator('button[aria-disabled]').count()).toBe(0)
      expect(await sources()).toEqual(['Night ai', 'Sky user'])
      await page.getByRole('link', { name: 'Night Chosen by the model' }).first().waitFor()
      expect(await page.getByRole('link', { name: 'Sky', exact: true }).count()).toBe(1)

      ai.model.answer(says('{"tags": ["clouds"]}'))
      await ask()
      await chosen.waitFor({ state: 'detached' })
      expect(await sources()).toEqual(['Sky user'])
    })
  },
  LIMIT_MS,
)

test(
  'the key for it puts the caret into the text of the picture, of no other one that is looked at next, and once',
  async () => {
    for (const name of ['one.png', 'three.png'])
      await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf(name), extractedText: `Of ${name}` })
    await ai.configure({ ocrMode: 'hybrid', concurrency: 2 })
    await onScreen(async (page) => {
      await page.setViewportSize({ width: 1280, height: 760 })
      // The languages stand above the text, and come when they are known.
      await page.route('**/api/ai-settings/ocr?*', async (route) => {
        await Bun.sleep(SHOWN_MS)
        await route.continue()
      })
      await page.goto(`/l/${ai.libraryId}?item=${encodeURIComponent(ai.keyOf('one.png'))}`)
      await page.getByRole('heading', { name: 'one.png' }).waitFor()
      await page.keyboard.press('e')
      const text = page.getByRole('textbox', { name: 'Extracted text' })
      await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement)
      await page.keyboard.press('End')
      await page.keyboard.type('!')
      expect(await text.inputValue()).toBe('Of one.png!')
      await page.getByRole('group', { name: 'Languages in the picture' }).waitFor()
      expect(await text.evaluate((field) => field.getBoundingClientRect().bottom <= window.innerHeight)).toBe(true)
      await page.getByRole('button', { name: 'Cancel' }).click()
      for (const [direction, name] of [
        ['Next', 'three.png'],
        ['Previous', 'one.png'],
      ]) {
        await page.getByRole('button', { name: `${direction} item` }).click()
        await page.getByRole('heading', { name }).waitFor()
        await page.waitForFunction((shown) => document.querySelector('textarea')?.value === `Of ${shown}`, name)
        expect(await page.evaluate(() => document.activeElement instanceof HTMLTextAreaElement)).toBe(false)
      }
    })
    await ai.configure({ ocrMode: 'llm-only', concurrency: 2 })
  },
  LIMIT_MS,
)

test(
  'what is typed into the text stays while something else is done about the same picture, and another one is looked at',
  async () => {
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('one.png'), extractedText: 'Guten Tag' })
    await onScreen(async (page) => {
      await openItem(page, 'one.png')
      const panel = page.getByRole('region', { name: 'AI' })
      const text = panel.getByLabel('Extracted text')
      await text.fill('Guten Tag und')
      const item = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/items')
      ai.model.answer(says('Hills, seen from a train.'))
      await panel.getByRole('button', { name: /^Describe/ }).click()
      await panel.getByText('Hills, seen from a train.').waitFor()
      await item
      await page.waitForTimeout(SHOWN_MS)
      expect(await text.inputValue()).toBe('Guten Tag und')
      // Whoever closes the tab is asked.
      const isHeld = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
      expect(await isHeld()).toBe(true)
      await text.fill('Guten Tag')
      expect(await isHeld()).toBe(false)
      await text.fill('Guten Tag und')
      // Nor does it go with the screen.
      await page.getByRole('button', { name: 'Next item' }).click()
      await panel.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Previous item' }).click()
      await panel.getByRole('button', { name: 'Save' }).waitFor()
      expect(await text.inputValue()).toBe('Guten Tag und')
      await panel.getByRole('button', { name: 'Save' }).click()
      await panel.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
      expect((await ai.fields('one.png')).extractedText).toBe('Guten Tag und')
    })
  },
  LIMIT_MS,
)

test(
  'a text that could not be saved, and a translation that could not be asked for, say so where they stand',
  async () => {
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('one.png'), extractedText: 'Guten Tag' })
    await onScreen(async (page) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.route('**/api/ai-tagging/**', (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()))
      await openItem(page, 'one.png')
      const panel = page.getByRole('region', { name: 'AI' })
      const isUnder = async (name: string) => {
        const button = panel.getByRole('button', { name })
        await button.click()
        const alert = panel.getByRole('alert')
        await alert.waitFor()
        expect(await alert.count()).toBe(1)
        expect((await alert.boundingBox())?.y).toBeGreaterThan((await button.boundingBox())?.y ?? 0)
      }
      await panel.getByLabel('Extracted text').fill('Guten Tag und')
      await isUnder('Save')
      await isUnder('Translate')
    }, /ERR_FAILED/)
  },
  LIMIT_MS,
)

test(
  'what was typed stays with whoever may not save it any more, and so does the reason',
  async () => {
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('one.png'), extractedText: 'Guten Tag' })
    const writer = await ai.scene.server.as('writer', { permissions: { editMetadata: true, useAi: true } })
    const { user } = (await writer.get('/api/auth/me')).body
    await onScreen(
      async (page) => {
        await openItem(page, 'one.png')
        const panel = page.getByRole('region', { name: 'AI' })
        const text = panel.getByLabel('Extracted text')
        await text.fill('Guten Tag und')
        await ai.admin.patch(`/api/users/${user.id}`, { permissions: { ...user.permissions, editMetadata: false } })
        const known = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/auth/status')
        await panel.getByRole('button', { name: 'Save' }).click()
        await known
        await panel.getByRole('alert').waitFor()
        expect(await text.inputValue()).toBe('Guten Tag und')
        await panel.getByRole('button', { name: 'Cancel' }).click()
        await text.waitFor({ state: 'detached' })
      },
      /status of 403/,
      writer,
    )
  },
  LIMIT_MS,
)

test(
  'a step through history asks before what was changed in the settings is lost, and is one step',
  async () => {
    await onScreen(async (page) => {
      const address = `/manage/ai-tagging/${ai.libraryId}`
      const isAt = (path: string) => page.waitForURL((url) => url.pathname === path)
      await page.goto(address)
      const ask = page.getByRole('switch', { name: 'Ask models about this library' })
      await ask.waitFor()
      await page.getByRole('link', { name: 'Home' }).first().click()
      await isAt('/')
      await page.goBack()
      await ask.press('Space')
      await page.getByRole('button', { name: 'Discard' }).waitFor()
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
      await page.goForward()
      await dialog.getByRole('button', { name: 'Stay' }).click()
      await dialog.waitFor({ state: 'detached' })
      await isAt(address)
      expect(await ask.isChecked()).toBe(false)
      await page.goForward()
      await dialog.getByRole('button', { name: 'Leave' }).click()
      await isAt('/')
      await page.goBack()
      await isAt(address)
      expect(await ask.isChecked()).toBe(true)
    })
  },
  LIMIT_MS,
)

test(
  'a field that is refused is shown, and says alone what is wrong with it',
  async () => {
    await onScreen(async (page) => {
      for (const path of ['', `/${ai.libraryId}`]) {
        await page.goto(`/manage/ai-tagging${path}?activity=description`)
        const most = page.getByRole('textbox', { name: 'Most tokens' })
        await most.fill('abc')
        await page.getByRole('tab', { name: 'Tagging' }).click()
        await page.waitForURL((url) => !url.search)
        await page.getByRole('button', { name: 'Save changes' }).click()
        await page.getByRole('tab', { name: 'Description', selected: true }).waitFor()
        await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
        expect(await most.inputValue()).toBe('abc')
        expect(await page.getByRole('alert').allTextContents()).toEqual(['A whole number from 1 to 200000'])
        await page.getByRole('button', { name: 'Discard' }).click()
      }
    }, /status of 400/)
  },
  LIMIT_MS,
)

test(
  'the languages of a picture are chosen among those that are installed, and joined in the order of choosing',
  async () => {
    await ai.configure({ ocrMode: 'tesseract', ocrLanguages: 'eng' })
    await ai.admin.post('/api/ai-tagging/queue', { paused: true })
    try {
      await onScreen(async (page) => {
        await openItem(page, 'two.png')
        const panel = page.getByRole('region', { name: 'AI' })
        const languages = panel.getByRole('group', { name: 'Languages in the picture' })
        await languages.getByRole('button', { name: 'Korean', pressed: false }).click()
        await languages.getByRole('button', { name: 'Japanese', exact: true }).click()
        await languages.getByRole('button', { name: 'English', pressed: true }).click()
        await panel.getByRole('button', { name: 'Extract text' }).click()
        await panel.locator('button[aria-busy=true]').waitFor()
        // In the header, wherever an administrator is.
        await page.getByTitle('AI jobs, paused').getByText('1', { exact: true }).waitFor()
      })
      const { jobs } = (await ai.admin.get('/api/ai-tagging/jobs', { limit: 1 })).body
      expect(jobs[0].payload).toEqual({ ocrLanguages: 'kor+jpn' })
      await ai.admin.delete(`/api/ai-tagging/jobs/${jobs[0].id}`)
    } finally {
      await ai.admin.post('/api/ai-tagging/queue', { paused: false })
      await ai.configure({ ocrMode: 'llm-only' })
    }
  },
  LIMIT_MS,
)

test(
  'what a model has read is in the grid once it is done, for whoever has closed the picture meanwhile',
  async () => {
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('two.png'), extractedText: '' })
    await ai.admin.post('/api/ai-tagging/queue', { paused: true })
    try {
      await onScreen(async (page) => {
        await page.clock.install()
        await openItem(page, 'two.png')
        await page.getByRole('region', { name: 'AI' }).getByRole('button', { name: 'Extract text' }).click()
        await page.getByTitle('AI jobs, paused').waitFor()
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        const badge = page.locator('a[data-item-key][title="two.png"]').first().getByTitle('Has extracted text')
        expect(await badge.count()).toBe(0)
        ai.model.answer(says('Hills, it says'))
        await ai.admin.post('/api/ai-tagging/queue', { paused: false })
        await ai.idle()
        // What is under way is asked for every few seconds.
        await page.clock.fastForward('00:05')
        await badge.waitFor()
      })
    } finally {
      await ai.admin.post('/api/ai-tagging/queue', { paused: false })
    }
  },
  LIMIT_MS,
)

test(
  'a failure is red and says why, in sight; asking again takes it back; nothing is asked for when nothing is under way',
  async () => {
    await onScreen(async (page) => {
      const asked: string[] = []
      page.on('request', (request) => request.url().includes('/api/ai-tagging/fields') && asked.push(request.url()))
      // The details of a phone end where the button is that was pressed.
      await page.setViewportSize({ width: 390, height: 844 })
      await openItem(page, 'two.png')
      const panel = page.getByRole('region', { name: 'AI' })
      ai.model.answer(MISBEHAVIOURS.unauthorized)
      await panel.getByRole('button', { name: 'Describe' }).click()
      await panel.getByRole('alert').filter({ hasText: 'it wants a valid key' }).waitFor()
      await page.waitForFunction(() => {
        const { bottom = Number.NaN } = document.querySelector('[role=alert]')?.getBoundingClientRect() ?? {}
        return bottom <= window.innerHeight
      })
      const settled = asked.length
      await page.waitForTimeout(5000)
      expect(asked.length).toBe(settled)
      ai.model.answer(says('Two hills.'))
      await panel.getByRole('button', { name: 'Describe' }).click()
      await panel.getByText('Two hills.').waitFor()
      expect(await panel.getByRole('alert').count()).toBe(0)
    })
  },
  LIMIT_MS,
)

test(
  'a batch runs before one’s eyes; the jobs are filtered, retried, put away, and the queue is paused',
  async () => {
    await onScreen(async (page) => {
      ai.model.answer(MISBEHAVIOURS.unknownModel)
      await ai.admin.post('/api/ai-tagging/batch', { libraryId: ai.libraryId, activity: 'description', scope: 'all' })
      await page.goto('/manage/jobs')
      const list = page.getByRole('list', { name: 'Jobs' })
      await list.getByText('it does not know the address or the model').first().waitFor()
      // What fails later is not retried by what was pressed before.
      await ai.idle()
      await page.getByLabel('State').selectOption('failed')
      await page.waitForURL(/status=failed/)
      // The others stay in sight until the answer is there.
      await list.getByRole('listitem').filter({ hasNotText: 'Failed' }).first().waitFor({ state: 'detached' })
      await list.getByRole('button', { name: 'Retry: one.png' }).waitFor()
      expect(await list.getByText('Done', { exact: true }).count()).toBe(0)

      ai.model.answer(says('Three hills.'))
      await list.getByRole('button', { name: 'Retry: one.png' }).click()
      await list.getByRole('button', { name: 'Retry: one.png' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Retry all' }).click()
      await page.getByText('No job fits these filters.').waitFor()
      await page.getByLabel('State').selectOption('done')
      await list.getByRole('link', { name: 'three.png' }).first().waitFor()

      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('The queue is paused').waitFor()
      await ai.ask('describe', 'three.png')
      await ai.ask('extract', 'three.png')
      await page.getByLabel('State').selectOption('queued')
      await page.getByLabel('Activity').selectOption('Text extraction')
      const oneWaits = page.getByRole('group', { name: 'Waiting' }).getByText('1', { exact: true })
      await oneWaits.waitFor()
      await page.getByRole('button', { name: 'Cancel all' }).click()
      await page.getByText('1 job was cancelled.').waitFor()
      // What the filter hides still waits.
      await page.getByLabel('Activity').selectOption('Every activity')
      await oneWaits.waitFor()
      await list.getByRole('button', { name: 'Cancel: three.png' }).click()
      await page.getByText('No job fits these filters.').waitFor()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByText('The queue is paused').waitFor({ state: 'detached' })
    })
  },
  LIMIT_MS,
)

test(
  'what is below the endpoint stays where it is when the endpoint answers',
  () =>
    onScreen(async (page) => {
      const { asked, letGo } = await holdRequests(page, 'POST', /\/api\/ai-settings\/test/)
      await page.goto('/manage/ai-tagging')
      await asked
      await page.getByText('Asking the endpoint…').waitFor()
      const top = async () => (await page.getByRole('switch', { name: 'Use the model' }).boundingBox())?.y
      const before = await atRest(page, top)
      letGo()
      await page.getByRole('list', { name: 'Models' }).waitFor()
      expect(await atRest(page, top)).toBe(before)
    }),
  LIMIT_MS,
)

test(
  'the card of a batch says what waits or runs before it says that nothing is left',
  async () => {
    await onScreenWhilePaused(async (page) => {
      await page.goto('/manage/ai-tagging')
      await page.getByLabel('Activity').selectOption('tagging')
      await page.getByText(/^\d items? (is|are) left to do$/).waitFor()
      await ai.admin.post('/api/ai-tagging/batch', { libraryId: ai.libraryId, activity: 'tagging', scope: 'all' })
      await page.getByText('3 items are waiting or being worked on', { exact: true }).waitFor()
      expect(await page.getByText('Nothing is left to do.').count()).toBe(0)
      await ai.admin.post('/api/ai-tagging/jobs/clear', { status: 'queued' })
      await page.getByText('3 items are left to do', { exact: true }).waitFor()
    })
  },
  LIMIT_MS,
)

test(
  'a batch says how long it still takes, once its pace is seen, and not while the queue is paused',
  () =>
    onScreen(async (page) => {
      let done = 10
      let paused = false
      const counts = () => ({ queued: 100 - done, running: 0, done, failed: 0, cancelled: 0 })
      const batch = { libraryId: ai.libraryId, activity: 'tagging', trigger: 'batch', createdAt: new Date().toISOString(), undoneAt: null }
      let isFirst = true
      const isSeen = Promise.withResolvers<void>()
      await page.route('**/api/ai-tagging/runs?*', async (route) => {
        if (!isFirst) await isSeen.promise
        isFirst = false
        done += paused ? 0 : 4
        return route.fulfill({ json: { runs: [{ id: 1, ...batch, counts: counts() }] } })
      })
      await page.route('**/api/ai-tagging/queue', (route) => route.fulfill({ json: { queued: 1, running: 0, paused, waiting: null } }))
      await page.goto('/manage/ai-tagging')
      await page.getByText('14 of 100').waitFor()
      const left = page.getByText('about 1 min left')
      expect(await left.count()).toBe(0)
      isSeen.resolve()
      await left.waitFor()
      paused = true
      await left.waitFor({ state: 'detached' })
    }),
  LIMIT_MS,
)

test(
  'where nobody can count, the card of a batch says why, and everything may be done again all the same',
  () =>
    onScreenWhilePaused(async (page) => {
      const counting = '**/api/ai-tagging/batch'
      await page.route(counting, (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify({ code: 'busy', detail: 'Too busy to count.' }),
        }),
      )
      await page.goto('/manage/ai-tagging')
      await page.getByRole('status').filter({ hasText: 'Too busy to count' }).waitFor()
      await page.getByRole('button', { name: 'Re-tag all' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('alert').filter({ hasText: 'Too busy to count' }).waitFor()
      await page.unroute(counting)
      await dialog.getByRole('button', { name: 'Re-tag all' }).click()
      await page.getByText('3 items have been queued.').waitFor()
      await dialog.waitFor({ state: 'detached' })
    }, /status of 500/),
  LIMIT_MS,
)

test(
  'what went wrong with a batch is not said of the next, and doing all again waits for no count',
  () =>
    onScreenWhilePaused(async (page) => {
      const counted = Promise.withResolvers<void>()
      let isRefused = true
      let isHeld = false
      await page.route('**/api/ai-tagging/batch', async (route) => {
        if (route.request().postDataJSON().dryRun === true) {
          if (isHeld) await counted.promise
        } else if (isRefused) {
          return route.fulfill({ status: 500, json: { title: 'Refused', status: 500, code: 'internal', detail: 'Refused' } })
        } else isHeld = true
        return route.continue()
      })
      await page.goto('/manage/ai-tagging')
      const activity = page.getByLabel('Activity')
      await activity.selectOption('tagging')
      await page.getByRole('button', { name: 'Start', exact: true, disabled: false }).click()
      const problem = page.getByRole('alert').filter({ hasText: 'Refused' })
      await problem.waitFor()
      await activity.selectOption('description')
      expect(await problem.count()).toBe(0)

      isRefused = false
      await activity.selectOption('tagging')
      await page.getByRole('button', { name: 'Re-tag all' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: /^Start with \d+ items$/ }).click()
      await dialog.waitFor({ state: 'detached' })
      counted.resolve()
    }, /status of 500/),
  LIMIT_MS,
)

test(
  'the card of a batch counts a library often only while something of it waits',
  async () => {
    await onScreenWhilePaused(async (page) => {
      let counted = 0
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/ai-tagging/batch') counted += 1
      })
      const during = async (ms: number): Promise<number> => {
        const before = counted
        await page.waitForTimeout(ms)
        return counted - before
      }
      await page.goto('/manage/ai-tagging')
      await page.getByLabel('Activity').selectOption('description')
      await page.getByText(/^(\d items? (is|are) left to do|Nothing is left to do\.)$/).waitFor()
      expect(await during(7000)).toBe(0)
      await ai.admin.post('/api/ai-tagging/batch', { libraryId: ai.libraryId, activity: 'description', scope: 'all' })
      await page.getByText('3 items are waiting or being worked on', { exact: true }).waitFor()
      const before = counted
      // The slower the answers, the longer the pauses between them.
      await waitFor(
        async () => counted >= before + 2 || undefined,
        STEP_MS,
        () => 'What waits was not counted again',
      )
      await ai.admin.post('/api/ai-tagging/jobs/clear', { status: 'queued' })
      await page.getByText('3 items are waiting or being worked on', { exact: true }).waitFor({ state: 'detached' })
      expect(await during(7000)).toBe(0)
    })
  },
  LIMIT_MS,
)

test(
  'a batch that would be refused cannot be started, and the card says why',
  async () => {
    const refused = async (page: Page, reason: string): Promise<void> => {
      for (const name of ['Start', 'Re-tag all']) {
        const button = page.getByRole('button', { name, exact: true, description: reason, disabled: true })
        await button.waitFor()
        await button.click({ force: true })
      }
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
    try {
      await onScreen(async (page) => {
        const started: string[] = []
        page.on('request', (request) => {
          if (request.url().endsWith('/ai-tagging/batch') && request.postDataJSON().dryRun !== true) started.push(request.url())
        })
        await ai.configure({ ocrMode: 'hybrid', enabled: false })
        await page.goto('/manage/ai-tagging')
        await refused(page, 'This needs the model, and “Use the model” is switched off.')
        // Recognition needs no model.
        await page.getByLabel('Activity').selectOption('extraction')
        await page.getByText('This needs the model').waitFor({ state: 'detached' })
        await page.getByLabel('Activity').selectOption('tagging')
        await page.getByText('This needs the model').waitFor()
        await page.getByRole('switch', { name: 'Use the model' }).click()
        await page.getByRole('button', { name: 'Save changes' }).click()
        await page.getByText('This needs the model').waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Re-tag all', disabled: false }).waitFor()
        await ai.configure({ enabled: true, model: '' })
        await page.reload()
        await refused(page, 'This needs a model, and none is chosen for it yet.')
        await ai.configure({ enabled: true, endpoint: '' })
        await page.goto(`/manage/ai-tagging/${ai.libraryId}`)
        await refused(page, 'This needs an endpoint, and there is none yet.')
        expect(started).toEqual([])
      })
    } finally {
      await ai.configure({ ocrMode: 'llm-only', concurrency: 2 })
    }
  },
  LIMIT_MS,
)

test(
  'a picture whose file is gone is offered what its name and texts can tell, and says why not more',
  async () => {
    await ai.admin.patch('/api/ai-tagging/fields', { itemKey: ai.keyOf('three.png'), extractedText: 'Guten Tag' })
    await rm(join(ai.scene.rootOf('mixed'), 'three.png'))
    await ai.scene.scan('mixed')
    await onScreen(async (page) => {
      await openItem(page, 'three.png')
      const panel = page.getByRole('region', { name: 'AI' })
      await panel.getByText('Its file is missing').waitFor()
      expect(await panel.getByRole('button', { name: /Describe|Extract/ }).count()).toBe(0)
      for (const name of ['Tag by AI', 'Translate']) await panel.getByRole('button', { name }).waitFor()
    }, /status of 404.*(?:thumbnails|files|browse)/)
  },
  LIMIT_MS,
)
