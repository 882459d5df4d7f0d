/**
 * What a middleware says of its route for the OpenAPI description. It is worked out when somebody asks for that, and not at
 * every start: to resolve a schema is to build all of it.
 */

import type { Hono } from 'hono'
import type { DescribeRouteOptions, resolver } from 'hono-openapi'

const SAID = Symbol('description')

type Resolve = typeof resolver
type Said = (resolve: Resolve) => object

/** The middleware, which says this when it is asked. */
export const saying = <Middleware extends object>(middleware: Middleware, said: Said): Middleware =>
  Object.assign(middleware, { [SAID]: said })

/** A middleware that does nothing but say this of its route. */
export const describe = (spec: (resolve: Resolve) => DescribeRouteOptions) =>
  saying(
    (_: unknown, next: () => Promise<void>) => next(),
    (resolve) => ({ spec: spec(resolve) }),
  )

const saidBy = (handler: object): Said | undefined => {
  const said: unknown = Reflect.get(handler, SAID)
  return typeof said === 'function' ? (resolve) => said(resolve) : undefined
}

/** OpenAPI 3.1 of everything that the app answers; `documentation` is what is said of the whole. */
// biome-ignore lint/suspicious/noExplicitAny: any app, whatever its environment and schema are
export const openApiOf = async (app: Hono<any, any, any>, documentation: (resolve: Resolve) => Promise<object>) => {
  const { generateSpecs, resolver, uniqueSymbol } = await import('hono-openapi')
  for (const { handler } of app.routes) {
    const said = saidBy(handler)
    if (said) Object.assign(handler, { [uniqueSymbol]: said(resolver) })
  }
  return generateSpecs(app, {
    documentation: await documentation(resolver),
    defaultValidationErrorResponse: false,
    excludeStaticFile: false,
  })
}
