import { and, count, desc, eq } from 'drizzle-orm'
import { apiTokens } from '../db/schema/users.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'

/** The viewer's own personal access tokens, latest first; never the secret. */
export const listTokens = async ({ db }: Deps, viewer: Viewer) => {
  const rows = await db.select().from(apiTokens).where(eq(apiTokens.userId, viewer.userId)).orderBy(desc(apiTokens.createdAt), apiTokens.id)
  return rows.map(({ id, name, createdAt, expiresAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: isoTime(expiresAt),
    lastUsedAt: isoTime(lastUsedAt),
  }))
}

/** Of one person: they stay until somebody deletes them, and whoever may do nothing else may make them. */
const MOST_TOKENS = 100

/** Answers the secret, which nobody can read again. Throws `conflict` where the person has as many as one may have. */
export const createToken = async ({ write, auth, log }: Deps, viewer: Viewer, input: { name: string; expiresAt?: Date | null }) => {
  const id = crypto.randomUUID()
  const { token, tokenHash } = auth.newApiToken()
  const expiresAt = input.expiresAt?.getTime() ?? null
  const { userId } = viewer
  await write.transaction(async (tx) => {
    const [present] = await tx.select({ total: count() }).from(apiTokens).where(eq(apiTokens.userId, userId))
    if (present && present.total >= MOST_TOKENS) throw new AppError('conflict', `You have ${MOST_TOKENS} tokens already: delete one first.`)
    await tx.insert(apiTokens).values({ id, userId, name: input.name, tokenHash, expiresAt, createdAt: Date.now() })
  })
  log.info('token_created', { userId, tokenId: id })
  return { id, token }
}

export const deleteToken = async ({ write, auth }: Deps, viewer: Viewer, id: string): Promise<void> => {
  const deleted = await write.transaction((tx) =>
    tx
      .delete(apiTokens)
      .where(and(eq(apiTokens.id, id), eq(apiTokens.userId, viewer.userId)))
      .returning({ id: apiTokens.id }),
  )
  auth.sessions.forgetUser(viewer.userId)
  if (deleted.length === 0) throw new AppError('not_found')
}
