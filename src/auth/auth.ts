import type { Deps } from '../deps.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { newApiToken } from './secret-token.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createThrottle, type Throttle } from './throttle.ts'

/** What sign-in keeps in memory, one for the process: services and routes reach it as `deps.auth`. */
export interface Auth {
  passwords: Passwords
  sessions: Sessions
  throttle: Throttle
  newApiToken: typeof newApiToken
}

export const createAuth = ({ config, db, write, log }: Pick<Deps, 'config' | 'db' | 'write' | 'log'>): Auth => ({
  passwords: createPasswords(),
  sessions: createSessions({
    db,
    write,
    sessionDays: config.sessionDays,
    reportFailure: (error) => log.warn('session_write_failed', { error }),
  }),
  throttle: createThrottle(),
  newApiToken,
})
