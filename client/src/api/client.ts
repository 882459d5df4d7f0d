/** The server's routes as typed calls: a route or field that is renamed there does not compile here. */

import { hc } from 'hono/client'
import type { ApiType } from '../../../src/api-type.ts'
import { request } from './http.ts'

/** Problems are thrown as `ApiProblem` by `request`, so an answer that arrives is a good one. */
export const api = hc<ApiType>(new URL('api', document.baseURI).href, { fetch: request })
