import { expect, test } from 'bun:test'
import { Hono, type MiddlewareHandler } from 'hono'
import { listGuardedRoutes, requireUser } from '../../src/http/guards.ts'

const passOn: MiddlewareHandler = async (_, next) => next()

test('a route without a guard, or with two, is refused, also one for all methods', () => {
  const refused = (app: Hono) => () => listGuardedRoutes(app)
  expect(refused(new Hono().get('/one', (c) => c.text('')))).toThrow('GET /one must name exactly one guard, it names 0')
  expect(refused(new Hono().all('/one', (c) => c.text('')))).toThrow('ALL /one must name exactly one guard, it names 0')
  expect(refused(new Hono().all('/one', passOn, (c) => c.text('')))).toThrow('ALL /one must name exactly one guard, it names 0')
  expect(refused(new Hono().all('/one', requireUser(), requireUser(), (c) => c.text('')))).toThrow('it names 2')
  expect(
    refused(
      new Hono().route(
        '/sub',
        new Hono().all('/one', (c) => c.text('')),
      ),
    ),
  ).toThrow('ALL /sub/one')
})

test('a route for all methods is listed; what only passes on is none', () => {
  const app = new Hono()
    .use('/one/*', passOn)
    .all('/one', passOn, requireUser(), passOn, (c) => c.text(''))
    .get('/one/two', requireUser(), (c) => c.text(''))
  expect(listGuardedRoutes(app)).toEqual([
    { method: 'ALL', path: '/one', guard: 'user' },
    { method: 'GET', path: '/one/two', guard: 'user' },
  ])
})
