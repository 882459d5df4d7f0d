import type { MiddlewareHandler } from 'hono'
import { AppError } from '../errors.ts'
import type { AppEnv } from '../http/app-env.ts'

/**
 * Lets only the household's own network through: whoever finds a service on the Internet before its owner has set it up
 * must not become its administrator. 403 `setup_not_local`, and 429 for an address that keeps trying.
 */
export const requireLocalNetwork = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  if (!c.var.requestIsLocal()) {
    await c.var.deps.auth.throttle.countForeignSetup(c.var.requestAddress())
    throw new AppError('setup_not_local')
  }
  await next()
}
