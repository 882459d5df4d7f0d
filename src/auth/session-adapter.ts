/** What lucia asks of a database: it hands over tokens, and the database keeps their SHA-256 alone. */

import { and, eq, lt } from 'drizzle-orm'
import type { Adapter } from 'lucia'
import type { Database } from '../db/client.ts'
import { sessions, users } from '../db/schema/users.ts'
import type { Writer } from '../db/writer.ts'
import { hashToken } from './secret-token.ts'
import { toViewer, viewerColumns } from './stored-viewer.ts'

interface SessionAdapterParts {
  db: Database
  write: Writer
  /** However often it is used, a session ends that long after its sign-in. */
  absoluteMs: number
  /** For writes that no request waits for. */
  reportFailure: (error: unknown) => void
}

/** lucia's own calls for these are not used: sessions are listed and ended by services/sessions.ts, and expired ones go with the next sign-in. */
const notAsked = async (): Promise<never> => {
  throw new Error('Nobody asks lucia for this.')
}

const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export const createSessionAdapter = ({ db, write, absoluteMs, reportFailure }: SessionAdapterParts): Adapter => {
  const writeLater = (work: Parameters<Writer['transaction']>[0]): void => {
    void write.transaction(work, 'background').catch(reportFailure)
  }

  return {
    getSessionAndUser: async (token) => {
      const [row] = await db
        .select({ session: sessions, ...viewerColumns })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(eq(sessions.id, hashToken(token)))
      if (!row) return [null, null]
      const { session, userId } = row
      const expiresAt = new Date(Math.min(session.expiresAt * 1000, session.createdAt + absoluteMs))
      const viewer = await toViewer(db, row)
      return [{ id: token, userId, expiresAt, attributes: session }, viewer ? { id: userId, attributes: { viewer } } : null]
    },
    setSession: async (session) => {
      const { userAgent, createdAt, lastSeenAt } = session.attributes
      const expiresAt = toSeconds(session.expiresAt)
      await write.transaction(async (tx) => {
        // Expired rows go whenever a new one comes, so that they need no schedule of their own.
        await tx.delete(sessions).where(lt(sessions.expiresAt, toSeconds(new Date())))
        await tx.insert(sessions).values({ id: hashToken(session.id), userId: session.userId, expiresAt, userAgent, createdAt, lastSeenAt })
      })
    },
    // These two are asked for in the middle of checking a session, which must not wait behind other writes.
    updateSessionExpiration: async (token, expiresAt) => {
      const seconds = toSeconds(expiresAt)
      const id = hashToken(token)
      writeLater((tx) =>
        tx
          .update(sessions)
          .set({ expiresAt: seconds })
          .where(and(eq(sessions.id, id), lt(sessions.expiresAt, seconds))),
      )
    },
    deleteSession: async (token) => {
      const id = hashToken(token)
      writeLater((tx) => tx.delete(sessions).where(eq(sessions.id, id)))
    },
    getUserSessions: notAsked,
    deleteUserSessions: notAsked,
    deleteExpiredSessions: notAsked,
  }
}
