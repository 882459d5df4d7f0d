import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { AppEnv } from '../http/app-env.ts'
import type { NewSession } from './sessions.ts'

/** Browsers take a cookie with this prefix only over https, for this host and the whole of it (RFC 6265bis, 4.1.3). */
const HOST_COOKIE = '__Host-session'
const PLAIN_COOKIE = 'session'

/** Browsers and Hono refuse cookies that live longer than 400 days. */
const MAX_COOKIE_SECONDS = 400 * 24 * 3600

/** Another application on the same host may have a cookie of the same name: ours is one of the first few. */
const MAX_CANDIDATES = 4

const cookiePath = (c: Context<AppEnv>): string => c.get('deps').config.basePath || '/'

const cookieName = (c: Context<AppEnv>): string => (c.get('requestIsSecure') && cookiePath(c) === '/' ? HOST_COOKIE : PLAIN_COOKIE)

const attributes = (c: Context<AppEnv>, maxAge: number) =>
  ({ httpOnly: true, sameSite: 'Lax', path: cookiePath(c), secure: c.get('requestIsSecure'), maxAge }) as const

const valuesOf = (header: string, cookie: string): string[] =>
  header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0 && pair.slice(0, equals).trim() === cookie ? [pair.slice(equals + 1).trim()] : []
  })

/**
 * What may be session tokens, most trustworthy first. Where the prefixed cookie is in use the plain one does not count:
 * a neighbouring subdomain could have planted it.
 */
export const readSessionCookies = (c: Context<AppEnv>): string[] => {
  const header = c.req.header('cookie')
  if (header === undefined) return []
  const plain = cookieName(c) === PLAIN_COOKIE ? valuesOf(header, PLAIN_COOKIE) : []
  return [...valuesOf(header, HOST_COOKIE), ...plain].slice(0, MAX_CANDIDATES)
}

export const setSessionCookie = (c: Context<AppEnv>, { token, expiresAt }: NewSession): void => {
  const seconds = Math.max(0, Math.floor((expiresAt - Date.now()) / 1000))
  setCookie(c, cookieName(c), token, attributes(c, Math.min(seconds, MAX_COOKIE_SECONDS)))
}

export const clearSessionCookie = (c: Context<AppEnv>): void => {
  setCookie(c, cookieName(c), '', attributes(c, 0))
}
