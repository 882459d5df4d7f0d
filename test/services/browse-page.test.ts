import { expect, test } from 'bun:test'
import { entriesOf } from '../../src/services/browse-page.ts'
import { startTestApp } from '../support/test-app.ts'

test('a row that is forgotten while its page is rendered leaves no hole in the list', async () => {
  await using app = await startTestApp()
  const rows = [
    { id: 404, entry: null, progress: null },
    { id: 405, entry: '{"itemKey":"kept"', progress: null },
  ]
  expect(JSON.parse(`[${await entriesOf(app.deps, rows)}]`)).toEqual([{ itemKey: 'kept', progress: null }])
})
