import type { Hono } from 'hono'
import { Hono as App } from 'hono'
import { z } from 'zod'
import { ERRORS } from '../errors.ts'
import { answers, answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { openApiOf } from '../http/description.ts'
import { ownFileResponse } from '../http/file-response.ts'
import { requireUser } from '../http/guards.ts'
import { jsonWithEtag } from '../http/json-text.ts'

/** Swagger UI's own files, from its package; nothing is asked of another host. */
const ASSETS = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Vitrine API</title>
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="docs"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body>
</html>`

/** The parts first: the page makes what is in them only as one comes to it. */
const START = `SwaggerUIBundle({ url: new URL('openapi.json', document.baseURI).href, dom_id: '#docs', validatorUrl: null, docExpansion: 'none', filter: true })`

const descriptionShape = () => z.looseObject({ openapi: z.string() })

/** `describe`: the description of the whole API, made when it is first asked for. */
export const openApiRoutes = (describe: () => Promise<object>) => {
  const routes = new App<AppEnv>()
    .get('/openapi.json', requireUser(), answers(200, descriptionShape, 'This description'), async (c) => jsonWithEtag(c, await describe()))
    .get('/docs', requireUser(), answersBytes(200, 'text/html', 'The description as a page'), (c) => c.html(PAGE))
    .get('/docs/start.js', requireUser(), answersBytes(200, 'text/javascript', 'A part of the page'), (c) =>
      c.body(START, 200, { 'Content-Type': 'text/javascript' }),
    )
  for (const [name, type] of Object.entries(ASSETS)) {
    routes.get(`/docs/${name}`, requireUser(), answersBytes(200, type, 'A part of the page'), (c) => {
      const file = Bun.file(Bun.resolveSync(`swagger-ui-dist/${name}`, import.meta.dir))
      return ownFileResponse(c.req.raw, file, { 'Content-Type': type, 'Cache-Control': 'private, max-age=86400' })
    })
  }
  return routes
}

const ABOUT =
  'A self-hosted media library. Errors are problem bodies (RFC 9457). Every GET is answered to HEAD as well. What comes with an ETag ' +
  'is answered with 304, and without a body, to whoever names it in If-None-Match. A request with `Expected-User`, the id of a user, is ' +
  'answered 401 where the session is that of another one: a page that stays open says so whose it is.'

/** RFC 9457, with the members of API.md 1. */
const problemShape = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(ERRORS)),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  instance: z.string().optional().describe('Of `internal_error`: `urn:uuid:` and the requestId of its line in the log'),
})

/** What a page shows together: `/api/tags/items` and all else below `/api/tags` is of `tags`. */
const areaOf = (path: string): string => /^(?:\/api)?\/(?<area>[^/.]+)/.exec(path)?.groups?.area ?? 'other'

/** Without a body is what an empty one is (http/validate.ts), so it is needed where something in it is. */
const withBody = (body: object): object => {
  const [media, ...others] = Object.values('content' in body ? (body.content ?? {}) : {})
  const isEmptyEnough = others.length === 0 && 'properties' in media.schema && !('required' in media.schema)
  return { ...body, required: !isEmptyEnough }
}

/** The names of operations are the same wherever the app is served: `basePath` is in each behind its method, in letters and digits. */
const withTag = (operations: object, tag: string, basePath: string): object =>
  Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [
      method,
      {
        tags: [tag],
        ...operation,
        operationId: method + operation.operationId.slice(method.length + basePath.replace(/[\W_]/g, '').length),
        ...(operation.requestBody && { requestBody: withBody(operation.requestBody) }),
      },
    ]),
  )

/** OpenAPI 3.1, from the schemas that validate the requests. */
export const describeApi = async (app: Hono<AppEnv>, { version, basePath }: { version: string; basePath: string }): Promise<object> => {
  const description = await openApiOf(app, async (resolve) => ({
    info: {
      title: 'Vitrine',
      version,
      description: ABOUT,
      license: { name: 'GNU Affero General Public License 3.0', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ session: [] }, { token: [] }],
    components: {
      schemas: { Problem: (await resolve(problemShape).toOpenAPISchema()).schema },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'Its name is `__Host-session` where it came over https and the path is /',
        },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  }))
  // `servers` has the base path already, and paths are relative to it.
  const paths = Object.entries(description.paths ?? {}).map(([path, item]) => [path.slice(basePath.length), item] as const)
  return { ...description, paths: Object.fromEntries(paths.map(([path, item]) => [path, withTag(item, areaOf(path), basePath)])) }
}
