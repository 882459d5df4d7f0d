import { eq } from 'drizzle-orm'
import { users } from '../db/schema/users.ts'
import type { Deps } from '../deps.ts'
import { usernameKey } from '../domain/username.ts'
import { AppError } from '../errors.ts'

export interface Credentials {
  username: string
  password: string
  /** Of the caller, for the throttle. */
  address: string
}

/**
 * The id of the person with that name and password. An unknown name, a wrong password and a disabled account are one
 * and the same `invalid_credentials`, after the same work; `rate_limited` while there were too many of them.
 */
export const checkCredentials = async ({ db, auth, log }: Deps, { username, password, address }: Credentials): Promise<number> => {
  const key = usernameKey(username)
  const attempt = await auth.throttle.admit({ account: `name ${key}`, address })
  const [user] = await db
    .select({ id: users.id, passwordHash: users.passwordHash, disabled: users.disabled })
    .from(users)
    .where(eq(users.usernameKey, key))
  const isRight = await auth.passwords.verify(user?.passwordHash, password, attempt.count)
  if (!user || !isRight || user.disabled) {
    log.info('sign_in_refused', { username, address })
    throw new AppError('invalid_credentials')
  }
  await attempt.succeed()
  return user.id
}

/** Answers the hash of the person's password. Throws `invalid_credentials` where this is another one; guessed no faster than at sign-in. */
export const checkOwnPassword = async (
  { db, auth }: Deps,
  { userId, password, address }: { userId: number; password: string; address: string },
): Promise<string> => {
  const attempt = await auth.throttle.admit({ account: `id ${userId}`, address })
  const [user] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId))
  if (!(await auth.passwords.verify(user?.passwordHash, password, attempt.count)) || !user)
    throw new AppError('invalid_credentials', 'The present password is wrong')
  await attempt.succeed()
  return user.passwordHash
}
