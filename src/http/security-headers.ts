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

export const securityHeaders = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  await next()
  const { headers } = c.res
  if (c.var.requestIsSecure) headers.set('Strict-Transport-Security', HSTS)
  for (const [name, value] of HEADERS) headers.set(name, value)
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
}
