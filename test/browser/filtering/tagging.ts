import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { waitFor } from '../../support/test-server.ts'
import { ALL_FILMS, type FilterScene, pagesOf, waitForEntries } from '../filter-scene.ts'
import { waitForFocus } from '../focus.ts'
import { atRest, createSystemBack, holdRequests, SETTLED_MS, WAIT_LIMIT_MS } from '../on-page.ts'

const CARD = 'main a[data-item-key]'

/**
 * What Chromium tells a page of a finger that rests; without a window it ends there, as it would open its menu. Answers whether
 * the page keeps it from that.
 */
const restOn = (page: Page, title: string): Promise<boolean> =>
  page.locator(`${CARD}[title=${JSON.stringify(title)}]`).evaluate((card) => {
    const event = new PointerEvent('contextmenu', { bubbles: true, cancelable: true, pointerType: 'touch' })
    return !(card.querySelector('span') ?? card).dispatchEvent(event)
  })

/** Beside the category that a new tag would go to by itself, where there are several. */
const openOthers = async (selector: Locator): Promise<void> => {
  const others = selector.getByRole('button', { name: 'In another category…', expanded: false })
  if (await others.isVisible()) await others.click()
}

/** What is offered moves when it is known that there is no such tag, and the selector with it: for a moment it is not where it is pressed. */
const create = async (page: Page, name: string, category: string): Promise<void> => {
  const selector = page.getByRole('dialog')
  await selector.getByText(`No tag is called “${name}”.`).waitFor()
  await openOthers(selector)
  const button = selector.getByRole('button', { name: `Create “${name}” in ${category}` })
  await atRest(page, async () => (await button.boundingBox()) ?? undefined)
  await button.click()
}

/** Tags given and taken by clicking. */
export const tagging = (scene: () => FilterScene): void => {
  const { films, visit } = pagesOf(scene)
  const idOfTag = async (name: string): Promise<number> => {
    const { tags } = (await scene().admin.get('/api/tags/items', { q: name })).body
    return tags.find((tag: { name: string; id: number }) => tag.name === name)?.id
  }

  test('a tag and a category are made while tagging, and the field keeps the focus', () =>
    visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      await field.fill('  dRAMA ')
      await selector.getByRole('button', { name: /^Drama/ }).waitFor()
      await selector.getByRole('button', { name: 'Create “dRAMA” in Mood' }).waitFor()
      await openOthers(selector)
      expect(await selector.getByRole('button', { name: 'Create “dRAMA” in Genre' }).count()).toBe(0)
      await field.fill('Slow')
      await selector.getByRole('button', { name: 'New category' }).click()
      await selector.getByLabel('Name of the category').fill('Pace')
      await selector.getByRole('button', { name: 'Create', exact: true }).click()
      await create(page, 'Slow', 'Pace')
      await selector.getByRole('button', { name: 'Slow', pressed: true }).waitFor()
      expect(await field.inputValue()).toBe('')
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Slow' }).click()
      await waitForEntries(page, ['Birch (2002)'])
    }))

  test('a new tag can go into every category; Enter takes the one that was used last, and what is made is said with its category', async () => {
    const { admin } = scene()
    const made = await Promise.all(['People', 'Setting', 'Status'].map((name) => admin.post('/api/tags/categories', { name })))
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      await field.fill('Once more')
      await selector.getByText('No tag is called “Once more”.').waitFor()
      await openOthers(selector)
      const offered = selector.getByRole('button', { name: /^Create “Once more” in / })
      for (const category of ['Genre', 'Mood', 'Shelf', 'People', 'Setting']) {
        await offered.filter({ hasText: new RegExp(` in ${category}$`) }).waitFor()
      }
      await create(page, 'Once more', 'Status')
      await page.getByText('“Status/Once more” added').waitFor()
      await field.fill('Watch later')
      await selector.getByText('No tag is called “Watch later”.').waitFor()
      expect(
        await selector
          .getByRole('button', { name: /^Create/ })
          .first()
          .textContent(),
      ).toBe('Create “Watch later” in Status')
      await field.press('Enter')
      await page.getByText('“Status/Watch later” added').waitFor()

      // Another visit of the same device, and several items at once.
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('checkbox', { name: 'Select Cedar (2003)' }).click()
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      await field.fill('Lent')
      await selector.getByText('No tag is called “Lent”.').waitFor()
      await field.press('Enter')
      await page.getByText('“Status/Lent” added to 1 item').waitFor()
    })
    for (const { body } of made) await admin.delete(`/api/tags/categories/${body.category.id}`)
  })

  test('the name of a tag that was merged finds the other one, is what Enter takes, and is not offered to be made again', async () => {
    const { admin } = scene()
    const { category } = (await admin.post('/api/tags/categories', { name: 'Merged' })).body
    const made = await Promise.all(
      ['Holiday', 'Vacation', 'Long holidays'].map((name) => admin.post('/api/tags/items', { name, categoryId: category.id })),
    )
    const [from, into] = made.map(({ body }) => body.tag.id)
    await admin.post(`/api/tags/items/${from}/merge`, { intoTagId: into })
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      await field.fill('holiday')
      await selector.getByRole('button', { name: /^Vacation ?also “Holiday”/, pressed: false }).waitFor()
      expect(await selector.getByRole('button', { name: /^Create/ }).count()).toBe(0)
      await field.press('Enter')
      await page.getByText('“Vacation” added').waitFor()
      await page.goto('/manage/tags')
      await page.getByLabel('Find a tag').fill('HOLIDAY')
      await page.getByText('also “Holiday”').waitFor()
    })
    await admin.delete(`/api/tags/categories/${category.id}`)
  })

  test('a tag that was made in a category that was looked at before is there, and is not offered to be made again', async () => {
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      const answer = page.waitForResponse(/categoryId=\d/)
      await selector.getByRole('combobox', { name: 'Category' }).selectOption('Mood')
      await answer
      await field.fill('Zest')
      await create(page, 'Zest', 'Mood')
      await selector.getByRole('button', { name: 'Zest', pressed: true }).waitFor()
      expect(await field.inputValue()).toBe('')
      await field.fill('Zest')
      await selector.getByRole('button', { name: 'Zest', pressed: true }).waitFor()
      expect(await selector.getByRole('button', { name: /^Create “Zest”/ }).count()).toBe(0)
    })
    await scene().admin.delete(`/api/tags/items/${await idOfTag('Zest')}`)
  })

  test('a tag whose category was first asked for while it was being made is there', async () => {
    await visit({ isIntercepted: true }, async (page) => {
      const read = Promise.withResolvers<void>()
      const made = Promise.withResolvers<void>()
      const late = Promise.withResolvers<void>()
      let isFirst = true
      await page.route(/\/api\/tags\/items/, async (route) => {
        const { searchParams } = new URL(route.request().url())
        if (route.request().method() === 'POST') {
          await read.promise
          await route.fulfill({ response: await route.fetch() })
          return made.resolve()
        }
        if (!isFirst || searchParams.get('categoryId') === null || searchParams.get('q')) return route.fallback()
        isFirst = false
        const response = await route.fetch()
        read.resolve()
        await made.promise
        await Bun.sleep(SETTLED_MS)
        // Nobody may wait for it any more.
        await route.fulfill({ response }).catch(() => undefined)
        late.resolve()
      })
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByPlaceholder('Search or create a tag').fill('Yawning')
      await selector.getByText('No tag is called “Yawning”.').waitFor()
      await selector.getByRole('combobox', { name: 'Category' }).selectOption('Mood')
      await create(page, 'Yawning', 'Mood')
      await late.promise
      await selector.getByRole('button', { name: 'Yawning', pressed: true }).waitFor()
    })
    await scene().admin.delete(`/api/tags/items/${await idOfTag('Yawning')}`)
  })

  test('what is typed while a tag is being made stays, and a selector that is closed meanwhile loses nothing', async () => {
    await visit({ isIntercepted: true }, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      const first = await holdRequests(page, 'POST', /\/api\/tags\/items/)
      await field.fill('Uno')
      await create(page, 'Uno', 'Mood')
      await first.asked
      expect(await field.inputValue()).toBe('')
      await page.keyboard.type('Duo')
      first.letGo()
      await page.getByRole('link', { name: 'Uno' }).waitFor()
      expect(await field.inputValue()).toBe('Duo')
      const second = await holdRequests(page, 'POST', /\/api\/tags\/items/)
      await create(page, 'Duo', 'Mood')
      await second.asked
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      second.letGo()
      await page.getByRole('link', { name: 'Duo' }).waitFor()

      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      for (const title of ['Cedar (2003)', 'Birch (2002)']) await page.getByRole('checkbox', { name: `Select ${title}` }).click()
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      await field.fill('Tre')
      const third = await holdRequests(page, 'POST', /\/api\/tags\/items/)
      await create(page, 'Tre', 'Mood')
      await third.asked
      await page.keyboard.press('Escape')
      await selector.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Done' }).click()
      third.letGo()
      await page.getByText('“Mood/Tre” added to 2 items').waitFor()
      await page.getByRole('button', { name: 'Filters' }).click()
      await page
        .getByRole('button', { name: /^Tre/ })
        .or(page.getByText(/^Tre\b/))
        .first()
        .waitFor()
    })
    for (const name of ['Uno', 'Duo', 'Tre']) await scene().admin.delete(`/api/tags/items/${await idOfTag(name)}`)
  })

  test('what can be made of the words in the field stands there as they are typed, and moves nothing when the server answers', () =>
    visit({ isIntercepted: true }, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      await field.fill('zz')
      await selector.getByText('No tag is called “zz”.').waitFor()
      const height = async () => (await selector.getByRole('button', { name: 'New category' }).boundingBox())?.y
      const before = await atRest(page, height)
      const answer = await holdRequests(page, 'GET', /q=zzz/)
      await field.press('z')
      await selector.getByRole('button', { name: 'Create “zzz” in Genre' }).waitFor()
      expect(await height()).toBe(before)
      await answer.asked
      expect(await height()).toBe(before)
      answer.letGo()
      await selector.getByText('No tag is called “zzz”.').waitFor()
      expect(await height()).toBe(before)
    }))

  test('Enter takes the tag that is called so, and not one that only begins so and is used more', async () => {
    const { admin } = scene()
    const { categories } = (await admin.get('/api/tags/categories')).body
    const categoryId = categories.find(({ name }: { name: string }) => name === 'Mood').id
    const { tag } = (await admin.post('/api/tags/items', { name: 'Dram', categoryId })).body
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByPlaceholder('Search or create a tag').fill('dram')
      await selector.getByRole('button', { name: /^Dram( |$)/ }).waitFor()
      await selector.getByRole('button', { name: /^Drama/ }).waitFor()
      // Safari's Enter that only ends what an input method has composed.
      await selector.getByPlaceholder('Search or create a tag').evaluate((field) => {
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true }))
      })
      expect(await selector.getByPlaceholder('Search or create a tag').inputValue()).toBe('dram')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Dram', exact: true }).waitFor()
      expect(await page.getByRole('link', { name: 'Drama', exact: true }).count()).toBe(0)
    })
    await admin.delete(`/api/tags/items/${tag.id}`)
  })

  test('Enter takes the tag whose accents nobody has typed, also where one that begins so is used more, and makes no second one', async () => {
    const { admin, keyOf } = scene()
    const { category } = (await admin.post('/api/tags/categories', { name: 'Accents' })).body
    const make = async (name: string) => (await admin.post('/api/tags/items', { name, categoryId: category.id })).body.tag
    const [, longer] = [await make('Komödie'), await make('Komödien von früher')]
    await admin.put('/api/tags/assignments', { itemKey: keyOf('Films', 'movie:Birch (2002)'), tagId: longer.id })
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const field = selector.getByPlaceholder('Search or create a tag')
      await field.fill('komo')
      await selector.getByRole('button', { name: /^Komödie( |$)/ }).waitFor()
      await selector.getByRole('button', { name: /^Komödien von früher/ }).waitFor()
      await field.fill('komodie')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Komödie', exact: true }).waitFor()
    })
    const { tags } = (await admin.get('/api/tags/items', { categoryId: category.id, sort: 'name' })).body
    expect(tags.map(({ name, usage }: { name: string; usage: number }) => [name, usage])).toEqual([
      ['Komödie', 1],
      ['Komödien von früher', 1],
    ])
    await admin.delete(`/api/tags/categories/${category.id}`)
  })

  test('Enter makes the tag whose accents somebody has typed, where there is only one with others', async () => {
    const { admin } = scene()
    const { category } = (await admin.post('/api/tags/categories', { name: 'Sins' })).body
    for (const name of ['Péché', "L'été"]) await admin.post('/api/tags/items', { name, categoryId: category.id })
    await visit({}, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByLabel('Category').selectOption({ label: 'Sins' })
      for (const [typed, put] of [
        ['pêche', 'pêche'],
        ['l’été', "L'été"],
        ['péc', 'Péché'],
      ] as const) {
        await selector.getByPlaceholder('Search or create a tag').fill(typed)
        await page.keyboard.press('Enter')
        await page.getByRole('link', { name: put, exact: true }).waitFor()
      }
    })
    const { tags } = (await admin.get('/api/tags/items', { categoryId: category.id, sort: 'name' })).body
    expect(tags.map(({ name, usage }: { name: string; usage: number }) => [name, usage])).toEqual([
      ["L'été", 1],
      ['Péché', 1],
      ['pêche', 1],
    ])
    await admin.delete(`/api/tags/categories/${category.id}`)
  })

  test('no tag is offered before it is known which are on', () =>
    visit({}, async (page) => {
      const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/tags\/assignments\?/)
      const listed = page.waitForResponse((response) => response.url().includes('/api/tags/items?'))
      await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      await asked
      await (await listed).finished()
      const selector = page.getByRole('dialog')
      await page.waitForTimeout(500)
      expect(await selector.locator('[aria-pressed]').count()).toBe(0)
      letGo()
      await selector.getByRole('button', { name: /^Drama/, pressed: true }).waitFor()
      await selector.getByRole('button', { name: /^Comedy/, pressed: false }).waitFor()
    }))

  test('who may not make a tag is told that none is called so, also where others are assigned', async () => {
    const client = await scene().server.as('tagger', { permissions: { manageTags: false } })
    await visit({ client }, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      await selector.getByRole('button', { name: /^Drama/ }).waitFor()
      await selector.getByPlaceholder('Search a tag').fill('zzz')
      await selector.getByText('No tag is called “zzz”.').waitFor()
    })
  })

  test('what the server refuses is taken back, and said', () =>
    visit({ expected: /status of 503/ }, async (page) => {
      await page.route('**/api/tags/assignments', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"code":"unavailable","detail":"Not now"}' })
          : route.continue(),
      )
      await page.goto(`${films()}/m/${encodeURIComponent('Cedar (2003)')}`)
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const comedy = page.getByRole('dialog').getByRole('button', { name: /^Comedy/ })
      await comedy.click()
      await page.getByText('Not now').waitFor()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Comedy/, pressed: false })
        .waitFor()
    }))

  test('several items are tagged at once, and untagged by Undo', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      for (const title of ['Birch (2002)', 'Cedar (2003)']) await page.getByRole('checkbox', { name: `Select ${title}` }).click()
      await page.getByText('2 selected').waitFor()
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      const selector = page.getByRole('dialog')
      const quiet = selector.getByRole('button', { name: /^Quiet/ })
      await quiet.waitFor()
      expect(await quiet.getAttribute('aria-pressed')).toBe('mixed')
      await quiet.click()
      // For as long as somebody points at it, it stays.
      await page.getByRole('status').filter({ hasText: '“Quiet” added to 1 item' }).getByRole('button', { name: 'Undo' }).hover()
      const carriers = async (): Promise<string[]> => {
        const { body } = await scene().admin.get('/api/browse', { libraryId: scene().idOf('Films'), tags: scene().tag('Quiet') })
        return body.entries.map(({ title }: { title: string }) => title)
      }
      expect(await carriers()).toEqual(['Alder (2001)', 'Birch (2002)', 'Cedar (2003)'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.waitForFunction(() => document.querySelector('[role=dialog] [aria-pressed=mixed]') !== null)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Done' }).click()
      await waitForEntries(page, ALL_FILMS)
      // The screen is ahead of the server.
      const isUndone = async () => Bun.deepEquals(await carriers(), ['Alder (2001)', 'Cedar (2003)']) || undefined
      await waitFor(isUndone, WAIT_LIMIT_MS, () => 'Quiet is still on what did not have it')
    }))

  test('with Shift everything in between is selected as well, and all that matches by one button', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      const mark = (title: string) => page.getByRole('checkbox', { name: `Select ${title}` })
      await mark('Cedar (2003)').click()
      await mark('Alder (2001)').click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      expect(await mark('Birch (2002)').getAttribute('aria-checked')).toBe('true')
      await page.getByRole('button', { name: 'Select all' }).click()
      await page.getByText(`${ALL_FILMS.length} selected`).waitFor()
    }))

  test('where not all that matches can be had, what is there is selected, and it is said', () =>
    visit({ expected: /status of 500/ }, async (page) => {
      await page.route(/\/api\/browse\?/, async (route) => {
        if (new URL(route.request().url()).searchParams.has('cursor'))
          return route.fulfill({ status: 500, json: { code: 'internal_error', detail: 'Something went wrong on the server' } })
        const response = await route.fetch()
        return route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'more' } })
      })
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('button', { name: 'Select all' }).click()
      await page.getByText(`${ALL_FILMS.length} selected`).waitFor()
      await page
        .getByRole('region', { name: /Notifications/ })
        .getByText('Something went wrong on the server')
        .waitFor()
    }))

  test('whoever goes on while all that matches is being asked for leaves that behind', () =>
    visit({}, async (page) => {
      await page.route(new RegExp(`/api/browse\\?libraryId=${scene().idOf('Films')}&`), async (route) => {
        const url = new URL(route.request().url())
        const isLast = url.searchParams.get('cursor') === 'more'
        if (isLast) url.searchParams.delete('cursor')
        const response = await route.fetch({ url: url.href })
        const answer = await response.json()
        return route.fulfill({ response, json: isLast ? { ...answer, entries: [] } : { ...answer, nextCursor: 'more' } })
      })
      const { asked, letGo } = await holdRequests(page, 'GET', /\/api\/browse\?.*cursor=more/)
      await page.goto(films())
      await waitForEntries(page, ALL_FILMS)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('button', { name: 'Select all' }).click()
      await asked
      await page.getByRole('link', { name: 'Home', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      letGo()
      // A page that has no time for anything else never comes to this.
      await page.getByRole('navigation').getByRole('link', { name: 'Series', exact: true }).click()
      await waitForEntries(page, ['Harbour', 'Lonely'])
      // What was let go may be on its way still.
      await page.unrouteAll({ behavior: 'wait' })
    }))

  test('with Shift and Space everything in between is selected by the keyboard too', () =>
    visit({}, async (page) => {
      await page.goto(films())
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      const mark = (title: string) => page.getByRole('checkbox', { name: `Select ${title}` })
      await mark('Cedar (2003)').press('Space')
      await page.getByText('1 selected').waitFor()
      await mark('Alder (2001)').press('Shift+Space')
      await page.getByText('3 selected').waitFor()
      expect(await mark('Birch (2002)').getAttribute('aria-checked')).toBe('true')
    }))

  const pressEscape = async (page: Page) => () => page.keyboard.press('Escape')
  const WAYS = [
    { way: 'the way back of a phone', screen: 'phone', createBack: createSystemBack },
    { way: 'Escape', screen: 'desktop', createBack: pressEscape },
    {
      way: 'Escape, where a browser makes no wish of it to close something,',
      screen: 'desktop',
      createBack: async (page: Page) => {
        await page.addInitScript('delete window.CloseWatcher')
        return pressEscape(page)
      },
    },
  ] as const
  for (const { way, screen, createBack } of WAYS) {
    test(`${way} ends the selecting, and one goes on at the button that began it`, () =>
      visit({ screen }, async (page) => {
        const back = await createBack(page)
        await page.goto(films())
        await page.getByRole('button', { name: 'Select', exact: true }).click()
        await page.getByRole('checkbox', { name: 'Select Birch (2002)' }).click()
        await page.getByText('1 selected').waitFor()
        await page.getByRole('button', { name: 'Tags', exact: true }).last().click()
        await page.getByRole('dialog').waitFor()
        await back()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.getByText('1 selected').waitFor()
        await back()
        await page.getByText('1 selected').waitFor({ state: 'detached' })
        expect(page.url()).toEndWith(films())
        expect(await page.getByRole('button', { name: 'Select', exact: true }).evaluate((it) => it === document.activeElement)).toBe(true)
      }))
  }

  test('a finger that rests on an entry selects it, and on another one all between; the browser opens no menu over them', () =>
    visit({ screen: 'phone' }, async (page) => {
      await page.goto(films())
      const rest = async (title: string) => expect(await restOn(page, title)).toBe(true)
      await page.locator(CARD).nth(2).waitFor()
      const [first = '', , third = ''] = await page.locator(CARD).evaluateAll((all) => all.map((card) => card.getAttribute('title') ?? ''))
      await rest(first)
      await page.getByText('1 selected').waitFor()
      await page.getByRole('checkbox', { name: `Select ${first}`, checked: true }).waitFor()
      await rest(third)
      await page.getByText('3 selected').waitFor()
      // A tap takes one off again.
      await page.getByRole('checkbox', { name: `Select ${first}` }).tap()
      await page.getByText('2 selected').waitFor()
      // What was chosen last the time before is no end of a range.
      await page.getByRole('button', { name: 'Done' }).click()
      await rest(third)
      await page.getByText('1 selected').waitFor()
      expect(page.url()).toEndWith(films())
    }))

  test('a finger that rests on an entry selects nothing for whoever may do nothing with it', async () => {
    const guest = await scene().server.as('nora', { permissions: { tag: false } })
    await visit({ screen: 'phone', client: guest }, async (page) => {
      await page.goto(`/l/${scene().idOf('Games')}`)
      await page.locator(CARD).first().waitFor()
      const title = (await page.locator(CARD).first().getAttribute('title')) ?? ''
      expect(await restOn(page, title)).toBe(false)
      await page.waitForTimeout(SETTLED_MS)
      expect(await page.getByText('1 selected').count()).toBe(0)
    })
  })

  test('what a filter took away as it was tagged comes back by Undo', () =>
    visit({ isIntercepted: true }, async (page) => {
      const quietless = ['Birch (2002)', '100% # & + ? (2004)']
      await page.goto(`${films()}?not=${scene().tag('Quiet')}`)
      await waitForEntries(page, quietless)
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      for (const title of quietless) await page.getByRole('checkbox', { name: `Select ${title}` }).click()
      await page.getByRole('button', { name: 'Tags', exact: true }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Quiet/ })
        .click()
      await page.getByRole('status').filter({ hasText: '“Quiet” added to 2 items' }).getByRole('button', { name: 'Undo' }).hover()
      const left = await holdRequests(page, 'GET', /api\/browse/)
      await page.keyboard.press('Escape')
      await waitForFocus(page, 'Tags')
      left.letGo()
      await page.getByText('Nothing matches').waitFor()
      // The button that one was at has gone with them.
      await waitForFocus(page, 'Done')
      await page.getByRole('button', { name: 'Undo' }).click()
      await waitForEntries(page, quietless)
    }))

  for (const screen of ['desktop', 'phone'] as const) {
    test(`the selector opens where there is room for it, also from the bottom of a ${screen}`, () =>
      visit({ screen }, async (page) => {
        await page.goto(films())
        await page.getByRole('button', { name: 'Select', exact: true }).click()
        await page.getByRole('checkbox', { name: 'Select Birch (2002)' }).click()
        await page.getByRole('button', { name: 'Tags', exact: true }).click()
        const selector = page.getByRole('dialog')
        await selector.getByRole('button', { name: /^Only manga/ }).click()
        const box = await selector.boundingBox()
        expect(box?.height).toBeGreaterThan(300)
        expect(box?.y).toBeGreaterThanOrEqual(0)
        await selector.getByRole('button', { name: /^Only manga/ }).click()
      }))
  }

  for (const screen of ['desktop', 'phone'] as const) {
    test(`the selector stays where it is as tags come and go beside its button (${screen})`, () =>
      visit({ screen }, async (page) => {
        await page.goto(`${films()}/m/${encodeURIComponent('Birch (2002)')}`)
        await page.getByRole('button', { name: 'Tags', exact: true }).click()
        const selector = page.getByRole('dialog')
        const place = async () => (await selector.boundingBox()) ?? undefined
        const before = await atRest(page, place)
        for (const name of ['Quiet', 'Comedy', 'Quiet', 'Comedy']) {
          const shown = page.getByRole('main').getByRole('link', { name, exact: true })
          const isOn = (await shown.count()) > 0
          await selector.getByRole('button', { name: new RegExp(`^${name}`) }).click()
          await shown.waitFor({ state: isOn ? 'detached' : 'attached' })
          expect([name, await atRest(page, place)]).toEqual([name, before])
        }
      }))
  }

  test('who may not tag is not offered to', async () => {
    const reader = await scene().server.as('reader', { permissions: { tag: false } })
    await visit({ client: reader }, async (page) => {
      await page.goto(`${films()}/m/${encodeURIComponent('Alder (2001)')}`)
      await page.getByRole('link', { name: 'Drama' }).waitFor()
      expect(await page.getByRole('button', { name: 'Tags', exact: true }).count()).toBe(0)
    })
  })
}
