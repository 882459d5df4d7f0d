import type { Server } from 'bun'
import type { Deps } from '../deps.ts'
import type { Viewer } from '../domain/permissions.ts'
import type { SendFile } from './file-response.ts'
import type { SendPage } from './page-response.ts'

/**
 * What handlers find in Hono's context. Code that every request passes reads it by `c.get`: Hono makes an object of all of it
 * whenever `c.var` is used.
 */
export interface AppEnv {
  Bindings: Server<undefined>
  Variables: {
    deps: Deps
    sendFile: SendFile
    sendPage: SendPage
    /** The same for small artwork. */
    sendPicture: SendPage
    /** The signed-in person; unset for anonymous requests, which only routes guarded by `anyone()` ever see. */
    viewer: Viewer
    /** The stored id of the session in use; null with a personal token and for anonymous requests. */
    sessionId: string | null
    /** When the session or token in use ends, as far as known now, in milliseconds since the epoch; null for never. */
    signedInUntil: number | null
    requestId: string
    /** The caller's address, and whether the request came over https, as a trusted proxy or the socket says. */
    requestAddress: () => string
    /** Whether the caller is in the household's own network for certain. */
    requestIsLocal: () => boolean
    requestIsSecure: boolean
    /** `host[:port]` that the caller asked for, lower case; empty where none was sent. */
    requestHost: () => string
  }
}
