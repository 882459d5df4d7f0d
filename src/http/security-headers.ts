/** Headers on every answer (SECURITY: CSP without inline scripts, no framing, no sniffing). User files bring a stricter CSP of their own. */

import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './app-env.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ')

const HEADERS: [string, string][] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=()'],
]

/** Only where the request came over https: a household that has none must not be locked out of its own address. */
const HSTS = 'max-age=31536000'

/** The time as RFC 9110, 5.6.7 writes it; the same text for a second. */
const createHttpDate = (): (() => string) => {
  let second = 0
  let text = ''
  return () => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) text = new Date(now * 1000).toUTCString()
    second = now
    return text
  }
}

/**
 * `Date` too: Bun 1.4.5 would send its own, of an answer that was waited for and comes from a file, in five packets of
 * some bytes (https://github.com/oven-sh/bun/pull/41341).
 */
export const securityHeaders = (): MiddlewareHandler<AppEnv> => {
  const httpDate = createHttpDate()
  return async (c, next) => {
    await next()
    const { headers } = c.res
    headers.set('Date', httpDate())
    if (c.get('requestIsSecure')) headers.set('Strict-Transport-Security', HSTS)
    for (const [name, value] of HEADERS) headers.set(name, value)
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  }
}
