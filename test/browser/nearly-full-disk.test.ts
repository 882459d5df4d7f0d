import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { launchBrowser, openPage } from '../support/browser.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startServer } from '../support/test-server.ts'

setDefaultTimeout(60_000)

test('while the disk of the data folder is nearly full, Manage says so to an administrator, and asks nothing for others', async () => {
  await using folder = await temporaryFolder('nearly-full-disk')
  const dataDir = makeTree(join(folder.path, 'data'), {})
  const mount = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=64m tmpfs "$1" && shift && exec "$@"', 'sh', dataDir]
  const server = await startServer({ dataDir, prefix: mount, libraries: [] })
  const browser = await launchBrowser()
  try {
    const admin = await server.as('admin')
    for (const place of ['/manage/libraries', '/manage/system']) {
      const { page, problems, close } = await openPage(browser, { url: server.url, client: admin })
      await page.goto(place)
      const notice = page.getByRole('status').filter({ hasText: 'The disk of the data folder is nearly full' })
      await notice.waitFor()
      expect(await notice.textContent()).toMatch(/\d+ MB are left\./)
      expect(problems).toEqual([])
      await close()
    }
    const tagger = await server.as('tagger', { permissions: { manageTags: true } })
    const { page, problems, close } = await openPage(browser, { url: server.url, client: tagger })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/manage/tags')
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor()
    expect(asked).toContain('/api/tags/categories')
    expect(asked).not.toContain('/api/system')
    expect(problems).toEqual([])
    await close()
  } finally {
    await browser.close()
    await server.stop()
  }
})
