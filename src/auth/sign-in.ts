import { eq } from 'drizzle-orm'
import { users } from '../db/schema/users.ts'
import type { Deps } from '../deps.ts'
import { usernameKey } from '../domain/username.ts'
import { AppError } from '../errors.ts'
import { hashToken } from './secret-token.ts'
import type { NewSession } from './sessions.ts'

interface Credentials {
  username: string
  password: string
  /** Of the caller, for the throttle. */
  address: string
}

/** Somebody, and the hash that their password has been found to fit. */
interface Proven {
  id: number
  passwordHash: string
}

/**
 * The person with that name and password. An unknown name, a wrong password and a disabled account are one
 * and the same `invalid_credentials`, after the same work; `rate_limited` while there were too many of them.
 */
export const checkCredentials = async ({ db, auth, log }: Deps, { username, password, address }: Credentials): Promise<Proven> => {
  const key = usernameKey(username)
  const attempt = await auth.throttle.admit({ account: `name ${key}`, address })
  const [user] = await db
    .select({ id: users.id, passwordHash: users.passwordHash, disabled: users.disabled })
    .from(users)
    .where(eq(users.usernameKey, key))
  const isRight = await auth.passwords.verify(user?.passwordHash, password, attempt.count)
  if (!user || !isRight || user.disabled) {
    // A name that nobody has may be a password that was typed in the wrong field.
    log.info('sign_in_refused', { username: user ? username : null, address })
    throw new AppError('invalid_credentials')
  }
  await attempt.succeed()
  log.info('signed_in', { username, address })
  return { id: user.id, passwordHash: user.passwordHash }
}

/**
 * Begins a session for whoever has proven to be that person. To check a password takes a while: one that has been changed in it ends
 * the sessions that there were, and this one was none yet; and the person may be gone by then. Throws `invalid_credentials` then.
 */
export const startProvenSession = async (
  { db, auth }: Deps,
  { id, passwordHash }: Proven,
  userAgent: string | undefined,
): Promise<NewSession> => {
  const session = await auth.sessions.start(id, userAgent).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? new AppError('invalid_credentials') : error
  })
  const [user] = await db.select({ passwordHash: users.passwordHash, disabled: users.disabled }).from(users).where(eq(users.id, id))
  if (user?.passwordHash === passwordHash && !user.disabled) return session
  await auth.sessions.end(hashToken(session.token))
  throw new AppError('invalid_credentials')
}

/** Answers the hash of the person's password. Throws `invalid_credentials` where this is another one; guessed no faster than at sign-in. */
export const checkOwnPassword = async (
  { db, auth, log }: Deps,
  { userId, password, address }: { userId: number; password: string; address: string },
): Promise<string> => {
  const attempt = await auth.throttle.admit({ account: `id ${userId}`, address })
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  if (!(await auth.passwords.verify(user?.passwordHash, password, attempt.count)) || !user) {
    log.info('password_refused', { userId, address })
    throw new AppError('invalid_credentials', 'The present password is wrong')
  }
  await attempt.succeed()
  return user.passwordHash
}
