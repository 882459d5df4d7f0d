import { type Adapter, Lucia, TimeSpan } from 'lucia'
import type { Viewer } from '../domain/permissions.ts'

interface SessionAttributes {
  userAgent: string | null
  /** Milliseconds since the epoch, as `lastSeenAt`. */
  createdAt: number
  lastSeenAt: number
}

/** lucia decides when a session is over and when it is prolonged; tokens, cookies and storage are ours. */
export const createLucia = (adapter: Adapter, sessionDays: number) =>
  new Lucia(adapter, {
    sessionExpiresIn: new TimeSpan(sessionDays, 'd'),
    getSessionAttributes: ({ createdAt, lastSeenAt }: SessionAttributes) => ({ createdAt, lastSeenAt }),
    getUserAttributes: ({ viewer }: { viewer: Viewer }) => ({ viewer }),
  })

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof createLucia>
    UserId: number
    DatabaseSessionAttributes: SessionAttributes
    DatabaseUserAttributes: { viewer: Viewer }
  }
}
