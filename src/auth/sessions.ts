import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiTokens, sessions, users } from '../db/schema/users.ts'
import type { Writer } from '../db/writer.ts'
import type { Viewer } from '../domain/permissions.ts'
import { createLucia } from './lucia.ts'
import { hashToken, isApiToken, isSessionToken, newSessionToken } from './secret-token.ts'
import { createSessionAdapter } from './session-adapter.ts'
import { createSessionCache } from './session-cache.ts'
import { toViewer, viewerColumns } from './stored-viewer.ts'

const DAY_MS = 24 * 3600 * 1000
/** Sessions end that long after sign-in, or after `SESSION_DAYS` where that is longer. */
const ABSOLUTE_DAYS = 90
/** Uses are noted at most once a minute: each note is a write. */
const SEEN_INTERVAL_MS = 60_000
const MAX_USER_AGENT_CHARACTERS = 256

interface SignedIn {
  viewer: Viewer
  userId: number
  /** As stored; null for a personal access token. */
  sessionId: string | null
  /** Milliseconds since the epoch; null for a token that does not expire. */
  expiresAt: number | null
  /** Whether using it has just moved the end of the session, so that the cookie must be set anew. */
  isRenewed: boolean
}

export interface NewSession {
  token: string
  expiresAt: number
}

export interface Sessions {
  /** Who a session cookie stands for; undefined where it is unknown, expired or of a disabled person. */
  findSession(token: string): Promise<SignedIn | undefined>
  /** The same for a personal access token. */
  findApiToken(token: string): Promise<SignedIn | undefined>
  /** Whom the cookie or token stands for by the database, another server may have changed it; neither prolongs it nor counts as a use. */
  viewerNow(token: string): Promise<Viewer | undefined>
  start(userId: number, userAgent: string | undefined): Promise<NewSession>
  end(sessionId: string): Promise<void>
  /** To be called after every change of a person, their sessions or their tokens: the next request sees it. */
  forgetUser(userId: number): void
  /** For answers that last: hears of every such change. Returns the function that ends the watch. */
  watchUser(userId: number, onChange: () => void): () => void
}

interface SessionsParts {
  db: Database
  write: Writer
  sessionDays: number
  reportFailure: (error: unknown) => void
}

const cleanUserAgent = (userAgent: string | undefined): string | null =>
  userAgent?.replace(/\p{C}/gu, '').slice(0, MAX_USER_AGENT_CHARACTERS) ?? null

export const createSessions = ({ db, write, sessionDays, reportFailure }: SessionsParts): Sessions => {
  const absoluteMs = Math.max(ABSOLUTE_DAYS, sessionDays) * DAY_MS
  const lucia = createLucia(createSessionAdapter({ db, write, absoluteMs, reportFailure }), sessionDays)
  const cache = createSessionCache<SignedIn & { lastSeenAt: number }>()

  const watchers = new Map<() => void, number>()

  const forgetUser = (userId: number): void => {
    cache.forgetUser(userId)
    for (const [onChange, watched] of watchers) if (watched === userId) onChange()
  }

  const noteUse = (signedIn: SignedIn & { lastSeenAt: number }, key: string): void => {
    const now = Date.now()
    if (now - signedIn.lastSeenAt < SEEN_INTERVAL_MS) return
    signedIn.lastSeenAt = now
    const written = write.transaction(
      (tx) =>
        signedIn.sessionId === null
          ? tx.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.tokenHash, key))
          : tx.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, key)),
      'background',
    )
    void written.catch(reportFailure)
  }

  const loadSession = async (token: string, sessionId: string) => {
    const { session, user } = await lucia.validateSession(token)
    if (!session || !user) return undefined
    const { viewer, id: userId } = user
    const expiresAt = Math.min(session.expiresAt.getTime(), session.createdAt + absoluteMs)
    return { viewer, userId, sessionId, expiresAt, isRenewed: session.fresh, lastSeenAt: session.lastSeenAt }
  }

  const loadApiToken = async (tokenHash: string) => {
    const [row] = await db
      .select({ expiresAt: apiTokens.expiresAt, lastUsedAt: apiTokens.lastUsedAt, ...viewerColumns })
      .from(apiTokens)
      .innerJoin(users, eq(users.id, apiTokens.userId))
      .where(eq(apiTokens.tokenHash, tokenHash))
    if (!row || (row.expiresAt !== null && row.expiresAt <= Date.now())) return undefined
    const viewer = await toViewer(db, row)
    if (!viewer) return undefined
    return { viewer, userId: row.userId, sessionId: null, expiresAt: row.expiresAt, isRenewed: false, lastSeenAt: row.lastUsedAt ?? 0 }
  }

  return {
    findSession: async (token) => {
      if (!isSessionToken(token)) return undefined
      const id = hashToken(token)
      const found = await cache.find(id, () => loadSession(token, id))
      if (found) noteUse(found, id)
      return found
    },
    findApiToken: async (token) => {
      if (!isApiToken(token)) return undefined
      const tokenHash = hashToken(token)
      const found = await cache.find(tokenHash, () => loadApiToken(tokenHash))
      if (found) noteUse(found, tokenHash)
      return found
    },
    viewerNow: async (token) => {
      const id = hashToken(token)
      const [row] = isApiToken(token)
        ? await db.select(viewerColumns).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.userId)).where(eq(apiTokens.tokenHash, id))
        : await db.select(viewerColumns).from(sessions).innerJoin(users, eq(users.id, sessions.userId)).where(eq(sessions.id, id))
      return row && toViewer(db, row)
    },
    start: async (userId, userAgent) => {
      const now = Date.now()
      const token = newSessionToken()
      const attributes = { userAgent: cleanUserAgent(userAgent), createdAt: now, lastSeenAt: now }
      const session = await lucia.createSession(userId, attributes, { sessionId: token })
      return { token, expiresAt: session.expiresAt.getTime() }
    },
    end: async (sessionId) => {
      const ended = await write.transaction((tx) =>
        tx.delete(sessions).where(eq(sessions.id, sessionId)).returning({ userId: sessions.userId }),
      )
      for (const { userId } of ended) forgetUser(userId)
    },
    forgetUser,
    watchUser: (userId, onChange) => {
      watchers.set(onChange, userId)
      return () => void watchers.delete(onChange)
    },
  }
}
