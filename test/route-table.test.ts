import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { createApp } from '../src/app.ts'
import { createClientFiles } from '../src/http/client-files.ts'
import { type GuardedRoute, listGuardedRoutes } from '../src/http/guards.ts'
import { describeApi } from '../src/routes/openapi.ts'
import { ROUTE_TABLE } from './route-table.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

let app: TestApp
let createdApp: ReturnType<typeof createApp>
let routes: GuardedRoute[]
beforeAll(async () => {
  app = await startTestApp()
  createdApp = createApp({ deps: app.deps, client: createClientFiles(app.deps.config.dataDir, '') })
  routes = listGuardedRoutes(createdApp)
})
afterAll(() => app[Symbol.asyncDispose]())

const lines = (rows: readonly { method: string; path: string; guard: string }[]): string[] =>
  rows.map(({ method, path, guard }) => `${method} ${path}: ${guard}`).toSorted()

test('a route is open to whom the committed table says, and to nobody else', () => {
  expect(lines(routes)).toEqual(lines(ROUTE_TABLE))
})

test('the table has one row a route', () => {
  const names = ROUTE_TABLE.map(({ method, path }) => `${method} ${path}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

/** Names of parameters and members that stand for something in a library. */
const NAMING = /"(?:name"\s*:\s*")?(?:itemKeys?|libraryId|parentKey)"/

test('a route that takes a library or an item says how in the table', async () => {
  const description = await describeApi(createdApp, { version: '0', basePath: '' })
  const operations = z.object({
    paths: z.record(
      z.string(),
      z.record(z.string(), z.object({ parameters: z.unknown().optional(), requestBody: z.unknown().optional() })),
    ),
  })
  const { paths } = operations.parse(description)
  const taking = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]) =>
      NAMING.test(JSON.stringify([parameters, requestBody])) ? [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`] : [],
    ),
  )
  const open = ROUTE_TABLE.filter(({ guard }) => guard !== 'admin')
  const silent = open.filter(({ method, path, naming }) => taking.includes(`${method} ${path}`) && !naming)
  expect(silent.map(({ path }) => path)).toEqual([])
  // The description is what is searched: it has to know the routes.
  expect(taking).toContain('GET /api/browse')
})
