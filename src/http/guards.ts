/**
 * Who may call a route. Every route names exactly one guard on its own line; `listGuardedRoutes` refuses to start an app
 * that has a route without one, so that forgetting it is not a hole but a failed start.
 */

import type { Context, Hono, MiddlewareHandler } from 'hono'
import { can, type Permission, type Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'
import { saying } from './description.ts'

/** Names the id of the person whom a request is meant to come from. */
const EXPECTED_USER = 'expected-user'

/** What the route table of the tests shows: who may call a route. */
export type Guard = 'anyone' | 'user' | 'admin' | Permission

const guards = new WeakMap<object, Guard>()

interface GuardVariables {
  /** Set by the session middleware when the request carries a valid cookie or token. */
  viewer: Viewer
}

type GuardEnv = { Variables: GuardVariables }

const WHOM: Readonly<Partial<Record<Guard, string>>> = {
  anyone: 'For anyone, without a sign-in.',
  user: 'For anyone signed in.',
  admin: 'For administrators.',
}

/** The description says it too, and that all routes need a sign-in but those for anyone. */
const specOf = (name: Guard) => ({
  description: WHOM[name] ?? `For administrators, and whoever has the permission \`${name}\`.`,
  ...(name === 'anyone' ? { security: [] } : {}),
})

const guard = (name: Guard, check: (c: Context<GuardEnv>) => void): MiddlewareHandler<GuardEnv> => {
  const middleware: MiddlewareHandler<GuardEnv> = (c, next) => {
    check(c)
    return next()
  }
  const guarded = saying(middleware, () => ({ spec: specOf(name) }))
  guards.set(guarded, name)
  return guarded
}

const signedIn = (c: Context<GuardEnv>): Viewer => {
  // Hono types variables as always set; whether one is depends on the request.
  const viewer: Viewer | undefined = c.get('viewer')
  const expected = c.req.header(EXPECTED_USER)
  if (!viewer || (expected !== undefined && expected !== String(viewer.userId))) throw new AppError('not_signed_in')
  return viewer
}

/** No sign-in needed. */
export const anyone = () => guard('anyone', () => undefined)

/** Any signed-in person; what they may see is decided where the rows are fetched. */
export const requireUser = () => guard('user', (c) => void signedIn(c))

export const requirePermission = (permission: Permission) =>
  guard(permission, (c) => {
    if (!can(signedIn(c), permission)) throw new AppError('forbidden')
  })

export const requireAdmin = () =>
  guard('admin', (c) => {
    if (signedIn(c).role !== 'admin') throw new AppError('forbidden')
  })

export interface GuardedRoute {
  method: string
  path: string
  guard: Guard
}

/** Hono enters what `use` takes under ALL, as it does the handlers of `all`; what calls no `next` answers by itself, and is a route. */
const isAnswer = (handler: object): boolean => guards.has(handler) || (handler instanceof Function && handler.length < 2)

/** Every route of an app with its guard, those for all methods among them, in order of path. Throws when a route has none, or two. */
// biome-ignore lint/suspicious/noExplicitAny: any app, whatever its environment and schema are
export const listGuardedRoutes = (app: Hono<any, any, any>): GuardedRoute[] => {
  const byRoute = new Map<string, Guard[]>()
  const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`
  const answered = new Set(app.routes.filter(({ handler }) => isAnswer(handler)).map(keyOf))
  for (const route of app.routes) {
    const key = keyOf(route)
    if (route.method === 'ALL' && !answered.has(key)) continue
    const found = guards.get(route.handler)
    byRoute.set(key, [...(byRoute.get(key) ?? []), ...(found ? [found] : [])])
  }
  return [...byRoute]
    .map(([key, names]) => {
      const [method = '', path = ''] = key.split(' ')
      const [name, ...others] = names
      if (!name || others.length > 0) throw new Error(`Route ${key} must name exactly one guard, it names ${names.length}`)
      return { method, path, guard: name }
    })
    .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path < b.path ? -1 : 1))
}
