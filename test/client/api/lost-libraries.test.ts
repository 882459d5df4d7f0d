import '../../support/solid-preload.ts'
import { expect, test } from 'bun:test'

const { QueryObserver } = await import('@tanstack/solid-query')
const { ApiProblem } = await import('../../../client/src/api/http.ts')
const { forgetLostLibraries } = await import('../../../client/src/api/lost-libraries.ts')
const { createQueryClient } = await import('../../../client/src/api/query-client.ts')
const { queryKeys } = await import('../../../client/src/api/query-keys.ts')

const levelOf = (libraryId: number) => queryKeys.browse({ libraryId })
const KEY = 'movie:2:Arrival'

/** Whatever follows by itself from what has been done. */
const settle = () => Bun.sleep(0)

test('what is kept of a library that one may not see any more goes, and what is shown of it is asked for once more', async () => {
  const client = createQueryClient()
  forgetLostLibraries(client)
  let visible = [1, 2]
  let asked = 0
  const libraries = { queryKey: queryKeys.libraries, queryFn: async () => ({ libraries: visible.map((id) => ({ id })) }) }
  new QueryObserver(client, libraries).subscribe(() => undefined)
  for (const id of visible) client.setQueryData(levelOf(id), `level ${id}`)
  client.setQueryData(queryKeys.search({ q: 'x' }), 'found')
  const item = {
    queryKey: queryKeys.item(2, KEY),
    queryFn: async () => {
      asked++
      if (visible.includes(2)) return 'Arrival'
      throw new ApiProblem(404, 'not_found', '')
    },
  }
  new QueryObserver(client, item).subscribe(() => undefined)
  await settle()
  expect([client.getQueryData(levelOf(2)), client.getQueryData(item.queryKey), asked]).toEqual(['level 2', 'Arrival', 1])

  visible = [1]
  void client.invalidateQueries({ queryKey: item.queryKey })
  // The answer, the libraries, what is shown, and the libraries again.
  for (let round = 0; round < 8; round++) await settle()
  expect([client.getQueryData(levelOf(2)), client.getQueryData(item.queryKey)]).toEqual([undefined, undefined])
  expect([client.getQueryData(levelOf(1)), client.getQueryData(queryKeys.search({ q: 'x' }))]).toEqual(['level 1', 'found'])
  expect(asked).toBe(3)
})
