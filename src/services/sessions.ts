import { and, desc, eq, gt, ne } from 'drizzle-orm'
import { sessions } from '../db/schema/users.ts'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import { AppError } from '../errors.ts'

/** The viewer's own sessions, latest used first; `currentId` is the one that asks. */
export const listSessions = async ({ db }: Deps, viewer: Viewer, currentId: string | null) => {
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, viewer.userId), gt(sessions.expiresAt, Math.floor(Date.now() / 1000))))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
  return rows.map((row) => ({
    id: row.id,
    current: row.id === currentId,
    userAgent: row.userAgent,
    lastSeenAt: new Date(row.lastSeenAt).toISOString(),
    createdAt: new Date(row.createdAt).toISOString(),
  }))
}

export const deleteSession = async ({ write, auth }: Deps, viewer: Viewer, id: string): Promise<void> => {
  const deleted = await write.transaction((tx) =>
    tx
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, viewer.userId)))
      .returning({ id: sessions.id }),
  )
  auth.sessions.forgetUser(viewer.userId)
  if (deleted.length === 0) throw new AppError('not_found')
}

/** All but the one that asks; a token, which is none, ends every one of them. */
export const deleteOtherSessions = async ({ write, auth }: Deps, { userId }: Viewer, currentId: string | null): Promise<void> => {
  await write.transaction((tx) => tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, currentId ?? ''))))
  auth.sessions.forgetUser(userId)
}
