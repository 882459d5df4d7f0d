import { and, eq, inArray, ne } from 'drizzle-orm'
import { libraries } from '../db/schema/libraries.ts'
import { apiTokens, sessions, userLibraries, users } from '../db/schema/users.ts'
import type { Transaction } from '../db/writer.ts'
import type { Deps } from '../deps.ts'
import { passwordProblem } from '../domain/password.ts'
import { ALL_PERMISSIONS, DEFAULT_PERMISSIONS, type Permissions, permissionsFromStored, type Role } from '../domain/permissions.ts'
import { cleanUsername, usernameKey, usernameProblem } from '../domain/username.ts'
import { AppError } from '../errors.ts'

interface User {
  id: number
  username: string
  role: Role
  permissions: Permissions
  libraryIds: number[] | null
  disabled: boolean
  createdAt: string
}

interface NewUser {
  username: string
  password: string
  role?: Role
  permissions?: Partial<Permissions>
  libraryIds?: number[] | null
}

interface UserPatch {
  /** Nothing but what it is already. */
  username?: string
  role?: Role
  permissions?: Partial<Permissions>
  libraryIds?: number[] | null
  disabled?: boolean
  password?: string
}

type UserRow = typeof users.$inferSelect
type Reader = Pick<Transaction, 'select'>

/** As others see it: administrators have every permission and every library, whatever their row keeps for later. */
const toUser = (row: UserRow, libraryIds: number[]): User => {
  const isAdmin = row.role === 'admin'
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    permissions: isAdmin ? ALL_PERMISSIONS : permissionsFromStored(row.permissions),
    libraryIds: isAdmin || row.allLibraries ? null : libraryIds,
    disabled: row.disabled,
    createdAt: new Date(row.createdAt).toISOString(),
  }
}

const listGrants = async (reader: Reader, userId: number): Promise<number[]> => {
  const grants = await reader
    .select({ id: userLibraries.libraryId })
    .from(userLibraries)
    .where(eq(userLibraries.userId, userId))
    .orderBy(userLibraries.libraryId)
  return grants.map(({ id }) => id)
}

const getRow = async (reader: Reader, id: number): Promise<UserRow> => {
  const [row] = await reader.select().from(users).where(eq(users.id, id))
  if (!row) throw new AppError('not_found')
  return row
}

const readUser = async (reader: Reader, id: number): Promise<User> => toUser(await getRow(reader, id), await listGrants(reader, id))

export const getUser = ({ db }: Deps, id: number): Promise<User> => readUser(db, id)

export const listUsers = async ({ db }: Pick<Deps, 'db'>): Promise<User[]> => {
  const [rows, grants] = await Promise.all([db.select().from(users).orderBy(users.usernameKey), db.select().from(userLibraries)])
  const byUser = Map.groupBy(grants, ({ userId }) => userId)
  return rows.map((row) =>
    toUser(
      row,
      (byUser.get(row.id) ?? []).map(({ libraryId }) => libraryId).sort((a, b) => a - b),
    ),
  )
}

export const hasUsers = async (reader: Reader): Promise<boolean> => (await reader.select({ id: users.id }).from(users).limit(1)).length > 0

/** Replaces the grants; an unknown library is the caller's mistake, not a grant for whatever gets that id later. */
const setGrants = async (tx: Transaction, userId: number, libraryIds: number[] | null): Promise<void> => {
  const wanted = [...new Set(libraryIds ?? [])]
  const found = await tx.select({ id: libraries.id }).from(libraries).where(inArray(libraries.id, wanted))
  if (found.length < wanted.length)
    throw new AppError('invalid_request', undefined, { errors: [{ path: 'libraryIds', message: 'There is no such library' }] })
  await tx.delete(userLibraries).where(eq(userLibraries.userId, userId))
  if (wanted.length > 0) await tx.insert(userLibraries).values(wanted.map((libraryId) => ({ userId, libraryId })))
}

const insertUser = async (tx: Transaction, input: Omit<NewUser, 'password'> & { passwordHash: string }): Promise<User> => {
  const username = cleanUsername(input.username)
  const key = usernameKey(username)
  const taken = await tx.select({ id: users.id }).from(users).where(eq(users.usernameKey, key))
  if (taken.length > 0) throw new AppError('duplicate_name')
  const [row] = await tx
    .insert(users)
    .values({
      username,
      usernameKey: key,
      passwordHash: input.passwordHash,
      role: input.role ?? 'user',
      permissions: JSON.stringify({ ...DEFAULT_PERMISSIONS, ...input.permissions }),
      allLibraries: (input.libraryIds ?? null) === null,
      createdAt: Date.now(),
    })
    .returning({ id: users.id })
  if (!row) throw new Error('An inserted user has no id')
  await setGrants(tx, row.id, input.libraryIds ?? null)
  return readUser(tx, row.id)
}

export const createUser = async ({ write, auth, log }: Deps, { password, ...input }: NewUser): Promise<User> => {
  const passwordHash = await auth.passwords.hash(password)
  const user = await write.transaction((tx) => insertUser(tx, { ...input, passwordHash }))
  log.info('user_created', { userId: user.id, username: user.username, role: user.role })
  return user
}

/** The first account of all is not made on its caller's word alone. */
const assertUsable = (username: string, password: string): void => {
  const problems = [
    { path: 'username', message: usernameProblem(cleanUsername(username)) },
    { path: 'password', message: passwordProblem(password) },
  ].flatMap(({ path, message }) => (message === undefined ? [] : [{ path, message }]))
  if (problems.length > 0) throw new AppError('invalid_request', undefined, { errors: problems })
}

/** The first administrator, or undefined where somebody exists already: whoever comes second, and be it by a millisecond. */
export const createAdminIfFirst = async (
  { db, write, auth, log }: Deps,
  { username, password }: { username: string; password: string },
): Promise<User | undefined> => {
  if (await hasUsers(db)) return undefined
  assertUsable(username, password)
  const passwordHash = await auth.passwords.hash(password)
  const user = await write.transaction(async (tx) =>
    (await hasUsers(tx)) ? undefined : insertUser(tx, { username, passwordHash, role: 'admin' }),
  )
  if (user) log.info('first_admin_created', { username: user.username })
  return user
}

/** A service that nobody can administer any more could only be mended in its database. */
const assertOtherAdmin = async (tx: Transaction, id: number): Promise<void> => {
  const others = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(ne(users.id, id), eq(users.role, 'admin'), eq(users.disabled, false)))
    .limit(1)
  if (others.length === 0) throw new AppError('last_admin')
}

/** Sending a whole `User` back changes nothing, so what an administrator is merely shown to have is not stored as given. */
const changesOf = (row: UserRow, { permissions = {}, libraryIds, role = row.role, disabled = row.disabled }: UserPatch) => {
  const staysAdmin = row.role === 'admin' && role === 'admin'
  const given = Object.entries(permissions).filter(([, value]) => !(staysAdmin && value))
  const grants = staysAdmin && libraryIds === null ? undefined : libraryIds
  return { role, disabled, permissions: { ...permissionsFromStored(row.permissions), ...Object.fromEntries(given) }, grants }
}

/**
 * A new role, password or `disabled` ends the person's sessions at once; `keepSessionId` survives a new password alone
 * (it is the one that sets it), and `provenHash` is what its person has shown to know: of two who do so at once, the first
 * one's is kept. Without it an administrator gives the password, perhaps because somebody else has the old one: that ends the
 * person's tokens too. Permissions and libraries hold from the next request on.
 * Throws `username_fixed` and `last_admin`.
 */
export const updateUser = async (
  { write, auth, log }: Pick<Deps, 'write' | 'auth' | 'log'>,
  id: number,
  { patch, keepSessionId = null, provenHash }: { patch: UserPatch; keepSessionId?: string | null; provenHash?: string },
): Promise<User> => {
  const passwordHash = patch.password === undefined ? undefined : await auth.passwords.hash(patch.password)
  const user = await write.transaction(async (tx) => {
    const row = await getRow(tx, id)
    if ((patch.username ?? row.username) !== row.username) throw new AppError('username_fixed')
    if (provenHash !== undefined && row.passwordHash !== provenHash)
      throw new AppError('conflict', 'The password has been changed meanwhile.')
    const { role, disabled, permissions, grants } = changesOf(row, patch)
    const isAdministrating = row.role === 'admin' && !row.disabled
    if (isAdministrating && (role !== 'admin' || disabled)) await assertOtherAdmin(tx, id)
    const allLibraries = grants === undefined ? row.allLibraries : grants === null
    await tx
      .update(users)
      .set({ role, disabled, permissions: JSON.stringify(permissions), allLibraries, ...(passwordHash ? { passwordHash } : {}) })
      .where(eq(users.id, id))
    if (grants !== undefined) await setGrants(tx, id, grants)
    const isOther = role !== row.role || disabled
    if (isOther) await tx.delete(sessions).where(eq(sessions.userId, id))
    else if (passwordHash) await tx.delete(sessions).where(and(eq(sessions.userId, id), ne(sessions.id, keepSessionId ?? '')))
    if (passwordHash && provenHash === undefined) await tx.delete(apiTokens).where(eq(apiTokens.userId, id))
    return readUser(tx, id)
  })
  auth.sessions.forgetUser(id)
  log.info('user_changed', { userId: id, role: user.role, disabled: user.disabled, hasNewPassword: passwordHash !== undefined })
  return user
}

/** Sessions, tokens, settings and progress go with the person (foreign keys cascade). */
export const deleteUser = async ({ write, auth, log }: Deps, id: number): Promise<void> => {
  await write.transaction(async (tx) => {
    const row = await getRow(tx, id)
    if (row.role === 'admin' && !row.disabled) await assertOtherAdmin(tx, id)
    await tx.delete(users).where(eq(users.id, id))
  })
  auth.sessions.forgetUser(id)
  log.info('user_deleted', { userId: id })
}
