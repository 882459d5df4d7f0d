import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { isStillSignedIn } from '../auth/session-middleware.ts'
import { canSeeLibrary } from '../domain/permissions.ts'
import { answersBytes } from '../http/answers.ts'
import type { AppEnv } from '../http/app-env.ts'
import { requireUser } from '../http/guards.ts'
import type { ServiceEvent } from '../services/events.ts'

/** Whoever does not read for so many events is let go: what waits for them is kept in memory. */
const MOST_UNREAD = 2000
/** Proxies close a silent connection after a minute or so. */
const KEEP_ALIVE_MS = 20_000

export const eventRoutes = new Hono<AppEnv>().get(
  '/',
  requireUser(),
  answersBytes(
    200,
    'text/event-stream',
    'Server-sent events `scan`, `job`, `library`; nothing may depend on them. Ends when anything changes about who listens',
  ),
  (c) => {
    // Nobody would read what is told, nor end it. Without the second header Bun would call it 0 bytes.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream', 'Transfer-Encoding': 'chunked' })
    const { viewer, deps, signedInUntil } = c.var
    const givePlaceBack = deps.places.takeEvents(viewer)
    c.env.timeout(c.req.raw, 0)
    // nginx would keep what comes in small pieces until there is enough of it.
    c.header('X-Accel-Buffering', 'no')
    const leftMs = (): number => (signedInUntil ?? Number.POSITIVE_INFINITY) - Date.now()
    return streamSSE(c, async (stream) => {
      let unread = 0
      const tell = (event: ServiceEvent): void => {
        const mayKnow = canSeeLibrary(viewer, event.libraryId) && (event.type !== 'scan' || viewer.role === 'admin')
        if (!mayKnow) return
        unread += 1
        if (unread > MOST_UNREAD) return end()
        void stream.writeSSE({ event: event.type, data: JSON.stringify(event) }).finally(() => {
          unread -= 1
        })
      }
      const unsubscribe = (): void => {
        unlisten()
        unwatch()
        givePlaceBack()
      }
      const end = (): void => {
        unsubscribe()
        void stream.close()
      }
      const unlisten = deps.events.subscribe(tell, end)
      // Whoever still may listen comes again, and is asked anew.
      const unwatch = deps.auth.sessions.watchUser(viewer.userId, end)
      stream.onAbort(unsubscribe)
      try {
        do {
          await stream.writeSSE({ event: 'ping', data: '' })
          await stream.sleep(Math.min(KEEP_ALIVE_MS, leftMs()))
          // Another server may have changed who listens. A database that does not answer is asked when they come again.
        } while (!stream.aborted && !stream.closed && leftMs() > 0 && (await isStillSignedIn(c).catch(() => false)))
      } finally {
        unsubscribe()
      }
    })
  },
)
