import type { Context, MiddlewareHandler } from 'hono'
import { AppError } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { bearerToken } from '../http/bearer.ts'
import { readSessionCookies, setSessionCookie } from './session-cookie.ts'
import type { NewSession } from './sessions.ts'

const useApiToken = async (c: Context<AppEnv>, token: string): Promise<void> => {
  const signedIn = await c.get('deps').auth.sessions.findApiToken(token)
  if (!signedIn) throw new AppError('not_signed_in', 'The access token is not valid')
  c.set('viewer', signedIn.viewer)
  c.set('signedInUntil', signedIn.expiresAt)
}

/** Answers the session where using it has prolonged it. */
const useCookie = async (c: Context<AppEnv>): Promise<NewSession | undefined> => {
  for (const token of readSessionCookies(c)) {
    const signedIn = await c.get('deps').auth.sessions.findSession(token)
    if (!signedIn) continue
    c.set('viewer', signedIn.viewer)
    c.set('sessionId', signedIn.sessionId)
    c.set('signedInUntil', signedIn.expiresAt)
    return signedIn.isRenewed && signedIn.expiresAt !== null ? { token, expiresAt: signedIn.expiresAt } : undefined
  }
  return undefined
}

/**
 * Finds out on whose behalf a request comes. A cookie that is not (or no longer) valid is nobody, and the route's guard
 * decides; a token that is not valid is refused, since a script means what it sends.
 */
export const sessionMiddleware = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  c.set('sessionId', null)
  const token = bearerToken(c.req.raw.headers)
  const prolonged = token === undefined ? await useCookie(c) : await useApiToken(c, token)
  await next()
  // Signing in or out has set a cookie of its own.
  if (prolonged && !c.res.headers.has('set-cookie')) setSessionCookie(c, prolonged)
}

/** Of a request whose answer lasts: whether it still comes from the same person, who may do what they might. */
export const isStillSignedIn = async (c: Context<AppEnv>): Promise<boolean> => {
  const bearer = bearerToken(c.req.raw.headers)
  for (const token of bearer === undefined ? readSessionCookies(c) : [bearer])
    if (Bun.deepEquals(await c.get('deps').auth.sessions.viewerNow(token), c.get('viewer'), true)) return true
  return false
}
