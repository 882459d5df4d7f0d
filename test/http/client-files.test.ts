import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClientFiles } from '../../src/http/client-files.ts'
import { makeTree } from '../support/library-tree.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const get = async (folder: string, path: string) => {
  const response = await createClientFiles(folder, '').respond(path, new Request('http://localhost/'))
  return response && { status: response.status, text: await response.text() }
}

test('files and folders whose names begin with a dot are not served', async () => {
  await using folder = await temporaryFolder('client-files')
  makeTree(folder.path, { 'index.html': '<head>page', assets: { '.secret': 'no', '.git': { config: 'no' } } })
  expect(await get(folder.path, 'assets/.secret')).toBeUndefined()
  expect(await get(folder.path, 'assets/.git/config')).toBeUndefined()
})

test('a client that is installed below a folder such as ~/.local is served', async () => {
  await using folder = await temporaryFolder('client-files')
  const installed = join(folder.path, '.local', 'dist')
  makeTree(installed, { 'index.html': '<head>page', assets: { 'app.js': 'run()' } })
  expect(await get(installed, 'assets/app.js')).toEqual({ status: 200, text: 'run()' })
  expect((await get(installed, 'index.html'))?.text).toContain('page')
})
