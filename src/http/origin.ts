/**
 * Cross-site request forgery: what changes something must come from our own pages. A browser says where a request
 * comes from (`Origin`, RFC 6454; `Sec-Fetch-Site`, Fetch Metadata); a script sends neither and has no cookie of
 * somebody else to misuse. Hono's own csrf() looks at form content types only, so JSON would pass it.
 */

import type { MiddlewareHandler } from 'hono'
import { AppError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { bearerToken } from './bearer.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const OWN_SITES = new Set(['same-origin', 'none'])

/** Compared without the scheme: behind a proxy outside TRUST_PROXY we do not know ours. Default ports are left out, as browsers do. */
const isSameHost = (origin: string, host: string): boolean => {
  if (host === '' || !URL.canParse(origin)) return false
  const { protocol, host: originHost } = new URL(origin)
  const own = `${protocol}//${host}`
  return originHost !== '' && URL.canParse(own) && new URL(own).host === originHost
}

/** Whether the headers of a state-changing request say that a page of `host`, or no page at all, sent it. */
export const isOwnOrigin = (headers: Headers, host: string): boolean => {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (site !== null && !OWN_SITES.has(site)) return false
  if (origin === null) return true
  // A form under our own `Referrer-Policy: no-referrer` sends `null`; then only the browser's own word counts.
  if (origin === 'null') return site === 'same-origin'
  return isSameHost(origin, host)
}

/** 403 `foreign_origin`. A personal token is no cookie: no other site can make a browser send it. */
export const requireOwnOrigin = (): MiddlewareHandler<AppEnv> => (c, next) => {
  const hasToken = bearerToken(c.req.raw.headers) !== undefined
  if (!SAFE_METHODS.has(c.req.method) && !hasToken && !isOwnOrigin(c.req.raw.headers, c.get('requestHost')()))
    throw new AppError('foreign_origin', 'The Origin of the request is not this host; a proxy in front must pass the Host header on')
  return next()
}
